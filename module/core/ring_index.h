/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which records a ring still holds. Pure. A record's number is its place in
 * the order of production, so three numbers say everything:
 * produced = kept + lost + cleared.
 */
#ifndef _TIO_RING_INDEX_H
#define _TIO_RING_INDEX_H

#include <linux/types.h>

struct tio_ring_index {
	__u64 produced;		/* number of the next record */
	__u64 floor;		/* records below were cleared, or lost before */
	__u64 cleared;		/* dropped by clearing */
	__u32 size;		/* slots */
};

/* number of the oldest record still kept */
static inline __u64 tio_ring_first(const struct tio_ring_index *index)
{
	__u64 first = index->produced > index->size ?
		      index->produced - index->size : 0;

	return first > index->floor ? first : index->floor;
}

static inline __u64 tio_ring_kept(const struct tio_ring_index *index)
{
	return index->produced - tio_ring_first(index);
}

static inline __u64 tio_ring_lost(const struct tio_ring_index *index)
{
	return tio_ring_first(index) - index->cleared;
}

/* of those lost, the ones before records were cleared last: the floor was raised then */
static inline __u64 tio_ring_lost_before(const struct tio_ring_index *index)
{
	return index->floor - index->cleared;
}

static inline void tio_ring_drop(struct tio_ring_index *index)
{
	index->cleared += tio_ring_kept(index);
	index->floor = index->produced;
}

#endif /* _TIO_RING_INDEX_H */
