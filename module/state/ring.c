// SPDX-License-Identifier: GPL-2.0-only
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/timekeeping.h>
#include <linux/topology.h>

#include "compat/vmalloc.h"
#include "core/ring_memory.h"
#include "core/seq_read.h"
#include "state/ring.h"

/**
 * tio_slots_bytes() - memory of the slots of one ring
 * @records: how many records it keeps
 *
 * Context: any.
 * Return: bytes.
 */
size_t tio_slots_bytes(u32 records)
{
	struct tio_slots *slots;

	return struct_size(slots, slot, records + 1) +
	       (records + 1) * sizeof(struct tio_kept);
}

/**
 * tio_slots_create() - slots for a ring
 * @records: how many records it keeps, at least 1
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
	slots->kept = (struct tio_kept *)&slots->slot[records + 1];
	for (i = 0; i <= records; i++)
		seqcount_init(&slots->slot[i].seqcount);
	tio_retention_begin(&slots->keep, slots->kept, records);
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

/* records below it were cleared, or lost with the slots that they were in */
static u64 read_floor(const struct tio_ring *ring)
{
	/* pairs with tio_ring_clear(); an older floor only keeps for longer what was cleared */
	return READ_ONCE(ring->dropped[smp_load_acquire(&ring->drops) % 2].floor);
}

/* of the CPU that has slots as long as it is watched */
static struct tio_slots *own_slots(struct tio_ring *ring)
{
	return rcu_dereference_protected(ring->slots, 1);
}

/**
 * tio_ring_reserve() - begin the next record
 * @ring: the ring
 *
 * tio_ring_commit() must follow.
 *
 * Context: the ring's CPU, interrupts off.
 * Return: the record to fill, its number set and the rest stale.
 */
struct tio_record *tio_ring_reserve(struct tio_ring *ring)
{
	struct tio_slots *slots = own_slots(ring);
	struct tio_slot *slot = &slots->slot[slots->spare];

	raw_write_seqcount_begin(&slot->seqcount);
	slot->rec.seq = ring->produced;
	return &slot->rec;
}

/**
 * tio_ring_commit() - publish the reserved record
 * @ring: the ring
 * @rank: what it depends on for how long the record is kept
 *
 * A full ring loses another record (tio_retention_spare()).
 *
 * Context: as tio_ring_reserve().
 */
void tio_ring_commit(struct tio_ring *ring, const struct tio_retention_rank *rank)
{
	struct tio_slots *slots = own_slots(ring);
	u64 floor = read_floor(ring), seq = ring->produced;
	u32 slot = slots->spare;

	raw_write_seqcount_end(&slots->slot[slot].seqcount);
	tio_retention_hold(&slots->keep, slots->kept, floor, slot, seq, rank);
	/* pairs with find_slot(): the record before its number */
	smp_store_release(&slots->kept[slot].seq, seq);
	/* pairs with tio_ring_produced(): the record before its number */
	smp_store_release(&ring->produced, seq + 1);
	slots->spare = tio_retention_spare(&slots->keep, slots->kept, floor, slot);
	/* pairs with find_slot(): who misses a record finds it counted as lost */
	smp_store_release(&slots->kept[slots->spare].seq, TIO_NO_SEQ);
}

/**
 * tio_ring_amend() - tell a record what was stolen of its stall
 * @ring: the ring
 * @seq: the record's number; nothing is written where it is lost
 * @steal_ns: what was stolen
 *
 * The sequence count stays: nobody waits for this, and a reader sees the record without it
 * or with it.
 *
 * Context: as tio_ring_reserve().
 */
