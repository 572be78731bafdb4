/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The ring of a CPU's records. That CPU alone produces, with interrupts off. Any CPU
 * reads; readers do not consume. Each slot has a sequence count, so that a reader
 * sees a whole record or none.
 */
#ifndef _TIO_RING_H
#define _TIO_RING_H

#include <linux/rcupdate.h>
#include <linux/seqlock.h>
#include "core/record.h"
#include "core/retention.h"
#include "core/ring_index.h"
#include "state/recent.h"

struct tio_slot {
	seqcount_t seqcount;
	struct tio_record rec;
};

/* one slot more than records are kept: it is written while all of them can be read */
struct tio_slots {
	struct rcu_head rcu;
	u32 size;		/* records kept at most */
	u32 spare;		/* the slot that is written next */
	struct tio_retention keep;
	struct tio_kept *kept;	/* of each slot; behind the last one */
	struct tio_slot slot[];
};

/* what clearing has dropped, see struct tio_ring_index */
struct tio_dropped {
	u64 floor;
	u64 cleared;
	u64 at_ns;		/* when that was, by ktime_get_ns() */
};

/*
 * The numbers of a CPU's records, and how long its stalls lasted. They outlive the slots,
 * which can be given back and allocated anew.
 */
struct tio_ring {
	u64 produced;
	unsigned int drops;	/* the state in force is dropped[drops % 2] */
	struct tio_dropped dropped[2];
	struct tio_recent recent;
	struct tio_slots __rcu *slots;
};

struct tio_ring *tio_ring_create(unsigned int cpu);
struct tio_slots *tio_slots_create(u32 records);
size_t tio_slots_bytes(u32 records);

void tio_ring_put(struct tio_ring *ring, struct tio_slots *slots);
struct tio_slots *tio_ring_take(struct tio_ring *ring);

struct tio_record *tio_ring_reserve(struct tio_ring *ring);
void tio_ring_commit(struct tio_ring *ring, const struct tio_retention_rank *rank);

void tio_ring_amend(struct tio_ring *ring, u64 seq, u64 steal_ns);

void tio_ring_clear(struct tio_ring *ring);
void tio_ring_count(struct tio_ring *ring, enum trace_irqoff_kind kind, u64 ns);
u64 tio_ring_counted(const struct tio_ring *ring, struct tio_recent *copy);
u64 tio_ring_produced(const struct tio_ring *ring);
struct tio_ring_index tio_ring_index(const struct tio_ring *ring);
u32 tio_ring_tracer(const struct tio_ring *ring);
bool tio_ring_next(struct tio_ring *ring, u64 *seq, u64 end,
		   struct tio_record *rec);
bool tio_ring_slot(struct tio_ring *ring, u32 *i, u64 since_ns, struct tio_record *rec);

#endif /* _TIO_RING_H */
