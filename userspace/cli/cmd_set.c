// SPDX-License-Identifier: GPL-2.0-only
/* start, stop and set: settings, as one transaction each. */
#include <stddef.h>

#include "base/say.h"
#include "cli/commands.h"
#include "source/source.h"

#define KNOB_NOTES \
	"  threshold=LENGTH  shortest stall that is recorded, such as 2ms\n" \
	"  period=LENGTH     time between two heartbeats (timer interrupts) of a CPU,\n" \
	"                    such as 500us\n" \
	"  cpus=LIST         CPUs to watch: default, all, or a list such as 0-3,8\n" \
	"  nmi=auto|off      sample a stuck CPU by an NMI of another one, which takes x86\n" \
	"                    (auto), or do not (off)\n" \
	"  nmi_cpu_rate=N    most NMIs sent to one CPU in a second, on average\n" \
	"  nmi_rate=N        most NMIs sent to all CPUs in a second, on average\n" \
	"  guard=auto|always|never\n" \
	"                    wake an idle CPU to sample the only busy one: for 60 s after\n" \
	"                    a hard stall without a sample (auto), always, or never\n" \
	"  max_cost=PERCENT  stop watching if heartbeats take more of a CPU's time for\n" \
	"                    10 s, such as 6%, or none for no limit\n\n" \
	"LENGTH takes ns, us, ms or s. threshold_us and period_us take microseconds, and " \
	"max_cost_ppm takes parts per million. irqoff(8) has the limits and defaults, and " \
	"'irqoff status' shows what is set.\n\n" \
	"All knobs change together, or none does. A CPU that is stuck takes them up when it " \
	"comes back; 'irqoff status' names it.\n"

const char start_notes[] = KNOB_NOTES;
const char set_notes[] =
	"  enable=0|1        watch (1) or not (0)\n"
	KNOB_NOTES;
const char stop_notes[] =
	"Watching stops at once, even where a CPU is stuck. The probes are detached from the\n"
	"kernel 10 s later, once each CPU has taken up the stop. 'irqoff status' names those\n"
	"that have not. --free drops the records, as clear does. It may be given when watching has\n"
	"stopped already.\n";

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
	if (knobs.given[TIO_KNOB_ENABLE])
		return misuse("start and stop set enable themselves; leave it out");
	knobs.given[TIO_KNOB_ENABLE] = true;
	knobs.numbers[TIO_KNOB_ENABLE] = 1;
	return apply(&knobs);
}

int cmd_stop(const struct command *command, int argc, char **argv)
{
	struct knobs knobs = { .given[TIO_KNOB_ENABLE] = true };
	int option, ret;

	while ((option = next_option(command, argc, argv)) != OPTION_END) {
		if (option != OPTION_FREE)
			return option_status(option);
		knobs.free = true;
	}
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
