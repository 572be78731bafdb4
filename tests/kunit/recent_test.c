// SPDX-License-Identifier: GPL-2.0-only
/* Histograms that begin anew where records are dropped, as the CPU writes and others read them. */
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/smp.h>

#include "state/ring.h"
#include "suite.h"

#define SLOTS	4

struct fixture {
	struct tio_ring *ring;
	struct tio_recent recent;
	u64 cleared_ns;
};

static int setup(struct kunit *test)
{
	struct fixture *fix = kunit_kzalloc(test, sizeof(*fix), GFP_KERNEL);

	test->priv = fix;
	if (!fix)
		return -ENOMEM;
	fix->ring = tio_ring_create(raw_smp_processor_id());
	return fix->ring ? 0 : -ENOMEM;
}

static void teardown(struct kunit *test)
{
	struct fixture *fix = test->priv;

	if (fix)
		kfree(fix->ring);
}

static void hard(struct fixture *fix, u64 ns)
{
	tio_ring_count(fix->ring, TRACE_IRQOFF_KIND_HARD, ns);
}

static void soft(struct fixture *fix, u64 ns)
{
	tio_ring_count(fix->ring, TRACE_IRQOFF_KIND_SOFT, ns);
}

/* reads, and compares how many stalls there are */
static void counted(struct kunit *test, u64 hard_stalls, u64 soft_stalls)
{
	struct fixture *fix = test->priv;
	u64 buckets[2] = { };
	unsigned int i;

	/* what is left of an earlier reading does not show through */
	memset(&fix->recent, 0x55, sizeof(fix->recent));
	fix->cleared_ns = tio_ring_counted(fix->ring, &fix->recent);
	EXPECT_NUM(test, fix->recent.hard.count, hard_stalls);
	EXPECT_NUM(test, fix->recent.soft.count, soft_stalls);
	for (i = 0; i < TIO_BUCKETS; i++) {
		buckets[0] += fix->recent.hard.buckets[i];
		buckets[1] += fix->recent.soft.buckets[i];
	}
	EXPECT_NUM(test, buckets[0], hard_stalls);
	EXPECT_NUM(test, buckets[1], soft_stalls);
	if (!hard_stalls)
		EXPECT_NUM(test, fix->recent.hard.sum_ns + fix->recent.hard.max_ns, 0);
	if (!soft_stalls)
		EXPECT_NUM(test, fix->recent.soft.sum_ns + fix->recent.soft.max_ns, 0);
}

static void never_cleared(struct kunit *test)
{
	struct fixture *fix = test->priv;

	counted(test, 0, 0);
	hard(fix, 12 * MS);
	soft(fix, 30 * MS);
	hard(fix, 8 * MS);
	counted(test, 2, 1);
	EXPECT_NUM(test, fix->cleared_ns, 0);
	EXPECT_NUM(test, fix->recent.hard.max_ns, 12 * MS);
	EXPECT_NUM(test, fix->recent.hard.sum_ns, 20 * MS);
	EXPECT_NUM(test, fix->recent.soft.max_ns, 30 * MS);
}

/* nothing of before is read, neither until the CPU counts again nor from then on */
static void begins_anew(struct kunit *test)
{
	struct fixture *fix = test->priv;
	u64 first_ns;

	hard(fix, 120 * MS);
	soft(fix, 300 * MS);
	tio_ring_clear(fix->ring);
	counted(test, 0, 0);
	first_ns = fix->cleared_ns;
	KUNIT_EXPECT_TRUE(test, first_ns);
	/* both begin with the first stall, whichever kind it is of */
	hard(fix, 12 * MS);
	counted(test, 1, 0);
	EXPECT_NUM(test, fix->recent.hard.max_ns, 12 * MS);
	EXPECT_NUM(test, fix->recent.hard.sum_ns, 12 * MS);
	soft(fix, 30 * MS);
	soft(fix, 20 * MS);
	counted(test, 1, 2);
	EXPECT_NUM(test, fix->recent.soft.max_ns, 30 * MS);
	EXPECT_NUM(test, fix->cleared_ns, first_ns);

	/* twice in between is as once */
	tio_ring_clear(fix->ring);
	tio_ring_clear(fix->ring);
	counted(test, 0, 0);
	KUNIT_EXPECT_TRUE(test, fix->cleared_ns >= first_ns);
	soft(fix, 10 * MS);
	counted(test, 0, 1);
	EXPECT_NUM(test, fix->recent.soft.max_ns, 10 * MS);
}

/* memory that is given back takes its records with it, as a clear does */
static void given_back(struct kunit *test)
{
	struct fixture *fix = test->priv;
	struct tio_slots *slots = tio_slots_create(SLOTS);

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, slots);
	tio_ring_put(fix->ring, slots);
	hard(fix, 12 * MS);
	kvfree(tio_ring_take(fix->ring));
	counted(test, 0, 0);
	KUNIT_EXPECT_TRUE(test, fix->cleared_ns);
	slots = tio_slots_create(SLOTS);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, slots);
	tio_ring_put(fix->ring, slots);
	counted(test, 0, 0);
	hard(fix, 9 * MS);
	counted(test, 1, 0);
	kvfree(tio_ring_take(fix->ring));
}

static struct kunit_case cases[] = {
	KUNIT_CASE(never_cleared),
	KUNIT_CASE(begins_anew),
	KUNIT_CASE(given_back),
	{ }
};

TIO_SUITE("recent", "trace_irqoff's histograms since records were dropped last",
	  .init = setup, .exit = teardown);
