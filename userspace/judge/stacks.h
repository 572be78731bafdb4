/* SPDX-License-Identifier: GPL-2.0-only */
/* The stacks of stalls, merged from the outermost call inwards. */
#ifndef _IRQOFF_STACKS_H
#define _IRQOFF_STACKS_H

#include "model/model.h"
#include "names/symbols.h"

/* a function where it was called from the same functions; the root has no name */
struct branch {
	const char *function;	/* in the pool of the stacks */
	__u64 total_ns;		/* of stalls that were seen in it */
	__u64 count;		/* of these stalls */
	const struct entry *newest;	/* the one counted last */
	struct branch *calls;	/* what it called, the longest total first */
	size_t ncalls;
};

struct stacks {
	struct pool *pool;
	struct branch root;
};

void stacks_merge(struct stacks *stacks, const struct symbols *symbols, const struct model *model);
void stacks_free(struct stacks *stacks);

#endif /* _IRQOFF_STACKS_H */
