// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the kinds spend their time in: functions that are everybody's, as in real code.
 * So the innermost function of a stack never says which kind of stall it is. The clock is
 * read again and again, so the true length is known however often a stall is interrupted.
 */
#include <linux/moduleparam.h>
#include <linux/processor.h>

#include "kinds.h"

static uint noops = 2000;
module_param(noops, uint, 0444);
MODULE_PARM_DESC(noops, "no-ops between two readings of the clock, a multiple of 100");

/*
 * Between two readings of the clock. An emulator takes several times as long for
 * cpu_relax() and the clock as a CPU would, and hardly any time for these.
 */
static __always_inline void do_noops(void)
{
	uint i;

	for (i = 0; i < noops / 100; i++)
		asm volatile(".rept 100\n\tnop\n\t.endr");
}

/**
 * busy_work() - keep the CPU busy
 * @span: gets the time that it took; goes on where it is one already
 * @length_ns: how long
 */
noinline void busy_work(struct span *span, u64 length_ns)
{
	u64 from_ns = clock();
	u64 gap_ns;

	if (!span->from_ns)
		span->from_ns = from_ns;
	span->to_ns = from_ns;
	do {
		do_noops();
		cpu_relax();
		gap_ns = clock() - span->to_ns;
		span->to_ns += gap_ns;
		if (gap_ns > result.gap_ns)
			result.gap_ns = gap_ns;
		if (gap_ns >= GAP_NS)
			result.gaps_ns += gap_ns;
	} while (span->to_ns - from_ns < length_ns);
	section_end("busy_work");
}

/**
 * busy_parts() - keep the CPU busy in two calls, one deeper, of a quarter and of the rest
 * @span: as above
 * @length_ns: how long
 */
noinline void busy_parts(struct span *span, u64 length_ns)
{
	busy_work(span, length_ns / 4);
	busy_work(span, length_ns - length_ns / 4);
	section_end("busy_parts");
}
