// SPDX-License-Identifier: GPL-2.0-only
/* Does the growth of the kernel's count say whether a CPU ran during a stall? */
#include <linux/kernel.h>
#include <linux/module.h>

#include "state/steal.h"
#include "suite.h"

/* 40 ms, ended at 1000 ms; the count was read 5 ms before it began */
static const struct tio_steal_wait example = {
	.before_ns = 500 * MS,
	.min_ns = 40 * MS,
	.end_ns = 1000 * MS,
	.lead_ns = 5 * MS,
	.slack_ns = 18 * MS,
};

static void expect(struct kunit *test, const struct tio_steal_wait *wait, u64 count_ns,
		   u64 now_ns, bool known, u64 wanted_ns)
{
	u64 grown_ns;

	EXPECT_INT_IN(test, tio_steal_grown(wait, count_ns, now_ns, &grown_ns), known, count_ns);
	EXPECT_NUM_IN(test, grown_ns, wanted_ns, count_ns);
}

static void right_after(struct kunit *test)
{
	expect(test, &example, 500 * MS, 1004 * MS, true, 0);
	expect(test, &example, 520 * MS, 1004 * MS, true, 20 * MS);
	expect(test, &example, 540 * MS, 1004 * MS, true, 40 * MS);
	/* a count never falls; one that does anyway is no growth */
	expect(test, &example, 499 * MS, 1004 * MS, true, 0);
}

/* the CPU may have been stolen before the stall, or after it */
static void too_much_besides(struct kunit *test)
{
	struct tio_steal_wait wait = example;

	expect(test, &wait, 540 * MS, 1018 * MS, true, 40 * MS);
	expect(test, &wait, 540 * MS, 1018 * MS + 1, false, 40 * MS);
	/* half of the stall at most, so the CPU ran */
	expect(test, &wait, 520 * MS, 1018 * MS + 1, true, 20 * MS);
	expect(test, &wait, 520 * MS + 1, 1018 * MS + 1, false, 20 * MS + 1);
	wait.lead_ns = 18 * MS;
	expect(test, &wait, 540 * MS, 1004 * MS, true, 40 * MS);
	wait.lead_ns++;
	expect(test, &wait, 540 * MS, 1004 * MS, false, 40 * MS);
	expect(test, &wait, 520 * MS, 1004 * MS, true, 20 * MS);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(right_after),
	KUNIT_CASE(too_much_besides),
	{ }
};

TIO_SUITE("steal", "what trace_irqoff makes of steal");
