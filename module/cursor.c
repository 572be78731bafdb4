// SPDX-License-Identifier: GPL-2.0-only
#include <linux/cpumask.h>
#include <linux/mm.h>
#include <linux/slab.h>

#include "cpu.h"
#include "cursor.h"
#include "ring.h"

static struct tio_ring *ring_of(unsigned int cpu)
{
	/* pairs with tio_watch_prepare() */
	return smp_load_acquire(per_cpu_ptr(&tio_cpu.ring, cpu));
}

/**
 * tio_cursor_create() - a walk from the oldest records on, bounded by now
 *
 * Context: task, may sleep.
 * Return: the cursor, NULL without memory.
 */
struct tio_cursor *tio_cursor_create(void)
{
	struct tio_cursor *cursor;

	cursor = kvzalloc(sizeof(*cursor) + 2 * sizeof(u64) * nr_cpu_ids,
			  GFP_KERNEL);
	if (!cursor)
		return NULL;
	cursor->next = (u64 *)(cursor + 1);
	cursor->end = cursor->next + nr_cpu_ids;
	tio_cursor_rewind(cursor);
	return cursor;
}

/**
 * tio_cursor_destroy() - free a cursor
 * @cursor: the cursor or NULL
 */
void tio_cursor_destroy(struct tio_cursor *cursor)
{
	kvfree(cursor);
}

/**
 * tio_cursor_rewind() - begin anew, bounded by what is there now
 * @cursor: the cursor
 */
void tio_cursor_rewind(struct tio_cursor *cursor)
{
	unsigned int cpu;

	cursor->cpu = 0;
	cursor->now_ns = 0;
	cursor->open_hard_done = false;
	for_each_possible_cpu(cpu) {
		struct tio_ring *ring = ring_of(cpu);

		cursor->next[cpu] = 0;
		cursor->end[cpu] = ring ? tio_ring_produced(ring) : 0;
	}
}

/**
 * tio_cursor_again() - walk the same records once more
 * @cursor: the cursor
 */
void tio_cursor_again(struct tio_cursor *cursor)
{
	cursor->cpu = 0;
	memset(cursor->next, 0, nr_cpu_ids * sizeof(*cursor->next));
}

/**
 * tio_cursor_next() - copy the next ended record into the cursor
 * @cursor: the cursor
 *
 * Return: false when there is none left.
 */
bool tio_cursor_next(struct tio_cursor *cursor)
{
	for (; cursor->cpu < nr_cpu_ids;
	     cursor->cpu = cpumask_next(cursor->cpu, cpu_possible_mask)) {
		unsigned int cpu = cursor->cpu;

		if (cpu_possible(cpu) && cursor->end[cpu] &&
		    tio_ring_next(ring_of(cpu), &cursor->next[cpu],
				  cursor->end[cpu], &cursor->rec))
			return true;
	}
	return false;
}

/*
 * A CPU that is late for its beat by the threshold is in a hard stall, or is
 * not running at all; it cannot tell, but everybody can see it, and what others
 * asked it.
 */
static bool read_open_hard(struct tio_ring *ring, unsigned int cpu, u64 now_ns,
			   struct tio_record *rec)
{
	const struct tio_cpu *this = per_cpu_ptr(&tio_cpu, cpu);
	u64 due_ns = READ_ONCE(this->due_ns);
	u64 on_ns = tio_peek(this->stall.hard_on_ns);
	u64 threshold_ns = tio_peek(this->timing.threshold_ns);

	if (!READ_ONCE(this->armed) || now_ns < due_ns + threshold_ns)
		return false;
	memset(rec, 0, offsetof(struct tio_record, samples));
	rec->kind = TRACE_IRQOFF_KIND_HARD;
	rec->open = 1;
	rec->cpu = cpu;
	rec->end_ns = now_ns;
	rec->min_ns = now_ns - due_ns;
	rec->max_ns = now_ns - min(on_ns, due_ns);
	rec->threshold_ns = threshold_ns;
	rec->period_ns = tio_peek(this->timing.period_ns);
	tio_ring_read_caught(ring, due_ns, rec);
	/* the beat may just have run */
	return READ_ONCE(this->due_ns) == due_ns;
}

/**
 * tio_cursor_next_open() - copy the next open stall into the cursor
 * @cursor: the cursor, with tio_cursor_next() at its end
 *
 * Return: false when there is none left.
 */
bool tio_cursor_next_open(struct tio_cursor *cursor)
{
	if (!cursor->now_ns) {
		cursor->now_ns = ktime_get_ns();
		cursor->cpu = cpumask_first(cpu_possible_mask);
	}

	while (cursor->cpu < nr_cpu_ids) {
		struct tio_ring *ring = ring_of(cursor->cpu);

		if (ring && !cursor->open_hard_done) {
			cursor->open_hard_done = true;
			if (read_open_hard(ring, cursor->cpu, cursor->now_ns,
					   &cursor->rec))
				return true;
		}
		if (ring && tio_ring_read_open(ring, cursor->now_ns,
					       &cursor->rec)) {
			cursor->cpu = cpumask_next(cursor->cpu,
						   cpu_possible_mask);
			cursor->open_hard_done = false;
			return true;
		}
		cursor->cpu = cpumask_next(cursor->cpu, cpu_possible_mask);
		cursor->open_hard_done = false;
	}
	return false;
}
