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
 * @records: its size
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
	seqcount_init(&ring->open.seqcount);
	seqcount_init(&ring->caught.seqcount);
	for (i = 0; i < records; i++)
		seqcount_init(&ring->slots[i].seqcount);
	return ring;
}

/**
 * tio_ring_destroy() - free a ring
 * @ring: a ring without producer and readers, or NULL
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
 * The oldest record is given up when the ring is full. Must be followed by
 * tio_ring_commit().
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
 * @seq: the number wanted; set to the number after the one copied
 * @end: stop before this one
 * @rec: filled in
 *
 * Return: false when there is none left below @end.
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

		/* else it was overwritten since the index was read */
		if (rec->seq == *seq) {
			++*seq;
			return true;
		}
	}
}

/**
 * tio_ring_read_caught() - copy the looks that were taken at a hard stall so far
 * @ring: the ring
 * @id: the stall
 * @rec: its samples are filled in
 */
void tio_ring_read_caught(struct tio_ring *ring, u64 id,
			  struct tio_record *rec)
{
	struct tio_caught *caught = &ring->caught;
	unsigned int count, n;

	do {
		count = read_seqcount_begin(&caught->seqcount);
		n = READ_ONCE(caught->id) == id ? READ_ONCE(caught->n) : 0;
		memcpy(rec->samples, caught->samples,
		       n * sizeof(rec->samples[0]));
	} while (read_seqcount_retry(&caught->seqcount, count));
	rec->nsamples = n;
}

/**
 * tio_ring_read_open() - copy the stall that has not ended yet
 * @ring: the ring
 * @now_ns: now, CLOCK_MONOTONIC; the stall's end so far
 * @rec: filled in
 *
 * Return: false when there is none, or it was opened after @now_ns.
 */
bool tio_ring_read_open(struct tio_ring *ring, u64 now_ns,
			struct tio_record *rec)
{
	struct tio_open_stall *open = &ring->open;
	unsigned int count;
	u64 due_ns, on_ns;
	bool valid;

	do {
		count = read_seqcount_begin(&open->seqcount);
		valid = open->valid;
		due_ns = open->due_ns;
		on_ns = open->on_ns;
		*rec = open->rec;
	} while (read_seqcount_retry(&open->seqcount, count));

	if (!valid || now_ns < due_ns)
		return false;
	rec->open = 1;
	rec->end_ns = now_ns;
	rec->min_ns = now_ns - due_ns;
	rec->max_ns = now_ns - on_ns;
	return true;
}
