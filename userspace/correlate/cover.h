/* SPDX-License-Identifier: GPL-2.0-only */
/* How much of a wait the stalls of a node cover. */
#ifndef _IRQOFF_COVER_H
#define _IRQOFF_COVER_H

#include "correlate/candidates.h"

/* a stall's part of a wait */
struct piece {
	const struct candidate *suspect;
	__u64 from_ns, to_ns;
	__u64 sure_ns;		/* surely from then on, by its lower bound */
};

/* room that one search after another uses */
struct cover_room {
	struct piece *pieces;
	size_t count;
	size_t room;
};

struct cover {
	__u64 one_ns;		/* by the stalls of the CPU whose stalls cover most */
	__u64 all_ns;		/* by those of all CPUs */
	__u64 sure_ns;		/* likewise, and by their lower bounds */
	const struct candidate *longest;	/* that covers most, of that CPU; NULL: none */
};

void cover_find(struct cover *cover, const struct candidates *suspects, unsigned int node,
		__u64 from_ns, __u64 to_ns, struct cover_room *room);
const struct candidate *cover_moment(const struct candidates *suspects, unsigned int node,
				     __u64 from_ns, __u64 to_ns);
void cover_room_free(struct cover_room *room);

#endif /* _IRQOFF_COVER_H */
