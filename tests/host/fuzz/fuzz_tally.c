// SPDX-License-Identifier: GPL-2.0-only
/* The file of an agent's counters, and what is said by it. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "agent/health.h"
#include "agent/metrics.h"
#include "base/say.h"

/* a line of a metric has as many quotes as its labels */
static void check_metrics(const struct tally *tally)
{
	char *text = NULL, *rest, *line;
	size_t len;
	FILE *out = or_exit(open_memstream(&text, &len));
	unsigned int series = 0;

	metrics_print(out, tally, 0, METRICS_OPENMETRICS);
	fclose(out);
	rest = text;
	while ((line = strsep(&rest, "\n")) && *line) {
		unsigned int quotes = 0;

		promise(!strncmp(line, "# ", 2) || !strncmp(line, "irqoff_", 7));
		series += *line != '#';
		for (; *line; line++)
			quotes += *line == '"';
		promise(!(quotes & 1));
	}
	promise(series <= 80);
	free(text);
}

static void check_health(const struct tally *tally)
{
	const struct health_question question = {
		.now_ns = 1ULL << 40, .since_ns = 1ULL << 38, .max_ns = 1000000,
		.boot_id = tally->boot_id,
	};
	char text[HEALTH_LEN];

	health_ask(tally, &question, text);
	promise(*text && strlen(text) < HEALTH_LEN && !strchr(text, '\n'));
}

int LLVMFuzzerTestOneInput(const __u8 *data, size_t size)
{
	char *text = text_of((struct input){ data, size }), *once, *twice;
	struct tally tally, again;

	if (tally_parse(&tally, text)) {
		check_metrics(&tally);
		check_health(&tally);
		once = tally_print(&tally);
		promise(tally_parse(&again, once));
		twice = tally_print(&again);
		promise(!strcmp(once, twice));
		tally_free(&again);
		free(once);
		free(twice);
	}
	tally_free(&tally);
	free(text);
	return 0;
}
