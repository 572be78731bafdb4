// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "base/lower_bound.h"
#include "base/say.h"
#include "judge/same_lock.h"
#include "names/lock_name.h"

/**
 * same_lock_waits() - does a stall wait for the lock that a sample waits for?
 * @entry: a stall
 * @as: the sample, of another stall
 * @at_ns: at this moment
 *
 * Its state then is that of the last sample taken by then, or else of the first one.
 */
bool same_lock_waits(const struct entry *entry, const struct tio_sample *as, __u64 at_ns)
{
	unsigned int i = entry->rec.nsamples;

	if (!i || !lock_known(as))
		return false;
	for (i--; i && entry_sampled_ns(entry, i) > at_ns; i--)
		;
	return lock_same(entry_sample(entry, i), as);
}

static int compare_locks(const struct tio_sample *left, const struct tio_sample *right)
{
	if (left->lock != right->lock)
		return left->lock < right->lock ? -1 : 1;
	return (left->lock_cpu > right->lock_cpu) - (left->lock_cpu < right->lock_cpu);
}

static int by_lock(const void *a, const void *b)
{
	const struct lock_wait *left = a, *right = b;
	int order = compare_locks(left->sample, right->sample);

	if (order)
		return order;
	return (left->from_ns > right->from_ns) - (left->from_ns < right->from_ns);
}

/* may @wait be for what @linked waits for? At a moment both wait, and the holder has the lock. */
static bool fits(const struct lock_wait *wait, const struct lock_wait *linked)
{
	const struct entry *holder = linked->entry->found.holder;
	__u64 both_ns = wait->from_ns > linked->from_ns ? wait->from_ns : linked->from_ns;

	return linked->to_ns >= wait->from_ns && holder->rec.cpu != wait->entry->rec.cpu &&
	       entry_start_ns(holder) <= both_ns && both_ns <= holder->rec.end_ns;
}

/* of one lock, in the order of their begins */
static void share(struct lock_wait *waits, size_t count)
{
	/* of the linked ones up to each, the one that waited until last */
	const struct lock_wait **last = alloc(count, sizeof(*last));

	for (size_t i = 0; i < count; i++) {
		last[i] = i ? last[i - 1] : NULL;
		if (waits[i].entry->found.holder &&
		    (!last[i] || waits[i].to_ns >= last[i]->to_ns))
			last[i] = &waits[i];
	}
	for (size_t i = 0; i < count; i++) {
		const struct lock_wait *linked;
		size_t begun;

		if (waits[i].entry->found.holder)
			continue;
		begun = lower_bound(i, count, k, waits[k].from_ns <= waits[i].to_ns);
		linked = last[begun - 1];
		/* one that was linked here is not among those that @last has */
		if (linked && fits(&waits[i], linked))
			waits[i].entry->found.holder = linked->entry->found.holder;
	}
	free(last);
}

/**
 * same_lock_share() - what one waits for, all wait for that want the same lock then
 * @waits: all waits of which the lock is known; are sorted
 * @count: how many there are
 *
 * Those without a holder get that of another one.
 */
void same_lock_share(struct lock_wait *waits, size_t count)
{
	size_t from = 0;

	if (count)
		qsort(waits, count, sizeof(*waits), by_lock);
	for (size_t i = 1; i <= count; i++) {
		if (i < count && !compare_locks(waits[i].sample, waits[from].sample))
			continue;
		share(waits + from, i - from);
		from = i;
	}
}
