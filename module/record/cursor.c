// SPDX-License-Identifier: GPL-2.0-only
#include <linux/cpumask.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "arch/beneath.h"
#include "record/cursor.h"
#include "state/cpu.h"
#include "state/open_stall.h"
#include "state/ring.h"

/**
 * tio_cursor_create() - begin at the oldest records, bounded by what is there now
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
 *
 * Context: task.
 */
void tio_cursor_destroy(struct tio_cursor *cursor)
{
	kvfree(cursor);
}

/**
 * tio_cursor_rewind() - begin anew, bounded by what is there now
 * @cursor: the cursor
 *
 * Context: task.
 */
void tio_cursor_rewind(struct tio_cursor *cursor)
{
	unsigned int cpu;

	cursor->cpu = 0;
	cursor->now_ns = 0;
	cursor->open_hard_done = false;
	for_each_possible_cpu(cpu) {
		struct tio_ring *ring = tio_cpu_ring(cpu);

		cursor->next[cpu] = 0;
		cursor->end[cpu] = ring ? tio_ring_produced(ring) : 0;
	}
}

/**
 * tio_cursor_again() - walk over the same records once more
 * @cursor: the cursor
 *
 * Context: task.
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
 * Context: task.
 * Return: false when there is none left.
 */
bool tio_cursor_next(struct tio_cursor *cursor)
{
	for (; cursor->cpu < nr_cpu_ids;
	     cursor->cpu = cpumask_next(cursor->cpu, cpu_possible_mask)) {
		unsigned int cpu = cursor->cpu;

		if (cpu_possible(cpu) && cursor->end[cpu] &&
		    tio_ring_next(tio_cpu_ring(cpu), &cursor->next[cpu],
				  cursor->end[cpu], &cursor->rec)) {
			cursor->rec.cpu = cpu;
			return true;
		}
	}
	return false;
}

static bool read_open_hard(unsigned int cpu, const struct tio_open *open, u64 now_ns,
			   struct tio_record *rec)
{
	const struct tio_cpu *this = per_cpu_ptr(&tio_cpu, cpu);
	/* pairs with run() in beat_plan.c */
	bool watched = smp_load_acquire(&this->beat.mode) != TIO_BEAT_OFF;
	const struct tio_overdue beat = {
		.due_ns = READ_ONCE(this->beat.due_ns),
		.on_ns = tio_peek(this->stall.hard_on_ns),
		.threshold_ns = tio_peek(this->timing.threshold_ns),
		.period_ns = tio_peek(this->timing.period_ns),
	};

	if (!watched || !tio_open_read_hard(open, &beat, now_ns, rec))
		return false;
	/* the beat may just have run */
	return READ_ONCE(this->beat.due_ns) == beat.due_ns;
}

static bool read_open(unsigned int cpu, bool hard, u64 now_ns, struct tio_record *rec)
{
	const struct tio_open *open;
	bool found = false;

	rcu_read_lock();
	open = rcu_dereference(per_cpu(tio_cpu.open, cpu));
	if (open)
		found = hard ? read_open_hard(cpu, open, now_ns, rec) :
			       tio_open_read_soft(open, now_ns, rec);
	rcu_read_unlock();
	/* a busy one has no CPU */
	rec->cpu = cpu;
	rec->beneath = tio_beneath();
	return found;
}

/**
 * tio_cursor_next_open() - copy the next open stall into the cursor
 * @cursor: the cursor, with tio_cursor_next() at its end
 *
 * Context: task.
 * Return: false when there is none left.
 */
bool tio_cursor_next_open(struct tio_cursor *cursor)
{
	if (!cursor->now_ns) {
		cursor->now_ns = ktime_get_ns();
		cursor->cpu = cpumask_first(cpu_possible_mask);
	}

	while (cursor->cpu < nr_cpu_ids) {
		unsigned int cpu = cursor->cpu;
		bool hard = !cursor->open_hard_done;

		/* a CPU may have one of each; the next call goes on from here */
		cursor->open_hard_done = hard;
		if (!hard)
			cursor->cpu = cpumask_next(cpu, cpu_possible_mask);
		if (read_open(cpu, hard, cursor->now_ns, &cursor->rec))
			return true;
	}
	return false;
}

/**
 * tio_sweep_begin() - begin a walk in no order
 * @sweep: the walk
 * @since_ns: records that ended before are left out
 *
 * Context: task.
 */
void tio_sweep_begin(struct tio_sweep *sweep, u64 since_ns)
{
	sweep->cpu = cpumask_first(cpu_possible_mask);
	sweep->slot = 0;
	sweep->nopen = 0;
	sweep->since_ns = since_ns;
}

/* an open stall may be shorter than the threshold so far, and become a record later */
static bool next_open(struct tio_sweep *sweep)
{
	while (sweep->nopen < 2)
		if (read_open(sweep->cpu, !sweep->nopen++, S64_MAX, &sweep->rec))
			return true;
	return false;
}

/**
 * tio_sweep_next() - copy some other record or open stall
 * @sweep: the walk
 *
 * Context: task, may sleep.
 * Return: false when there is none left.
 */
bool tio_sweep_next(struct tio_sweep *sweep)
{
	while (sweep->cpu < nr_cpu_ids) {
		struct tio_ring *ring = tio_cpu_ring(sweep->cpu);

		if (ring && (next_open(sweep) ||
			     tio_ring_slot(ring, &sweep->slot, sweep->since_ns, &sweep->rec))) {
			cond_resched();
			return true;
		}
		sweep->cpu = cpumask_next(sweep->cpu, cpu_possible_mask);
		sweep->slot = 0;
		sweep->nopen = 0;
		cond_resched();
	}
	return false;
}
