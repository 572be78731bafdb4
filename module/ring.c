// SPDX-License-Identifier: GPL-2.0-only
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/topology.h>

#include "ring.h"

/**
 * tio_ring_bytes() - memory of one ring
 * @records: number of slots
 *
 * Context: any.
 * Return: bytes.
 */
size_t tio_ring_bytes(u32 records)
{
	struct tio_ring *ring;

	return struct_size(ring, slots, records);
}

/**
 * tio_ring_create() - an empty ring
 * @cpu: the CPU that will write it; the memory is of its node
 * @records: number of slots, at least 1
 *
 * Context: may sleep.
 * Return: the ring, NULL without memory.
 */
struct tio_ring *tio_ring_create(unsigned int cpu, u32 records)
{
	struct tio_ring *ring;
	u32 i;

	ring = kvzalloc_node(tio_ring_bytes(records), GFP_KERNEL,
			     cpu_to_node(cpu));
	if (!ring)
		return NULL;
	ring->index.size = records;
	for (i = 0; i < records; i++)
		seqcount_init(&ring->slots[i].seqcount);
	return ring;
}

/**
 * tio_ring_destroy() - free a ring
 * @ring: a ring without producer and readers, or NULL
 *
 * Context: task, may sleep.
 */
void tio_ring_destroy(struct tio_ring *ring)
{
	kvfree(ring);
}

static struct tio_slot *slot_of(struct tio_ring *ring, u64 seq)
{
	return &ring->slots[seq % ring->index.size];
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
	struct tio_slot *slot = slot_of(ring, ring->index.produced);

	raw_write_seqcount_begin(&slot->seqcount);
	slot->rec.seq = ring->index.produced;
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
	raw_write_seqcount_end(&slot_of(ring, ring->index.produced)->seqcount);
	/* pairs with tio_ring_produced(): the record before its number */
	smp_store_release(&ring->index.produced, ring->index.produced + 1);
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
	return smp_load_acquire(&ring->index.produced);
}

/**
 * tio_ring_index() - what the ring holds at this moment
 * @ring: the ring
 *
 * Context: the settings mutex, against tio_ring_clear().
 * Return: a copy of the index.
 */
struct tio_ring_index tio_ring_index(const struct tio_ring *ring)
{
	return (struct tio_ring_index) {
		.produced = tio_ring_produced(ring),
		.floor = READ_ONCE(ring->index.floor),
		.cleared = READ_ONCE(ring->index.cleared),
		.size = ring->index.size,
	};
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

	tio_ring_drop(&index);
	WRITE_ONCE(ring->index.cleared, index.cleared);
	WRITE_ONCE(ring->index.floor, index.floor);
}

/**
 * tio_ring_next() - copy the next record that is still kept
 * @ring: the ring
 * @seq: the number wanted; set to the number after the record that is copied
 * @end: only records below this number are copied
 * @rec: filled in
 *
 * Context: any but NMI.
 * Return: false when no record is left below @end.
 */
bool tio_ring_next(struct tio_ring *ring, u64 *seq, u64 end,
		   struct tio_record *rec)
{
	for (;;) {
		struct tio_ring_index index = {
			.produced = tio_ring_produced(ring),
			.floor = READ_ONCE(ring->index.floor),
			.size = ring->index.size,
		};
		struct tio_slot *slot;
		unsigned int count;

		*seq = max(*seq, tio_ring_first(&index));
		if (*seq >= min(end, index.produced))
			return false;

		slot = slot_of(ring, *seq);
		do {
			count = read_seqcount_begin(&slot->seqcount);
			*rec = slot->rec;
		} while (read_seqcount_retry(&slot->seqcount, count));

		/* otherwise it was overwritten since the index was read */
		if (rec->seq == *seq) {
			++*seq;
			return true;
		}
	}
}
