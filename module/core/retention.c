// SPDX-License-Identifier: GPL-2.0-only
#include <linux/compiler.h>
#include <linux/kernel.h>

#include "core/retention.h"

/**
 * tio_retention_begin() - nothing is kept yet
 * @keep: what is held
 * @kept: @size + 1 slots
 * @size: how many records the ring keeps at most
 *
 * Context: any; nobody reads or writes the ring yet.
 */
void tio_retention_begin(struct tio_retention *keep, struct tio_kept *kept, __u32 size)
{
	u32 i;

	keep->size = size;
	for (i = 0; i < TIO_CLASSES; i++)
		keep->longest[i].seq = TIO_NO_SEQ;
	for (i = 0; i < TIO_RETENTION_KEYS; i++)
		keep->newest[i].seq = TIO_NO_SEQ;
	for (i = 0; i <= size; i++)
		kept[i] = (struct tio_kept){ .seq = TIO_NO_SEQ };
}

/* is there such a record, and has it not been cleared? */
static bool is_there(__u64 seq, __u64 floor)
{
	return seq != TIO_NO_SEQ && seq >= floor;
}

/* its slot may have another record by now */
static bool is_held(const struct tio_held *held, const struct tio_kept *kept, __u64 floor)
{
	return is_there(held->seq, floor) && kept[held->slot].seq == held->seq;
}

static void hold(struct tio_held *held, struct tio_kept *kept, __u64 floor, __u32 slot,
		 __u64 seq, __u64 value)
{
	if (is_held(held, kept, floor))
		kept[held->slot].held--;
	*held = (struct tio_held){ .seq = seq, .value = value, .slot = slot };
	kept[slot].held++;
}

/* the place of a key: its own one, else one that is free, else the one that is oldest */
static struct tio_held *place_of(struct tio_retention *keep, const struct tio_kept *kept,
				 __u64 floor, __u64 key)
{
	u32 keys = min((u32)TIO_RETENTION_KEYS, keep->size / TIO_RETENTION_SLOTS), i;
	struct tio_held *oldest = &keep->newest[0], *free = NULL;

	for (i = 0; i < keys; i++) {
		struct tio_held *held = &keep->newest[i];

		if (!is_held(held, kept, floor))
			free = held;
		else if (held->value == key)
			return held;
		else if (held->seq < oldest->seq)
			oldest = held;
	}
	return free ?: oldest;
}

/**
 * tio_retention_hold() - a record has been written: may it be the longest, or the newest?
 * @keep: what is held
 * @kept: the slots
 * @floor: records below this number were cleared
 * @slot: where the record is
 * @seq: its number
 * @rank: what it is
 *
 * Context: the CPU that writes the ring, interrupts off.
 */
void tio_retention_hold(struct tio_retention *keep, struct tio_kept *kept, __u64 floor, __u32 slot,
			__u64 seq, const struct tio_retention_rank *rank)
{
	struct tio_held *longest = &keep->longest[rank->class];

	kept[slot].class = rank->class;
	/* a reader may count (tio_ring_tracer()) */
	WRITE_ONCE(kept[slot].tracer, rank->tracer);
	kept[slot].held = 0;
	if (keep->size < TIO_RETENTION_LEAST)
		return;
	if (!is_held(longest, kept, floor) || rank->min_ns >= longest->value)
		hold(longest, kept, floor, slot, seq, rank->min_ns);
	if (rank->key)
		hold(place_of(keep, kept, floor, rank->key), kept, floor, slot, seq, rank->key);
}

static bool doubtful(const struct tio_kept *kept)
{
	return !tio_class_blames(kept->class);
}

/**
 * tio_retention_spare() - the slot that is to be written next
 * @keep: what is held
 * @kept: the slots
 * @floor: records below this number were cleared
 * @slot: the slot that was written last
 *
 * One that has no record; otherwise the oldest of those that blame nobody where these
 * are too many; otherwise the oldest that is not held. The newest record always stays.
 *
 * Context: as tio_retention_hold(), which has been called for @slot.
 * Return: the slot. Its record, if it has one, is lost.
 */
__u32 tio_retention_spare(const struct tio_retention *keep, const struct tio_kept *kept,
			  __u64 floor, __u32 slot)
{
	u32 number = doubtful(&kept[slot]), oldest = slot, free = slot, worst = slot, i;

	for (i = 0; i <= keep->size; i++) {
		if (i == slot)
			continue;
		if (!is_there(kept[i].seq, floor))
			return i;
		if (oldest == slot || kept[i].seq < kept[oldest].seq)
			oldest = i;
		number += doubtful(&kept[i]);
		if (kept[i].held)
			continue;
		if (free == slot || kept[i].seq < kept[free].seq)
			free = i;
		if (doubtful(&kept[i]) && (worst == slot || kept[i].seq < kept[worst].seq))
			worst = i;
	}
	if (keep->size >= TIO_RETENTION_LEAST && number > keep->size / TIO_RETENTION_DOUBTFUL &&
	    worst != slot)
		return worst;
	return free != slot ? free : oldest;
}
