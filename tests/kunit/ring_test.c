// SPDX-License-Identifier: GPL-2.0-only
/*
 * The ring is compared with a model at every step, and so are the numbers that
 * describe its content.
 */
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/smp.h>

#include "pattern.h"
#include "suite.h"

#define SLOTS	5	/* no power of two: numbers must not rely on it */

struct fixture {
	struct tio_ring *ring;
	struct tio_record rec;
};

static void produce(struct tio_ring *ring, u64 n)
{
	const struct tio_retention_rank rank = { .min_ns = n };
	unsigned long flags;

	local_irq_save(flags);
	fill(tio_ring_reserve(ring), n);
	tio_ring_commit(ring, &rank);
	local_irq_restore(flags);
}

static int put_slots(struct tio_ring *ring)
{
	struct tio_slots *slots = tio_slots_create(SLOTS);

	if (!slots)
		return -ENOMEM;
	tio_ring_put(ring, slots);
	return 0;
}

static int setup(struct kunit *test)
{
	struct fixture *fix = kunit_kzalloc(test, sizeof(*fix), GFP_KERNEL);

	test->priv = fix;
	if (!fix)
		return -ENOMEM;
	fix->ring = tio_ring_create(raw_smp_processor_id());
	return fix->ring ? put_slots(fix->ring) : -ENOMEM;
}

static void teardown(struct kunit *test)
{
	struct fixture *fix = test->priv;

	if (!fix || !fix->ring)
		return;
	kvfree(tio_ring_take(fix->ring));
	kfree(fix->ring);
}

/* counts the kept records from the oldest on, and checks that they are in order and whole */
static u64 count_kept(struct kunit *test, u64 first)
{
	struct fixture *fix = test->priv;
	u64 end = tio_ring_produced(fix->ring), seq = 0, n = 0;

	while (tio_ring_next(fix->ring, &seq, end, &fix->rec)) {
		EXPECT_NUM(test, fix->rec.seq, first + n);
		EXPECT_NUM(test, seq, first + n + 1);
		KUNIT_EXPECT_TRUE(test, whole(&fix->rec));
		n++;
	}
	EXPECT_NUM(test, first + n, end);
	return n;
}

/* counts the records that ended since then as they lie in their slots, each once and whole */
static u64 count_slots(struct kunit *test, u64 first, u64 since_ns)
{
	struct fixture *fix = test->priv;
	u32 slot = 0, seen = 0;
	u64 n = 0;

	while (tio_ring_slot(fix->ring, &slot, since_ns, &fix->rec)) {
		u64 at = fix->rec.seq - first;

		KUNIT_EXPECT_TRUE(test, at < SLOTS && !(seen >> at & 1));
		seen |= 1u << at % 32;
		KUNIT_EXPECT_TRUE(test, whole(&fix->rec));
		KUNIT_EXPECT_TRUE(test, fix->rec.end_ns >= since_ns);
		n++;
	}
	return n;
}

static void empty(struct kunit *test)
{
	struct fixture *fix = test->priv;
	struct tio_ring_index index;

	index = tio_ring_index(fix->ring);
	EXPECT_NUM(test, index.produced, 0);
	EXPECT_NUM(test, index.size, SLOTS);
	EXPECT_NUM(test, tio_ring_kept(&index) + tio_ring_lost(&index) + index.cleared, 0);
	EXPECT_NUM(test, count_kept(test, 0), 0);
	EXPECT_NUM(test, count_slots(test, 0, 0), 0);
	tio_ring_clear(fix->ring);
	EXPECT_NUM(test, count_kept(test, 0), 0);
}

enum fate { KEPT, LOST, CLEARED, FATES };

#define STEPS	3000

