/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A CPU's record ring. One producer: that CPU, with interrupts off. Any number
 * of readers on any CPU, which do not consume. Slots carry a sequence count,
 * so a reader sees a whole record or none.
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

/* a softirq stall that passed the threshold and has not ended */
struct tio_open_stall {
	seqcount_t seqcount;
	bool valid;
	u64 due_ns;
	u64 on_ns;
	struct tio_record rec;
};

/* looks at a hard stall that goes on, asked for by other CPUs; see asked.c */
struct tio_caught {
	seqcount_t seqcount;
	bool closed;		/* being copied: an NMI adds nothing */
	u64 id;
	unsigned int n;
	struct tio_sample samples[TIO_SAMPLES];
};

struct tio_ring {
	struct tio_ring_index index;
	struct tio_open_stall open;
	struct tio_caught caught;
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
void tio_ring_read_caught(struct tio_ring *ring, u64 id,
			  struct tio_record *rec);
bool tio_ring_read_open(struct tio_ring *ring, u64 now_ns,
			struct tio_record *rec);

#endif /* _TIO_RING_H */
