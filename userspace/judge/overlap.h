/* SPDX-License-Identifier: GPL-2.0-only */
/* Of many stalls, the one of another CPU that overlaps most with a given one. */
#ifndef _IRQOFF_OVERLAP_H
#define _IRQOFF_OVERLAP_H

#include "model/model.h"

#define OVERLAP_NONE	(~(size_t)0)

struct overlap;

/* which stalls are meant, of those that are there */
struct overlap_wish {
	size_t from, to;	/* the first one, and the one behind the last, by their ends */
	__u32 not_cpu;
	__u64 len_ns;		/* they lasted that long at least */
	__u64 began_ns;		/* they had begun by then */
};

struct overlap *overlap_new(const struct model *model);
void overlap_set(struct overlap *overlap, size_t index, bool there);
size_t overlap_first(const struct overlap *overlap, const struct overlap_wish *wish);
size_t overlap_most(const struct overlap *overlap, const struct entry *entry, size_t from,
		    size_t to, __u64 least_ns);
void overlap_free(struct overlap *overlap);

#endif /* _IRQOFF_OVERLAP_H */