/* the model tracks each record by itself; the ring has three numbers for all of them */
static void fates(struct kunit *test)
{
	u8 *fate = kunit_kzalloc(test, STEPS, GFP_KERNEL);
	struct fixture *fix = test->priv;
	unsigned int step, i, made = 0;
	struct rnd_state rnd;

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, fate);
	prandom_seed_state(&rnd, SEED);
	for (step = 0; step < STEPS; step++) {
		unsigned int count[FATES] = { }, first;
		struct tio_ring_index index;

		if (below(&rnd, 8)) {
			produce(fix->ring, made);
			if (made >= SLOTS && fate[made - SLOTS] == KEPT)
				fate[made - SLOTS] = LOST;
			made++;
		} else {
			tio_ring_clear(fix->ring);
			for (i = 0; i < made; i++)
				if (fate[i] == KEPT)
					fate[i] = CLEARED;
		}

		first = made;
		for (i = made; i-- > 0; count[fate[i]]++)
			if (fate[i] == KEPT)
				first = i;
		index = tio_ring_index(fix->ring);
		EXPECT_NUM_IN(test, index.produced, made, step);
		EXPECT_NUM_IN(test, tio_ring_kept(&index), count[KEPT], step);
		EXPECT_NUM_IN(test, tio_ring_lost(&index), count[LOST], step);
		EXPECT_NUM_IN(test, index.cleared, count[CLEARED], step);
		EXPECT_NUM_IN(test, count_kept(test, first), count[KEPT], step);
		EXPECT_NUM_IN(test, count_slots(test, first, 0), count[KEPT], step);
		/* records end one after another */
		EXPECT_NUM_IN(test, count_slots(test, first, first + 1),
			      count[KEPT] - !!count[KEPT], step);
	}
}

/* the CPU is stopped while it writes: all that is kept can be read, and nobody waits */
static void stopped(struct kunit *test)
{
	const struct tio_retention_rank rank = { };
	struct fixture *fix = test->priv;
	u64 n;

	for (n = 0; n < SLOTS; n++)
		produce(fix->ring, n);
	fill(tio_ring_reserve(fix->ring), n);
	EXPECT_NUM(test, count_kept(test, 0), SLOTS);
	tio_ring_commit(fix->ring, &rank);
	EXPECT_NUM(test, count_kept(test, 1), SLOTS);
}

/* a ring that is large enough keeps its longest record, and all others are the newest */
static void keeps_longest(struct kunit *test)
{
	struct tio_slots *slots = tio_slots_create(TIO_RETENTION_LEAST);
	struct tio_retention_rank rank = { .min_ns = 1000, .class = TIO_CLASS_SOFTIRQ_LONG };
	struct fixture *fix = test->priv;
	u64 seq = 0, n;

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, slots);
	kvfree(tio_ring_take(fix->ring));
	tio_ring_put(fix->ring, slots);
	for (n = 0; n < 1000; n++) {
		unsigned long flags;

		local_irq_save(flags);
		fill(tio_ring_reserve(fix->ring), n);
		tio_ring_commit(fix->ring, &rank);
		local_irq_restore(flags);
		rank.min_ns = n % 7;
	}
	KUNIT_EXPECT_TRUE(test, tio_ring_next(fix->ring, &seq, U64_MAX, &fix->rec));
	EXPECT_NUM(test, fix->rec.seq, 0);
	KUNIT_EXPECT_TRUE(test, whole(&fix->rec));
	for (n = 1000 - TIO_RETENTION_LEAST + 1; n < 1000; n++) {
		KUNIT_EXPECT_TRUE(test, tio_ring_next(fix->ring, &seq, U64_MAX, &fix->rec));
		EXPECT_NUM(test, fix->rec.seq, n);
		KUNIT_EXPECT_TRUE(test, whole(&fix->rec));
	}
	KUNIT_EXPECT_FALSE(test, tio_ring_next(fix->ring, &seq, U64_MAX, &fix->rec));
}

