// SPDX-License-Identifier: GPL-2.0-only
/*
 * state BOOT_ID UPDATED: writes an agent's counters to standard output, of that boot and
 * written at that time (in nanoseconds, by the monotonic clock).
 */
#include <stdio.h>
#include <stdlib.h>

#include "agent/tally.h"
#include "base/say.h"
#include "base/units.h"

int main(int argc, char **argv)
{
	struct tally tally;
	char *text;

	if (argc != 3)
		return misuse("usage: state BOOT_ID UPDATED");
	tally_begin(&tally, argv[1], "1.2.3");
	tally.running = true;
	tally.updated_ns = strtoull(argv[2], NULL, 10);
	tally.interval_ns = 60 * NSEC_PER_SEC;
	tally.online_cpus = 4;
	tally.module = (struct tally_module){
		.loaded = true, .enabled = true, .version = "1.2.2", .watched_cpus = 3,
		.watched_ns = 1, .threshold_ns = 10 * NSEC_PER_MSEC,
		.period_ns = NSEC_PER_MSEC,
	};
	tally.classes[TIO_CLASS_SOFTIRQ_LONG] = (struct tally_class){
		.stalls = 5, .stalled_ns = 45142 * NSEC_PER_USEC,
		.newest = { .end_ns = tally.updated_ns, .ns = 9553 * NSEC_PER_USEC, .cpu = 3,
			    .seq = 124 },
		.newest_realtime_ns = 1795000000 * NSEC_PER_SEC,
	};
	tally.causes[tally.ncauses].stalls = 5;
	tally.causes[tally.ncauses++].id = copy_text("ip_vs-estimation");
	text = tally_print(&tally);
	fputs(text, stdout);
	free(text);
	tally_free(&tally);
	return fflush(stdout) ? EXIT_FAILED : EXIT_DONE;
}
