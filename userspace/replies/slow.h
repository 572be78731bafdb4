/* SPDX-License-Identifier: GPL-2.0-only */
/* The replies of a log that were slow or did not come, and those that came at once. */
#ifndef _IRQOFF_SLOW_H
#define _IRQOFF_SLOW_H

#include "replies/replies.h"

struct slow {
	const struct reply *reply;
	__u64 base_ns;		/* what its target needs as a rule; 0: not known */
	__u64 spread_ns;	/* and by how much more 95 of 100 replies need that are not slow */
	size_t train;		/* index of its train; of a lost reply none */
};

/* replies that one stall held up came at one moment, each the later the earlier it was due */
struct train {
	__u64 came_ns;		/* when the first one came */
	__u64 base_ns;
	__u64 need_ns;		/* of the one that waited longest: stalls have to cover that */
	size_t count;
};

struct slows {
	struct slow *all;	/* in the order in which they came, lost ones when they were sent */
	size_t count;
	struct train *trains;
	size_t ntrains;
	__u64 over_ns;
	__u64 from_ns, to_ns;	/* the time that the logs are about */
	bool base_known;	/* of each target some reply was not slow */
	bool requests;		/* there are some, to which tasks reply */
	bool packets;		/* there are some, to which the kernel replies */
};

void slows_find(struct slows *slows, const struct replies *replies, __u64 over_ns);
void slows_keep(struct slows *slows, const struct reply *from);
__u64 slow_excess_ns(const struct slow *slow);
__u64 slow_need_ns(const struct slow *slow);
void slows_free(struct slows *slows);

#endif /* _IRQOFF_SLOW_H */
