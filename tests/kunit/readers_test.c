// SPDX-License-Identifier: GPL-2.0-only
/*
 * Concurrent use of the ring: one CPU produces with interrupts off, readers run on
 * any CPU, and one thread clears.
 */
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/irqflags.h>
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/kthread.h>
#include <linux/math64.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "pattern.h"
#include "suite.h"

#define SLOTS		5	/* few, so that readers are overtaken */
#define READERS		3
/* minimums that show that all sides met; the time that takes depends on the machine */
#define READ_ENOUGH	2000
#define SKIPPED_ENOUGH	200
#define CLEARED_ENOUGH	20
#define COUNTS_CLEARED	2000
#define GIVE_UP_S	120

struct run;

struct reader {
	struct run *run;
	struct task_struct *task;
	struct tio_record rec;
	struct tio_recent recent[2];	/* the last reading, and the one before */
	u64 read;
	u64 skipped;	/* sequence numbers skipped */
	u64 unfounded;	/* skips of records that the ring still had */
	u64 disorder;
	u64 torn;
	u64 open_read;
	u64 open_torn;
};

struct run {
	struct tio_ring *ring;
	struct tio_open *open;
	struct task_struct *producer;
	struct tio_record rec;
	struct tio_recent recent;
	u64 made;	/* the producer's own count */
	u64 misnumbered;
	struct reader readers[READERS];
};

/* after the producer has stopped: the newest records have no gap and are whole */
static u64 count_kept(struct kunit *test, u64 kept)
{
	struct run *run = test->priv;
	u64 seq = 0, n = 0;

	while (tio_ring_next(run->ring, &seq, U64_MAX, &run->rec)) {
		EXPECT_NUM(test, run->rec.seq, run->made - kept + n);
		KUNIT_EXPECT_TRUE(test, whole(&run->rec));
		n++;
	}
	return n;
}

static int producer(void *data)
{
	struct run *run = data;

	while (!kthread_should_stop()) {
		const struct tio_retention_rank rank = { };
		unsigned int burst = 50;

		while (burst--) {
			struct tio_record *rec;
			unsigned long flags;

			local_irq_save(flags);
			rec = tio_ring_reserve(run->ring);
			if (rec->seq != run->made)
				run->misnumbered++;
			fill(rec, run->made);
			tio_ring_commit(run->ring, &rank);
			tio_ring_count(run->ring, TRACE_IRQOFF_KIND_HARD, MS);
			run->made++;
			/*
			 * One that is kept, which readers may be copying, and one that is
			 * lost, unless it was cleared: then its slot may keep it for longer.
			 */
			tio_ring_amend(run->ring, run->made - 2, steal(run->made - 2));
			tio_ring_amend(run->ring, run->made - 2 * SLOTS,
				       steal(run->made - 2 * SLOTS));
			local_irq_restore(flags);
			write_open(run->open, run->made, run->made % 4);
		}
		cond_resched();
	}
	return 0;
}

static void read_one(struct reader *reader, u64 *next)
{
	struct tio_ring *ring = reader->run->ring;
	u64 seq = *next, end = tio_ring_produced(ring), got;
	struct tio_ring_index index;

	if (!tio_ring_next(ring, &seq, end, &reader->rec))
		return;
	got = reader->rec.seq;
	WRITE_ONCE(reader->read, reader->read + 1);
	/* busy: a host took the producer's CPU away while it wrote */
	if (!reader->rec.busy && !whole(&reader->rec))
		reader->torn++;
	if (got < *next || got >= end || seq != got + 1)
		reader->disorder++;
	if (got > *next) {
		WRITE_ONCE(reader->skipped, reader->skipped + got - *next);
		/* the number of the oldest kept record only grows */
		index = tio_ring_index(ring);
		if (tio_ring_first(&index) < got)
			reader->unfounded++;
	}
	*next = seq;
}

static void read_open(struct reader *reader)
{
	struct tio_record *rec = &reader->rec;

	if (!tio_open_read_soft(reader->run->open, U64_MAX, rec) || rec->busy)
		return;
	WRITE_ONCE(reader->open_read, reader->open_read + 1);
	if (rec->max_ns - rec->min_ns != 10 || !whole_samples(rec, U64_MAX - rec->max_ns))
		reader->open_torn++;
}

