/* SPDX-License-Identifier: GPL-2.0-only */
/* The stall that held a reply up, or in which it was lost. */
#ifndef _IRQOFF_BLAME_H
#define _IRQOFF_BLAME_H

#include <linux/types.h>
#include <stdbool.h>

#include "correlate/cover.h"
#include "correlate/log_clock.h"
#include "replies/slow.h"

unsigned int resend_second(__u64 excess_ns, bool linear);

struct blame {
	const struct candidate *suspect;	/* that held it longest; NULL: no stall met it */
	__u64 covered_ns;	/* of its time, by the stalls of the suspect's CPU, or of all */
	bool together;		/* it takes the stalls of several CPUs */
	bool probable;		/* lower bounds alone do not explain it */
	bool loss;		/* the packet was lost as the stall went on */
	unsigned int resent_s;	/* and sent again so many seconds later; 0: it was not */
};

/* what is known besides the stalls */
struct blaming {
	const struct candidates *suspects;
	const struct log_clock *clock;	/* of the log */
	__u64 over_ns;		/* a stall as long as that may overflow a queue */
	bool syn_linear;	/* SYNs are sent again as tcp_syn_linear_timeouts has it */
	struct cover_room room;	/* zeroed at first, for cover_room_free() */
};

bool blame_find(struct blame *blame, struct blaming *blaming, const struct slow *slow);
unsigned int blame_resent(const struct blaming *blaming, const struct slow *slow);

#endif /* _IRQOFF_BLAME_H */
