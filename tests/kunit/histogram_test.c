// SPDX-License-Identifier: GPL-2.0-only
#include <linux/bitops.h>
#include <linux/math64.h>

#include "core/histogram.h"
#include "suite.h"

static void bucket_edges(struct kunit *test)
{
	unsigned int i;

	EXPECT_NUM(test, tio_histogram_bucket(0), 0);
	EXPECT_NUM(test, tio_histogram_bucket(1999), 0);
	for (i = 1; i < TIO_BUCKETS; i++) {
		EXPECT_NUM_IN(test, tio_histogram_bucket((1000ULL << i) - 1), i - 1, i);
		EXPECT_NUM_IN(test, tio_histogram_bucket(1000ULL << i), i, i);
	}
	EXPECT_NUM(test, tio_histogram_bucket(1000ULL << TIO_BUCKETS), TIO_BUCKETS - 1);
	EXPECT_NUM(test, tio_histogram_bucket((1000ULL << TIO_BUCKETS) + 1), TIO_BUCKETS - 1);
	EXPECT_NUM(test, tio_histogram_bucket(U64_MAX), TIO_BUCKETS - 1);
}

/* floor(log2(us)), computed with the kernel's own functions */
static unsigned int bucket_by_log2(u64 ns)
{
	u64 us = div_u64(ns, 1000);

	return us ? min(fls64(us) - 1, TIO_BUCKETS - 1) : 0;
}

static void any_length(struct kunit *test)
{
	struct rnd_state rnd;
	unsigned int i;

	prandom_seed_state(&rnd, SEED);
	for (i = 0; i < 10000; i++) {
		/* equally many of each magnitude */
		u64 ns = below(&rnd, U64_MAX) >> below(&rnd, 64);

		EXPECT_NUM_IN(test, tio_histogram_bucket(ns), bucket_by_log2(ns), ns);
	}
}

static void sums(struct kunit *test)
{
	struct tio_histogram *hist = kunit_kzalloc(test, sizeof(*hist), GFP_KERNEL);
	u64 expected[TIO_BUCKETS] = { };
	u64 sum_ns = 0, max_ns = 0, counted = 0;
	struct rnd_state rnd;
	unsigned int i;

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, hist);
	prandom_seed_state(&rnd, SEED);
	for (i = 0; i < 1000; i++) {
		u64 ns = below(&rnd, 1000 * MS) >> below(&rnd, 20);

		tio_histogram_add(hist, ns);
		expected[bucket_by_log2(ns)]++;
		sum_ns += ns;
		max_ns = max(max_ns, ns);
	}
	for (i = 0; i < TIO_BUCKETS; i++) {
		EXPECT_NUM_IN(test, hist->buckets[i], expected[i], i);
		counted += hist->buckets[i];
	}
	EXPECT_NUM(test, counted, 1000);
	EXPECT_NUM(test, hist->count, 1000);
	EXPECT_NUM(test, hist->sum_ns, sum_ns);
	EXPECT_NUM(test, hist->max_ns, max_ns);
}

static void longest_stays(struct kunit *test)
{
	struct tio_histogram hist = { };

	tio_histogram_add(&hist, 12 * MS);
	tio_histogram_add(&hist, 9 * MS);
	tio_histogram_add(&hist, 8192000);
	EXPECT_NUM(test, hist.count, 3);
	EXPECT_NUM(test, hist.max_ns, 12 * MS);
	EXPECT_NUM(test, hist.sum_ns, 21 * MS + 8192000);
	EXPECT_NUM(test, hist.buckets[13], 3);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(bucket_edges),
	KUNIT_CASE(any_length),
	KUNIT_CASE(sums),
	KUNIT_CASE(longest_stays),
	{ }
};

TIO_SUITE("histogram", "trace_irqoff's histograms");