static int read_on(void *data)
{
	struct reader *reader = data;
	u64 next = 0;

	while (!kthread_should_stop()) {
		unsigned int burst = 50;

		while (burst--)
			read_one(reader, &next);
		read_open(reader);
		cond_resched();
	}
	return 0;
}

static bool met_enough(const struct run *run, u64 cleared)
{
	unsigned int i;

	for (i = 0; i < READERS; i++) {
		const struct reader *reader = &run->readers[i];

		if (READ_ONCE(reader->read) < READ_ENOUGH ||
		    READ_ONCE(reader->open_read) < READ_ENOUGH / 50 ||
		    READ_ONCE(reader->skipped) < SKIPPED_ENOUGH)
			return false;
	}
	return cleared >= CLEARED_ENOUGH;
}

static struct task_struct *thread(struct kunit *test, int (*function)(void *data), void *data)
{
	struct task_struct *task = kthread_create(function, data, "tio_kunit");

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, task);
	return task;
}

static void stop(struct task_struct **task)
{
	if (*task)
		kthread_stop(*task);
	*task = NULL;
}

static void stop_all(struct run *run)
{
	unsigned int i;

	stop(&run->producer);
	for (i = 0; i < READERS; i++)
		stop(&run->readers[i].task);
}

static void everybody_at_once(struct kunit *test)
{
	unsigned long deadline = jiffies + GIVE_UP_S * HZ;
	struct tio_ring_index index, before = { };
	struct run *run = test->priv;
	unsigned int i, clears = 0;

	KUNIT_ASSERT_GT(test, num_online_cpus(), 1u);
	run->producer = thread(test, producer, run);
	kthread_bind(run->producer, cpumask_first(cpu_online_mask));
	for (i = 0; i < READERS; i++) {
		run->readers[i].run = run;
		run->readers[i].task = thread(test, read_on, &run->readers[i]);
	}
	wake_up_process(run->producer);
	for (i = 0; i < READERS; i++)
		wake_up_process(run->readers[i].task);

	/* only this thread clears, so it needs no mutex */
	while (!met_enough(run, clears) && time_before(jiffies, deadline)) {
		index = tio_ring_index(run->ring);
		KUNIT_EXPECT_LE(test, tio_ring_kept(&index), (u64)SLOTS);
		KUNIT_EXPECT_LE(test, tio_ring_lost(&index), (u64)index.produced);
		KUNIT_EXPECT_LE(test, before.produced, index.produced);
		KUNIT_EXPECT_LE(test, tio_ring_lost(&before), tio_ring_lost(&index));
		before = index;

		tio_ring_clear(run->ring);
		index = tio_ring_index(run->ring);
		KUNIT_EXPECT_LE(test, before.produced, index.floor);
		KUNIT_EXPECT_LE(test, index.cleared - before.cleared, (u64)SLOTS);
		/* what was counted before is gone; a record that is being made counts already */
		tio_ring_counted(run->ring, &run->recent);
		KUNIT_EXPECT_LE(test, run->recent.hard.count,
				tio_ring_produced(run->ring) + 1 - before.produced);
		clears += index.cleared > before.cleared;
		before = index;
		msleep(20);
	}
	KUNIT_EXPECT_TRUE_MSG(test, met_enough(run, clears), "the threads met too rarely in %d s",
			      GIVE_UP_S);
	stop_all(run);

	EXPECT_NUM(test, run->misnumbered, 0);
	for (i = 0; i < READERS; i++) {
		const struct reader *reader = &run->readers[i];

		EXPECT_NUM_IN(test, reader->torn, 0, i);
		EXPECT_NUM_IN(test, reader->disorder, 0, i);
		EXPECT_NUM_IN(test, reader->unfounded, 0, i);
		EXPECT_NUM_IN(test, reader->open_torn, 0, i);
		/* no record was read twice, none was read that was not made */
		KUNIT_EXPECT_LE(test, reader->read + reader->skipped, run->made);
	}
	index = tio_ring_index(run->ring);
	EXPECT_NUM(test, index.produced, run->made);
	EXPECT_NUM(test, count_kept(test, tio_ring_kept(&index)) + tio_ring_lost(&index) +
		   index.cleared, run->made);
	kunit_info(test, "%llu records, %u clears; the first reader: %llu read, %llu skipped",
		   run->made, clears, run->readers[0].read, run->readers[0].skipped);
}

