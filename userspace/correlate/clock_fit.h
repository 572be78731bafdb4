/* SPDX-License-Identifier: GPL-2.0-only */
/* By how much the clock of a log is ahead of that of captures, from what both say. */
#ifndef _IRQOFF_CLOCK_FIT_H
#define _IRQOFF_CLOCK_FIT_H

#include "correlate/candidates.h"
#include "replies/slow.h"

/* clocks that differ by more are not looked for; 5 s are promised, with rates at both ends */
#define CLOCK_FIT_REACH_NS	5500000000LL

enum clock_fit_state {
	CLOCK_FIT_NONE,		/* too few trains came behind stalls by one distance */
	CLOCK_FIT_AMBIGUOUS,	/* nearly as many did by another one */
	CLOCK_FIT_UNIQUE,
};

struct clock_fit {
	enum clock_fit_state state;
	__s64 offset_ns;	/* the log's clock is ahead by that at middle_ns */
	double drift;		/* seconds that it gains on the captures' in a second */
	__u64 middle_ns;	/* by the log's clock */
	__u64 error_ns;		/* of 100 logs, 95 are read right within that */
	size_t matched;		/* trains that fit */
	size_t rival;		/* trains that fit by the best other distance */
	size_t at_zero;		/* trains that fit where the clocks are taken as they are */
};

struct clock_search;

struct clock_search *clock_search(const struct candidates *suspects);
void clock_search_fit(struct clock_search *search, struct clock_fit *fit,
		      const struct train *trains, size_t ntrains, bool base_known);
void clock_search_free(struct clock_search *search);

#endif /* _IRQOFF_CLOCK_FIT_H */
