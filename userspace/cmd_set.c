// SPDX-License-Identifier: GPL-2.0-only
/* start, stop and set: settings, as one transaction each. */
#include <stddef.h>

#include "commands.h"
#include "say.h"
#include "source.h"

#define KNOB_NOTES \
	"  threshold=LENGTH  shortest stall that is recorded, such as 2ms\n" \
	"  period=LENGTH     time between two heartbeats of a CPU, such as 500us\n" \
	"  cpus=LIST         CPUs to watch: default, all, or a list such as 0-3,8\n\n" \
	"LENGTH takes ns, us, ms or s; threshold_us=2000 and period_us=500 are the same " \
	"in microseconds. All knobs change together, or none does.\n"

const char start_notes[] = KNOB_NOTES;
const char set_notes[] =
	"  enable=0|1        watch (1) or not (0)\n"
	KNOB_NOTES;

static int apply(const struct knobs *knobs)
{
	struct source *source = NULL;
	int ret = source_open(&source);

	if (!ret)
		ret = source_set(source, knobs);
	source_close(source);
	return ret;
}

static int parse(const struct command *command, struct knobs *knobs, int argc, char **argv,
		 int *done)
{
	int ret = only_help(command, argc, argv, done);

	for (int i = optind; i < argc && !ret && !*done; i++)
		ret = knobs_parse(knobs, argv[i], argv[i + 1]);
	return ret;
}

int cmd_start(const struct command *command, int argc, char **argv)
{
	struct knobs knobs = { 0 };
	int done, ret;

	ret = parse(command, &knobs, argc, argv, &done);
	if (ret || done)
		return ret;
	if (knobs.given[KNOB_ENABLE])
		return misuse("start and stop set enable themselves; leave it out");
	knobs.given[KNOB_ENABLE] = true;
	knobs.numbers[KNOB_ENABLE] = 1;
	return apply(&knobs);
}

int cmd_stop(const struct command *command, int argc, char **argv)
{
	struct knobs knobs = { .given[KNOB_ENABLE] = true };
	int done, ret = only_help(command, argc, argv, &done);

	if (ret || done)
		return ret;
	ret = no_operands(command, argc, argv);
	return ret ? ret : apply(&knobs);
}

int cmd_set(const struct command *command, int argc, char **argv)
{
	struct knobs knobs = { 0 };
	int done, ret = parse(command, &knobs, argc, argv, &done);

	if (ret || done)
		return ret;
	if (optind == argc)
		return misuse("set needs KNOB=VALUE (irqoff set --help)");
	return apply(&knobs);
}
