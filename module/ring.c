// SPDX-License-Identifier: GPL-2.0-only
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/topology.h>
#include <linux/vmalloc.h>

#include "patience.h"
#include "ring.h"
#include "ring_memory.h"

/**
 * tio_slots_bytes() - memory of the slots of one ring
 * @records: number of slots
 *
 * Context: any.
 * Return: bytes.
 */
size_t tio_slots_bytes(u32 records)
{
	struct tio_slots *slots;

	return struct_size(slots, slot, records);
}

/**
 * tio_slots_create() - slots for a ring
 * @records: number of slots, at least 1
 *
 * kvmalloc() would try one piece first, of the next power of two: more than is accounted
 * for, and hard to find on a node whose memory is fragmented.
 *
 * Context: may sleep.
 * Return: the slots, to be freed by kvfree(); NULL without memory.
 */
struct tio_slots *tio_slots_create(u32 records)
{
	struct tio_slots *slots;
	u32 i;

	slots = __vmalloc(tio_slots_bytes(records), TIO_GFP | __GFP_ZERO);
	if (!slots)
		return NULL;
	slots->size = records;
	for (i = 0; i < records; i++)
		seqcount_init(&slots->slot[i].seqcount);
	return slots;
}

/**
 * tio_ring_create() - a ring without slots
 * @cpu: the CPU that will write it; the memory is of its node
 *
 * Context: may sleep.
 * Return: the ring, to be freed by kfree(); NULL without memory.
 */
struct tio_ring *tio_ring_create(unsigned int cpu)
{
	return kzalloc_node(sizeof(struct tio_ring), GFP_KERNEL, cpu_to_node(cpu));
}

/**
 * tio_ring_put() - give a ring its slots
 * @ring: a ring without slots
 * @slots: empty ones
 *
 * Context: nobody produces.
 */
void tio_ring_put(struct tio_ring *ring, struct tio_slots *slots)
{
	rcu_assign_pointer(ring->slots, slots);
}

/**
 * tio_ring_take() - drop all records, and take the slots away
 * @ring: the ring
 *
 * Context: the settings mutex; nobody produces.
 * Return: the slots, which readers use until a grace period has passed; NULL where
 * there were none.
 */
struct tio_slots *tio_ring_take(struct tio_ring *ring)
{
	struct tio_slots *slots = rcu_dereference_protected(ring->slots, 1);

	tio_ring_clear(ring);
	RCU_INIT_POINTER(ring->slots, NULL);
	return slots;
}

static struct tio_slot *slot_of(struct tio_slots *slots, u64 seq)
{
	return &slots->slot[seq % slots->size];
}

/* the next one to be written, by the CPU that has slots as long as it is watched */
static struct tio_slot *next_slot(struct tio_ring *ring)
{
	return slot_of(rcu_dereference_protected(ring->slots, 1), ring->produced);
}

/**
 * tio_ring_reserve() - begin the next record
 * @ring: the ring
 *
 * A full ring loses its oldest record. tio_ring_commit() must follow.
 *
 * Context: the ring's CPU, interrupts off.
 * Return: the record to fill, its number set and the rest stale.
 */
struct tio_record *tio_ring_reserve(struct tio_ring *ring)
{
	struct tio_slot *slot = next_slot(ring);

	raw_write_seqcount_begin(&slot->seqcount);
	slot->rec.seq = ring->produced;
	return &slot->rec;
}

/**
 * tio_ring_commit() - publish the reserved record
 * @ring: the ring
 *
 * Context: as tio_ring_reserve().
 */
void tio_ring_commit(struct tio_ring *ring)
{
	raw_write_seqcount_end(&next_slot(ring)->seqcount);
	/* pairs with tio_ring_produced(): the record before its number */
	smp_store_release(&ring->produced, ring->produced + 1);
}

/**
 * tio_ring_produced() - number of the next record
 * @ring: the ring
 *
 * Every smaller number is a finished record, kept or not.
 *
 * Context: any.
 * Return: the number.
 */
