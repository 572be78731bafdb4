/* SPDX-License-Identifier: GPL-2.0-only */
/* The stall that held a reply up, or in which it was lost. */
#ifndef _IRQOFF_BLAME_H
#define _IRQOFF_BLAME_H

#include "cover.h"
#include "log_clock.h"
#include "slow.h"

struct blame {
	const struct suspect *suspect;	/* that held it longest; NULL: no stall met it */
	__u64 covered_ns;	/* of its time, by the stalls of the suspect's CPU, or of all */
	bool together;		/* it takes the stalls of several CPUs */
};

bool blame_wait(struct blame *blame, const struct suspects *suspects, const struct slow *slow,
		const struct log_clock *clock, struct cover_room *room);
bool blame_loss(struct blame *blame, const struct suspects *suspects, const struct slow *slow,
		const struct log_clock *clock, __u64 over_ns, struct cover_room *room);

#endif /* _IRQOFF_BLAME_H */
