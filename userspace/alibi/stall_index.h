/* SPDX-License-Identifier: GPL-2.0-only */
/* What records say of when CPUs were stalled, to be looked up by time. */
#ifndef _IRQOFF_STALL_INDEX_H
#define _IRQOFF_STALL_INDEX_H

#include "model/filter.h"
#include "model/model.h"

/* what a record says of when a CPU was stalled */
struct stretch {
	const struct entry *entry;
	__u64 from_ns;		/* at the earliest */
	__u64 to_ns;
	__u64 reach_ns;		/* the latest end of the CPU's stretches up to this one */
	bool hidden;		/* lies in a softirq stall that has a record */
};

struct stall_index {
	struct stretch *all;	/* by CPU, and then by their begin */
	size_t count;
	__u64 longest_ns;
};

/* those of one CPU */
struct lane {
	const struct stretch *first, *behind;
};

void stall_index_find(struct stall_index *stretches, const struct model *model,
		      const struct filter *filter);
bool lane_next(const struct stall_index *stretches, struct lane *lane);
const struct stretch *lane_from(const struct stall_index *stretches, const struct lane *lane,
				__u64 from_ns);
const struct stretch *lane_row(const struct stall_index *stretches, const struct lane *lane,
			       __u64 from_ns, __u64 apart_ns);
void stall_index_free(struct stall_index *stretches);

#endif /* _IRQOFF_STALL_INDEX_H */
