/* SPDX-License-Identifier: GPL-2.0-only */
/* What the stalls of a culprit cost, as bounds that may be added up. */
#ifndef _IRQOFF_GROUP_COST_H
#define _IRQOFF_GROUP_COST_H

#include "model/model.h"

/* the true time lies between them */
struct bounds {
	__u64 min_ns;
	__u64 max_ns;
};

/* time of CPUs, each nanosecond of a CPU in one of these */
struct cost {
	struct bounds own;	/* of its own stalls, without nested ones */
	struct bounds proved;	/* of its victims */
	struct bounds probable;	/* of victims whose link is not proved */
};

void cost_add(struct cost *cost, const struct entry *entry);
struct bounds cost_sum(const struct cost *cost);

#endif /* _IRQOFF_GROUP_COST_H */
