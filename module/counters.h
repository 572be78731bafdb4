/* SPDX-License-Identifier: GPL-2.0-only */
/* What a CPU counts, and the one way for others to read it. */
#ifndef _TIO_COUNTERS_H
#define _TIO_COUNTERS_H

#include <linux/types.h>

#include "histogram.h"

/* all of them only grow; the CPU itself writes them, with interrupts off */
struct tio_counters {
	u64 beats;
	u64 samples;		/* stacks taken while a stall was going on */
	u64 cost_ns;		/* time spent in cost_beats of the beats */
	u64 cost_beats;
	struct tio_histogram hard;
	struct tio_histogram soft;
};

bool tio_counters_watched(unsigned int cpu);
void tio_counters_read(unsigned int cpu, struct tio_counters *copy);

#endif /* _TIO_COUNTERS_H */
