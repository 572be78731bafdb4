/* SPDX-License-Identifier: GPL-2.0-only */
/* Was a node free of long stalls for a time? Says so only where nothing can have been missed. */
#ifndef _IRQOFF_ALIBI_H
#define _IRQOFF_ALIBI_H

#include "alibi/stall_index.h"
#include "judge/watched.h"
#include "model/filter.h"
#include "model/model.h"

enum alibi_verdict {
	ALIBI_NO_STALL,
	ALIBI_STALLED,
	ALIBI_CANNOT_TELL,
	ALIBI_VERDICTS
};

/* why nobody can tell */
enum alibi_gap {
	ALIBI_NO_GAP,
	ALIBI_DAMAGED,
	ALIBI_GROWING,		/* its counters are yet to be written */
	ALIBI_NO_CPU,		/* the machine has none of those that are named */
	ALIBI_UNWATCHED,	/* cpus */
	ALIBI_UNKNOWN,		/* an older module or reader, or watching never began */
	ALIBI_EARLY,		/* records are complete from at_ns on */
	ALIBI_LATE,		/* ... until at_ns */
	ALIBI_CLEARED,
	ALIBI_LOST,		/* count records */
	ALIBI_SHORT,		/* such stalls may have no record */
	ALIBI_SETTINGS,		/* cpu is watched by its settings since at_ns */
	ALIBI_BEHIND,		/* cpus */
	ALIBI_BUSY,		/* a record of cpu was being written */
	ALIBI_BOUNDS,		/* of entry lie on both sides of the length */
	ALIBI_NESTED,		/* entry may be a part of a stall that has no record */
	ALIBI_GAPS
};

/* what one time after another is asked of */
struct alibi_book {
	const struct model *model;
	const struct filter *filter;
	struct watched watched;
	struct stall_index stretches;
};

struct alibi {
	/* set by the caller */
	__u64 from_ns, to_ns;	/* the time, by the wall clock; to_ns may be ~0: until now */
	__u64 over_ns;		/* stalls as long as that; 0: the shortest that can be told */
	bool damaged;		/* not all of a capture could be read */
	const char *dev;	/* the device that the CPUs serve; NULL: none was named */
	const char *dev_how;	/* what tells which they are */

	enum alibi_verdict verdict;
	enum alibi_gap gap;
	char asked[256];	/* the CPUs that are asked about */
	char cpus[256];
	__u32 cpu;
	__u64 at_ns;		/* by the wall clock */
	__u64 count;
	__u64 shortest_ns;	/* a stall as long as that surely has a record; 0: not known */
	const struct entry *entry;
	const struct entry **stalls;	/* as long, in this time; by their ends */
	size_t nstalls;
};

void alibi_open(struct alibi_book *book, const struct model *model, const struct filter *filter);
void alibi_ask(struct alibi *alibi, const struct alibi_book *book);
void alibi_close(struct alibi_book *book);
const char *alibi_gap_word(enum alibi_gap gap);
void alibi_free(struct alibi *alibi);

#endif /* _IRQOFF_ALIBI_H */