static int counter(void *data)
{
	struct run *run = data;

	while (!kthread_should_stop()) {
		unsigned int burst = 50;

		while (burst--) {
			unsigned long flags;

			local_irq_save(flags);
			tio_ring_count(run->ring, TRACE_IRQOFF_KIND_HARD, MS);
			WRITE_ONCE(run->made, run->made + 1);
			local_irq_restore(flags);
		}
		cond_resched();
	}
	return 0;
}

/* are two numbers of a histogram that was read while @made stalls were counted of one clear? */
static bool agree(u64 one, u64 other, u64 made)
{
	return one <= other + made && other <= one + made;
}

static int read_counts(void *data)
{
	struct reader *reader = data;
	struct tio_recent *recent = &reader->recent[0], *before = &reader->recent[1];
	const struct tio_histogram *hard = &recent->hard;

	while (!kthread_should_stop()) {
		u64 made = READ_ONCE(reader->run->made);

		tio_ring_counted(reader->run->ring, recent);
		/* one may be half counted at either end */
		made = READ_ONCE(reader->run->made) - made + 2;
		if (!agree(hard->buckets[tio_histogram_bucket(MS)], hard->count, made) ||
		    !agree(div_u64(hard->sum_ns, MS), hard->count, made))
			reader->torn++;
		if (recent->drops == before->drops && hard->count < before->hard.count)
			reader->disorder++;
		*before = *recent;
		WRITE_ONCE(reader->read, reader->read + 1);
		cond_resched();
	}
	return 0;
}

static int clear_counts(void *data)
{
	struct reader *clearer = data;

	while (!kthread_should_stop()) {
		usleep_range(300, 500);
		tio_ring_clear(clearer->run->ring);
		WRITE_ONCE(clearer->read, clearer->read + 1);
	}
	return 0;
}

/*
 * The histograms of one clear are never mixed with those of another. Who clears interrupts who
 * reads, mostly in the midst of it, and another CPU counts meanwhile.
 */
static void counts_at_once(struct kunit *test)
{
	unsigned long deadline = jiffies + GIVE_UP_S * HZ;
	unsigned int counts = cpumask_first(cpu_online_mask), i;
	struct run *run = test->priv;
	struct reader *reader = &run->readers[0], *clearer = &run->readers[1];

	KUNIT_ASSERT_GT(test, num_online_cpus(), 1u);
	run->producer = thread(test, counter, run);
	kthread_bind(run->producer, counts);
	reader->task = thread(test, read_counts, reader);
	clearer->task = thread(test, clear_counts, clearer);
	wake_up_process(run->producer);
	for (i = 0; i < 2; i++) {
		run->readers[i].run = run;
		kthread_bind(run->readers[i].task, cpumask_next(counts, cpu_online_mask));
		wake_up_process(run->readers[i].task);
	}
	while (READ_ONCE(clearer->read) < COUNTS_CLEARED && time_before(jiffies, deadline))
		msleep(20);
	stop_all(run);
	EXPECT_NUM(test, reader->torn, 0);
	EXPECT_NUM(test, reader->disorder, 0);
	KUNIT_EXPECT_GE(test, clearer->read, (u64)COUNTS_CLEARED);
	KUNIT_EXPECT_GT(test, reader->read, clearer->read);
	kunit_info(test, "%llu readings, %llu clears", reader->read, clearer->read);
}

static int setup(struct kunit *test)
{
	struct run *run = kunit_kzalloc(test, sizeof(*run), GFP_KERNEL);
	struct tio_slots *slots;

	test->priv = run;
	if (!run)
		return -ENOMEM;
	run->ring = tio_ring_create(cpumask_first(cpu_online_mask));
	run->open = tio_open_create(cpumask_first(cpu_online_mask));
	slots = tio_slots_create(SLOTS);
	if (run->ring && slots)
		tio_ring_put(run->ring, slots);
	return run->ring && slots && run->open ? 0 : -ENOMEM;
}

static void teardown(struct kunit *test)
{
	struct run *run = test->priv;

	if (!run)
		return;
	stop_all(run);
	if (run->ring)
		kvfree(tio_ring_take(run->ring));
	kfree(run->ring);
	kvfree(run->open);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(everybody_at_once),
	KUNIT_CASE(counts_at_once),
	{ }
};

TIO_SUITE("readers", "trace_irqoff's record ring, read while it is written",
	  .init = setup, .exit = teardown);