void tio_ring_amend(struct tio_ring *ring, u64 seq, u64 steal_ns)
{
	struct tio_slots *slots = own_slots(ring);
	u32 i;

	for (i = 0; i <= slots->size; i++) {
		if (slots->kept[i].seq == seq) {
			WRITE_ONCE(slots->slot[i].rec.steal, steal_ns + 1);
			return;
		}
	}
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
 * tio_ring_clear() - drop all records kept, and have stalls counted anew
 * @ring: the ring
 *
 * Context: the settings mutex.
 */
void tio_ring_clear(struct tio_ring *ring)
{
	struct tio_dropped *other = &ring->dropped[(ring->drops + 1) % 2];
	struct tio_ring_index index;
	unsigned long flags;

	/* a record that its CPU makes meanwhile stays, though its stall is forgotten: be quick */
	local_irq_save(flags);
	index = tio_ring_index(ring);
	tio_ring_drop(&index);
	WRITE_ONCE(other->cleared, index.cleared);
	WRITE_ONCE(other->floor, index.floor);
	WRITE_ONCE(other->at_ns, ktime_get_ns());
	/* pairs with read_index(), tio_ring_count() and tio_ring_counted() */
	smp_store_release(&ring->drops, ring->drops + 1);
	local_irq_restore(flags);
}

/**
 * tio_ring_count() - count how long a stall lasted
 * @ring: the ring of this CPU
 * @kind: what kind of stall it was
 * @ns: length in nanoseconds
 *
 * A stall that has a record is counted once the record is committed: who clears between the
 * two drops a record whose stall is counted still, which is better than the reverse.
 *
 * Context: interrupts off; not in NMIs.
 */
void tio_ring_count(struct tio_ring *ring, enum trace_irqoff_kind kind, u64 ns)
{
	/* pairs with tio_ring_clear() */
	tio_recent_add(&ring->recent, smp_load_acquire(&ring->drops), kind, ns);
}

/**
 * tio_ring_counted() - copy what was counted since records were dropped last
 * @ring: the ring
 * @copy: filled in; one of the fields may be a step ahead of another
 *
 * Context: any.
 * Return: when they were dropped, by ktime_get_ns(); 0: never.
 */
u64 tio_ring_counted(const struct tio_ring *ring, struct tio_recent *copy)
{
	unsigned int drops;
	u64 dropped_ns;

	do {
		/* pairs with tio_ring_clear() */
		drops = smp_load_acquire(&ring->drops);
		dropped_ns = READ_ONCE(ring->dropped[drops % 2].at_ns);
		tio_recent_read(&ring->recent, drops, copy);
		/* pairs with tio_ring_clear(), whose next one writes this time, and empty() */
		smp_rmb();
	} while (READ_ONCE(ring->drops) != drops);
	return dropped_ns;
}

/**
 * tio_ring_tracer() - how many of the records that are kept blame the tracer itself
 * @ring: the ring
 *
 * Context: any but NMI.
 * Return: the number; one that is lost meanwhile may be counted.
 */
u32 tio_ring_tracer(const struct tio_ring *ring)
{
	const struct tio_slots *slots;
	u32 number = 0, i;
	u64 floor;

	rcu_read_lock();
	slots = rcu_dereference(ring->slots);
	floor = read_floor(ring);
	for (i = 0; slots && i <= slots->size; i++) {
		/* pairs with tio_ring_commit() */
		u64 seq = smp_load_acquire(&slots->kept[i].seq);

		number += seq != TIO_NO_SEQ && seq >= floor &&
			  READ_ONCE(slots->kept[i].tracer);
	}
	rcu_read_unlock();
	return number;
}

/* the slot with the lowest number from @seq on, which is set to it; NULL: none below @end */
static const struct tio_slot *find_slot(const struct tio_slots *slots, u64 *seq, u64 end)
{
	const struct tio_slot *found = NULL;
	u32 i;

	for (i = 0; i <= slots->size; i++) {
		/* pairs with tio_ring_commit() */
		u64 number = smp_load_acquire(&slots->kept[i].seq);

		if (number >= *seq && number < end) {
			found = &slots->slot[i];
			end = number;
		}
	}
	if (found)
		*seq = end;
	return found;
}

/* copies a record; false where the slot has another one meanwhile, or is to have one */
static bool copy_slot(const struct tio_slot *slot, u64 seq, struct tio_record *rec)
{
	unsigned int count;
	u64 end_ns = 0;

	do {
		if (!tio_read_begin(&slot->seqcount, &count, &end_ns))
			return false;
		*rec = slot->rec;
		/* the one field that changes without the count: a copy may tear it */
		rec->steal = READ_ONCE(slot->rec.steal);
	} while (read_seqcount_retry(&slot->seqcount, count));
	return rec->seq == seq;
}

/**
 * tio_ring_next() - copy the next record that is still kept
 * @ring: the ring
 * @seq: the number wanted; set to the number after the record that is copied
 * @end: only records below this number are copied
 * @rec: filled in
 *
 * Only a record that the ring keeps is copied, and nobody writes to its slot. A record
 * that is lost meanwhile is passed over. That takes TIO_SEQ_READ_NS where the CPU is
 * stopped in the midst of writing the next one to the slot.
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
		const struct tio_slot *slot;

		*seq = max(*seq, read_floor(ring));
		slot = find_slot(slots, seq, end);
		if (!slot)
			break;
		found = copy_slot(slot, *seq, rec);
		++*seq;
	}
	rcu_read_unlock();
	return found;
}

/**
 * tio_ring_slot() - copy the record of the next slot that has one
 * @ring: the ring
 * @i: the slot to begin with; set to the one after
 * @since_ns: records that ended before are passed over
 * @rec: filled in
 *
 * Records stay in their slots, so those that were there before the first call are all
 * met, unless they are lost meanwhile. They come in no order.
 *
 * Context: any but NMI.
 * Return: false when no slot is left.
 */
bool tio_ring_slot(struct tio_ring *ring, u32 *i, u64 since_ns, struct tio_record *rec)
{
	struct tio_slots *slots;
	bool found = false;

	rcu_read_lock();
	slots = rcu_dereference(ring->slots);
	while (slots && !found && *i <= slots->size) {
		/* pairs with tio_ring_commit() */
		u64 seq = smp_load_acquire(&slots->kept[*i].seq);
		const struct tio_slot *slot = &slots->slot[(*i)++];
		/* a guess: copy_slot() finds out whether the record is still there */
		u64 end_ns = data_race(READ_ONCE(slot->rec.end_ns));

		if (seq != TIO_NO_SEQ && seq >= read_floor(ring) && end_ns >= since_ns)
			found = copy_slot(slot, seq, rec);
	}
	rcu_read_unlock();
	return found;
}
