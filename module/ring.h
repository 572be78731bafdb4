/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The ring of a CPU's records. That CPU alone produces, with interrupts off. Any CPU
 * reads; readers do not consume. Each slot has a sequence count, so that a reader
 * sees a whole record or none.
 */
#ifndef _TIO_RING_H
#define _TIO_RING_H

#include <linux/seqlock.h>
#include "record.h"
#include "ring_index.h"

struct tio_slot {
	seqcount_t seqcount;
	struct tio_record rec;
};

struct tio_ring {
	struct tio_ring_index index;
	struct tio_slot slots[];
};

struct tio_ring *tio_ring_create(unsigned int cpu, u32 records);
void tio_ring_destroy(struct tio_ring *ring);
size_t tio_ring_bytes(u32 records);

struct tio_record *tio_ring_reserve(struct tio_ring *ring);
void tio_ring_commit(struct tio_ring *ring);

void tio_ring_clear(struct tio_ring *ring);
u64 tio_ring_produced(const struct tio_ring *ring);
struct tio_ring_index tio_ring_index(const struct tio_ring *ring);
bool tio_ring_next(struct tio_ring *ring, u64 *seq, u64 end,
		   struct tio_record *rec);

#endif /* _TIO_RING_H */
