// SPDX-License-Identifier: GPL-2.0-only
/* The command line, one word a line. No module is loaded. */
#include "fuzz.h"

#include <string.h>

#include "base/say.h"
#include "cli/commands.h"
#include "source/loop.h"
#include "source/source.h"

#define MOST_WORDS	24

bool source_absent(void)
{
	return true;
}

char *source_absent_reason(void)
{
	return NULL;
}

int source_open(struct source **source)
{
	(void)source;
	return EXIT_FAILED;
}

void source_close(struct source *source)
{
	promise(!source);
}

int source_config(struct source *source, struct model *model)
{
	(void)model;
	promise(source);
	return EXIT_FAILED;
}

int source_records(struct source *source, struct model *model, bool names)
{
	(void)names;
	return source_config(source, model);
}

int source_counters(struct source *source, struct model *model)
{
	return source_config(source, model);
}

int source_histograms(struct source *source, struct model *model)
{
	return source_config(source, model);
}

void source_keep(struct source *source, struct messages *messages)
{
	(void)messages;
	promise(source);
}

int source_set(struct source *source, const struct knobs *knobs)
{
	(void)knobs;
	return source_config(source, NULL);
}

int source_clear(struct source *source)
{
	return source_config(source, NULL);
}

/* it would wait for the module */
int loop_open(struct loop *loop)
{
	promise(loop->follow->observers.count);
	return EXIT_FAILED;
}

int loop_run(struct loop *loop)
{
	promise(!loop);
	return EXIT_FAILED;
}

void loop_close(struct loop *loop)
{
	(void)loop;
}

static bool has_word(char *words[], int argc, const char *wanted)
{
	for (int i = 0; i < argc; i++)
		if (!strcmp(words[i], wanted))
			return true;
	return false;
}

int LLVMFuzzerTestOneInput(const __u8 *data, size_t size)
{
	char name[] = "irqoff", *words[MOST_WORDS] = { 0 }, *argv[MOST_WORDS + 2] = { name };
	struct input input = { data, size };
	int argc = 0, status;

	while (argc < MOST_WORDS && input.size) {
		words[argc] = text_of(take_until(&input, '\n'));
		/* getopt reorders argv, so words keeps the original order */
		argv[argc + 1] = words[argc];
		argc++;
	}
	status = irqoff_main(argc + 1, argv);
	/* 3 is a plugin's "unknown", which check --nagios also says of a wrong command line */
	promise(status == EXIT_DONE || status == EXIT_FAILED || status == EXIT_USAGE ||
		(status == 3 && has_word(words, argc, "check")));
	for (int i = 0; i < argc; i++)
		free(words[i]);
	return 0;
}