u64 tio_ring_produced(const struct tio_ring *ring)
{
	/* pairs with tio_ring_commit() */
	return smp_load_acquire(&ring->produced);
}

static struct tio_ring_index read_index(const struct tio_ring *ring, u32 size)
{
	struct tio_ring_index index = { .size = size };
	const struct tio_dropped *dropped;
	unsigned int drops;

	/* clearing writes the other copy: this one is whole unless it was cleared twice */
	do {
		/* pairs with tio_ring_clear() */
		drops = smp_load_acquire(&ring->drops);
		dropped = &ring->dropped[drops % 2];
		index.floor = READ_ONCE(dropped->floor);
		index.cleared = READ_ONCE(dropped->cleared);
		/* pairs with tio_ring_clear(), which counts before it writes this copy again */
		smp_rmb();
	} while (READ_ONCE(ring->drops) != drops);
	/* not before: nothing is cleared that was not produced */
	index.produced = tio_ring_produced(ring);
	return index;
}

/**
 * tio_ring_index() - what the ring holds at this moment
 * @ring: the ring
 *
 * Context: any.
 * Return: a copy of the index.
 */
struct tio_ring_index tio_ring_index(const struct tio_ring *ring)
{
	const struct tio_slots *slots;
	struct tio_ring_index index;

	rcu_read_lock();
	slots = rcu_dereference(ring->slots);
	index = read_index(ring, slots ? slots->size : 0);
	rcu_read_unlock();
	return index;
}

/**
 * tio_ring_clear() - drop all records kept
 * @ring: the ring
 *
 * Context: the settings mutex.
 */
void tio_ring_clear(struct tio_ring *ring)
{
	struct tio_ring_index index = tio_ring_index(ring);
	struct tio_dropped *other = &ring->dropped[(ring->drops + 1) % 2];

	tio_ring_drop(&index);
	WRITE_ONCE(other->cleared, index.cleared);
	WRITE_ONCE(other->floor, index.floor);
	/* pairs with read_index() */
	smp_store_release(&ring->drops, ring->drops + 1);
}

static void unfinished(struct tio_record *rec, u64 seq)
{
	memset(rec, 0, offsetof(struct tio_record, samples));
	memset(&rec->end, 0, sizeof(rec->end));
	rec->seq = seq;
	rec->busy = 1;
}

/* copies the slot, or gives up: the record is busy then */
static void copy_slot(const struct tio_slot *slot, u64 seq, struct tio_record *rec)
{
	unsigned int count;
	u64 end_ns = 0;

	do {
		if (!tio_read_begin(&slot->seqcount, &count, &end_ns)) {
			unfinished(rec, seq);
			return;
		}
		*rec = slot->rec;
	} while (read_seqcount_retry(&slot->seqcount, count));
}

/**
 * tio_ring_next() - copy the next record that is still kept
 * @ring: the ring
 * @seq: the number wanted; set to the number after the record that is copied
 * @end: only records below this number are copied
 * @rec: filled in; where the CPU has not finished writing for TIO_PATIENCE_NS it is
 *	busy, and has a number only
 *
 * Context: any but NMI.
 * Return: false when no record is left below @end.
 */
bool tio_ring_next(struct tio_ring *ring, u64 *seq, u64 end,
		   struct tio_record *rec)
{
	struct tio_slots *slots;
	bool found = false;

	rcu_read_lock();
	slots = rcu_dereference(ring->slots);
	/* pairs with tio_ring_put(): what was dropped before these slots came is known */
	smp_rmb();
	while (slots && !found) {
		struct tio_ring_index index = read_index(ring, slots->size);

		*seq = max(*seq, tio_ring_first(&index));
		if (*seq >= min(end, index.produced))
			break;
		copy_slot(slot_of(slots, *seq), *seq, rec);
		/* otherwise it was overwritten since the index was read */
		if (rec->seq == *seq) {
			++*seq;
			found = true;
		}
	}
	rcu_read_unlock();
	return found;
}
