// SPDX-License-Identifier: GPL-2.0-only
#include <linux/kernel.h>

#include "core/sample_times.h"
#include "suite.h"

#define THRESHOLD	(10 * MS)

/* at 1, 1.5, 3, 6... thresholds */
static const u64 hard_ns[] = {
	10 * MS, 15 * MS, 30 * MS, 60 * MS, 120 * MS, 240 * MS, 480 * MS, 960 * MS,
};

static void hard_looks(struct kunit *test)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(hard_ns); i++)
		EXPECT_NUM_IN(test, tio_sample_times_hard_next(THRESHOLD, i), hard_ns[i], i);
}

/* whenever somebody looks, the next look is ahead, and none is skipped that is ahead */
static void next_is_ahead(struct kunit *test)
{
	unsigned int number, next;
	u64 passed_ns;

	for (number = 0; number < ARRAY_SIZE(hard_ns); number++) {
		for (passed_ns = 0; passed_ns < 900 * MS; passed_ns += MS) {
			next = number;
			while (next < ARRAY_SIZE(hard_ns) - 1 &&
			       hard_ns[next] <= passed_ns)
				next++;
			EXPECT_NUM_IN(test,
				      tio_sample_times_hard_after(THRESHOLD, number, passed_ns),
				      hard_ns[next], passed_ns);
		}
	}
}

/* the longest stall that a 64-bit clock knows, at the shortest threshold */
static void ends_in_time(struct kunit *test)
{
	const u64 threshold_ns = MS / 10, passed_ns = 100ULL * 365 * 24 * 3600 * 1000 * MS;
	u64 at_ns = tio_sample_times_hard_after(threshold_ns, 0, passed_ns);

	KUNIT_EXPECT_GT(test, at_ns, passed_ns);
	KUNIT_EXPECT_LE(test, at_ns, 2 * passed_ns);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(hard_looks),
	KUNIT_CASE(next_is_ahead),
	KUNIT_CASE(ends_in_time),
	{ }
};

TIO_SUITE("sample_times", "when trace_irqoff looks at a stall");