/* of the records that are kept, those of the tracer itself are counted */
static void counts_tracer(struct kunit *test)
{
	struct tio_retention_rank rank = { .tracer = true };
	struct fixture *fix = test->priv;
	unsigned long flags;
	u64 n;

	EXPECT_NUM(test, tio_ring_tracer(fix->ring), 0);
	for (n = 0; n < SLOTS; n++) {
		local_irq_save(flags);
		fill(tio_ring_reserve(fix->ring), n);
		rank.tracer = n < 2;
		tio_ring_commit(fix->ring, &rank);
		local_irq_restore(flags);
	}
	EXPECT_NUM(test, tio_ring_tracer(fix->ring), 2);
	/* the oldest is lost */
	produce(fix->ring, n++);
	EXPECT_NUM(test, tio_ring_tracer(fix->ring), 1);
	tio_ring_clear(fix->ring);
	EXPECT_NUM(test, tio_ring_tracer(fix->ring), 0);
	kvfree(tio_ring_take(fix->ring));
	EXPECT_NUM(test, tio_ring_tracer(fix->ring), 0);
}

/* a kept record's word for steal */
static u64 steal_of(struct fixture *fix, u64 seq)
{
	return tio_ring_next(fix->ring, &seq, seq + 1, &fix->rec) ? fix->rec.steal : U64_MAX;
}

/* a record is told of steal once the kernel has counted it */
static void amended(struct kunit *test)
{
	struct fixture *fix = test->priv;
	u64 n;

	for (n = 0; n < SLOTS; n++)
		produce(fix->ring, n);
	EXPECT_NUM(test, steal_of(fix, 2), 0);
	tio_ring_amend(fix->ring, 2, steal(2));
	EXPECT_NUM(test, steal_of(fix, 1), 0);
	EXPECT_NUM(test, steal_of(fix, 2), steal(2) + 1);
	EXPECT_NUM(test, steal_of(fix, 3), 0);
	EXPECT_NUM(test, count_kept(test, 0), SLOTS);
	/* its slot has another record now, or is about to */
	for (; n < 2 * SLOTS + 1; n++) {
		produce(fix->ring, n);
		tio_ring_amend(fix->ring, n - SLOTS, 12345);
	}
	EXPECT_NUM(test, count_kept(test, SLOTS + 1), SLOTS);
	for (n = SLOTS + 1; n < 2 * SLOTS + 1; n++)
		EXPECT_NUM(test, steal_of(fix, n), 0);
	/* it was cleared, is not made yet, or the memory is new */
	tio_ring_clear(fix->ring);
	tio_ring_amend(fix->ring, n - 1, 12345);
	EXPECT_NUM(test, count_kept(test, n), 0);
	tio_ring_amend(fix->ring, n, 12345);
	produce(fix->ring, n);
	EXPECT_NUM(test, steal_of(fix, n), 0);
	kvfree(tio_ring_take(fix->ring));
	EXPECT_INT(test, put_slots(fix->ring), 0);
	tio_ring_amend(fix->ring, n, 12345);
	EXPECT_NUM(test, count_kept(test, n + 1), 0);
}

/* the memory is given back, and allocated anew: numbers and counts go on */
static void without_slots(struct kunit *test)
{
	struct fixture *fix = test->priv;
	struct tio_ring_index index;
	struct tio_slots *slots;
	u64 n;

	for (n = 0; n < SLOTS + 2; n++)
		produce(fix->ring, n);
	slots = tio_ring_take(fix->ring);
	KUNIT_EXPECT_TRUE(test, slots);
	kvfree(slots);
	KUNIT_EXPECT_TRUE(test, !tio_ring_take(fix->ring));
	index = tio_ring_index(fix->ring);
	EXPECT_NUM(test, index.produced, SLOTS + 2);
	EXPECT_NUM(test, tio_ring_kept(&index), 0);
	EXPECT_NUM(test, tio_ring_lost(&index), 2);
	EXPECT_NUM(test, index.cleared, SLOTS);
	EXPECT_NUM(test, count_kept(test, SLOTS + 2), 0);
	tio_ring_clear(fix->ring);
	index = tio_ring_index(fix->ring);
	EXPECT_NUM(test, index.cleared, SLOTS);
	EXPECT_NUM(test, tio_ring_lost_before(&index), 2);

	EXPECT_INT(test, put_slots(fix->ring), 0);
	EXPECT_NUM(test, count_kept(test, SLOTS + 2), 0);
	produce(fix->ring, n);
	EXPECT_NUM(test, count_kept(test, SLOTS + 2), 1);
	index = tio_ring_index(fix->ring);
	EXPECT_NUM(test, tio_ring_lost(&index), 2);
	EXPECT_NUM(test, index.cleared, SLOTS);
	/* what is lost from then on is not lost before */
	for (n = 0; n < SLOTS; n++)
		produce(fix->ring, SLOTS + 3 + n);
	index = tio_ring_index(fix->ring);
	EXPECT_NUM(test, tio_ring_lost(&index), 3);
	EXPECT_NUM(test, tio_ring_lost_before(&index), 2);
}

