/* SPDX-License-Identifier: GPL-2.0-only */
/* The stalls that may have held replies up, of all captures, by the wall clock. */
#ifndef _IRQOFF_CANDIDATES_H
#define _IRQOFF_CANDIDATES_H

#include "base/units.h"
#include "causes/causes.h"
#include "collect/collect.h"

struct candidate {
	unsigned int node;
	__u32 cpu;
	bool soft;
	__u64 end_ns;		/* an open stall's: when it was read */
	__u64 min_ns, max_ns;
	enum tio_class class;
	char name[UNITS_LEN];	/* of its record */
	char *culprit;		/* NULL: nobody can be blamed */
	char *lock;		/* "(waits for NAME)" where that is all there is; NULL otherwise */
	char *busy_in;		/* NULL: not known */
	char *behalf;		/* the task that the culprit ran for; NULL: none is known */
	const char *cause;	/* id of its known cause; NULL: none is known */
};

struct candidates {
	struct candidate *all;	/* by node, and then by their end */
	size_t count;
	size_t *firsts;		/* of each node's; one more behind the last one */
	unsigned int nnodes;
	__u64 longest_ns;	/* of all upper bounds */
};

void candidates_add(struct candidates *suspects, unsigned int node,
		    const struct collection *collection, const struct causes *causes,
		    const struct entry *entry);
void candidates_sort(struct candidates *suspects, unsigned int nnodes);
size_t candidates_from(const struct candidates *suspects, unsigned int node, __u64 end_ns);
void candidates_free(struct candidates *suspects);

#endif /* _IRQOFF_CANDIDATES_H */
