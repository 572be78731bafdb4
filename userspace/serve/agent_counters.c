// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clocks.h"
#include "base/say.h"
#include "model/machine.h"
#include "serve/agent_counters.h"
#include "version.h"

/* NULL, or why there are no counters of this boot, and until when; to be freed */
static char *read_state(struct tally *tally, const char *path)
{
	struct machine machine;
	int error = tally_read(tally, path);

	if (error == -EINVAL)
		return print_text("%s is no state of an agent of this version; "
				  "irqoff_up is 0 until there is one", path);
	if (error)
		return print_text("could not read %s: %s; irqoff_up is 0 until %s", path,
				  strerror(-error),
				  error == -ENOENT ? "there is one" : "it can be read");
	machine_read(&machine);
	if (strcmp(machine.boot_id, tally->boot_id))
		return print_text("%s is of another boot; "
				  "irqoff_up is 0 until there is one of this boot", path);
	return NULL;
}

/* once, not at each request */
static void tell(struct counters *counters, char *why)
{
	if (why && (!counters->why || strcmp(why, counters->why)))
		note("%s", why);
	if (!why && counters->why)
		note("%s can be read again", counters->path);
	free(counters->why);
	counters->why = why;
}

/**
 * counters_print() - print all metrics
 * @counters: the path is set
 * @out: where to
 * @format: of Prometheus, or OpenMetrics
 */
void counters_print(struct counters *counters, FILE *out, enum metrics_format format)
{
	struct tally tally;
	char *why = read_state(&tally, counters->path);

	if (why)
		metrics_print_absent(out, TRACE_IRQOFF_VERSION, format);
	else
		metrics_print(out, &tally, clock_monotonic_ns(), format);
	tally_free(&tally);
	tell(counters, why);
}
