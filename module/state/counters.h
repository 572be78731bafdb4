/* SPDX-License-Identifier: GPL-2.0-only */
/* What a CPU counts, and the one way for others to read it. */
#ifndef _TIO_COUNTERS_H
#define _TIO_COUNTERS_H

#include <linux/types.h>

#include "core/histogram.h"
#include "core/stall.h"

/* all of them but cost_ppm only grow; the CPU itself writes them, with interrupts off */
struct tio_counters {
	u64 beats;
	u64 samples;		/* stacks taken while a stall was going on */
	u64 cost_ns;		/* time spent in cost_beats of the beats */
	u64 cost_beats;
	/* only in copies: the CPUs that send to this one count them (tio_nmi_request) */
	u64 nmi_refused;
	u64 nmi_lost;
	u32 cost_ppm;		/* not a count: the cost in the last window of tio_cost */
	struct tio_histogram hard;
	struct tio_histogram soft;
};

/* how a CPU has been watched since a moment */
struct tio_settled {
	u64 since_ns;
	struct tio_timing timing;
};

bool tio_counters_watched(unsigned int cpu);
u64 tio_counters_watched_ns(unsigned int cpu);
bool tio_counters_settled(unsigned int cpu, struct tio_settled *settled);
void tio_counters_read(unsigned int cpu, struct tio_counters *copy);

#endif /* _TIO_COUNTERS_H */