static void bounded_reading(struct kunit *test)
{
	struct fixture *fix = test->priv;
	u64 seq, n;

	for (n = 0; n < SLOTS; n++)
		produce(fix->ring, n);
	/* reads from the middle to an end before the newest record */
	seq = 2;
	KUNIT_EXPECT_TRUE(test, tio_ring_next(fix->ring, &seq, 4, &fix->rec));
	EXPECT_NUM(test, fix->rec.seq, 2);
	KUNIT_EXPECT_TRUE(test, tio_ring_next(fix->ring, &seq, 4, &fix->rec));
	EXPECT_NUM(test, fix->rec.seq, 3);
	KUNIT_EXPECT_FALSE(test, tio_ring_next(fix->ring, &seq, 4, &fix->rec));
	/* reads beyond the newest record, with any end */
	seq = SLOTS;
	KUNIT_EXPECT_FALSE(test, tio_ring_next(fix->ring, &seq, U64_MAX, &fix->rec));
	seq = U64_MAX;
	KUNIT_EXPECT_FALSE(test, tio_ring_next(fix->ring, &seq, U64_MAX, &fix->rec));
	/* readers do not consume */
	EXPECT_NUM(test, count_kept(test, 0), SLOTS);
	EXPECT_NUM(test, count_kept(test, 0), SLOTS);
}

static void expect_index(struct kunit *test, const struct tio_ring_index *index, u64 first,
			 u64 kept, u64 lost)
{
	EXPECT_NUM_IN(test, tio_ring_first(index), first, index->produced);
	EXPECT_NUM_IN(test, tio_ring_kept(index), kept, index->produced);
	EXPECT_NUM_IN(test, tio_ring_lost(index), lost, index->produced);
	EXPECT_NUM(test, index->produced,
		   tio_ring_kept(index) + tio_ring_lost(index) + index->cleared);
}

/* the numbers alone, at any place of their range */
static void index_overwrites(struct kunit *test)
{
	struct tio_ring_index index = { .size = 4 };

	expect_index(test, &index, 0, 0, 0);
	for (index.produced = 1; index.produced <= 4; index.produced++)
		expect_index(test, &index, 0, index.produced, 0);
	expect_index(test, &index, 1, 4, 1);
	index.produced = 1000;
	expect_index(test, &index, 996, 4, 996);
}

static void index_drops_what_is_kept(struct kunit *test)
{
	struct tio_ring_index index = { .size = 4, .produced = 3 };

	tio_ring_drop(&index);
	expect_index(test, &index, 3, 0, 0);
	EXPECT_NUM(test, index.cleared, 3);
	tio_ring_drop(&index);
	EXPECT_NUM(test, index.cleared, 3);

	index.produced = 5;
	expect_index(test, &index, 3, 2, 0);
	index.produced = 8;
	expect_index(test, &index, 4, 4, 1);
	tio_ring_drop(&index);
	expect_index(test, &index, 8, 0, 1);
	EXPECT_NUM(test, index.cleared, 7);
	index.produced = 20;
	expect_index(test, &index, 16, 4, 9);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(empty),
	KUNIT_CASE(fates),
	KUNIT_CASE(stopped),
	KUNIT_CASE(keeps_longest),
	KUNIT_CASE(counts_tracer),
	KUNIT_CASE(amended),
	KUNIT_CASE(without_slots),
	KUNIT_CASE(bounded_reading),
	KUNIT_CASE(index_overwrites),
	KUNIT_CASE(index_drops_what_is_kept),
	{ }
};

TIO_SUITE("ring", "trace_irqoff's record ring", .init = setup, .exit = teardown);
