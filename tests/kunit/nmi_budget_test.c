// SPDX-License-Identifier: GPL-2.0-only
#include <linux/kernel.h>
#include <linux/module.h>

#include "core/nmi_budget.h"
#include "suite.h"

#define SECOND	(1000 * MS)

static const u32 rates[] = { 1, 2, 3, 7, 8, 64, 999, 1000, 60000, 99999, 100000 };

static bool take(u64 *full_ns, u64 now_ns, u32 rate)
{
	u64 then_ns = tio_budget_take(*full_ns, now_ns, rate, 0);

	if (then_ns)
		*full_ns = then_ns;
	return then_ns;
}

static u32 take_all(u64 *full_ns, u64 now_ns, u32 rate)
{
	u32 n = 0;

	while (n <= 2 * rate && take(full_ns, now_ns, rate))
		n++;
	return n;
}

static void a_second_at_once(struct kunit *test)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rates); i++) {
		u64 full_ns = 0, now_ns = 5 * MS;

		EXPECT_NUM_IN(test, take_all(&full_ns, now_ns, rates[i]), rates[i], rates[i]);
		/* a refusal costs nothing */
		EXPECT_NUM_IN(test, take_all(&full_ns, now_ns, rates[i]), 0, rates[i]);
		/* a second later it is full again, but for what was rounded */
		now_ns += SECOND + rates[i];
		EXPECT_NUM_IN(test, take_all(&full_ns, now_ns, rates[i]), rates[i], rates[i]);
		/* and no fuller after an hour */
		now_ns += 3600 * SECOND;
		EXPECT_NUM_IN(test, take_all(&full_ns, now_ns, rates[i]), rates[i], rates[i]);
	}
}

static void one_after_the_other(struct kunit *test)
{
	u64 full_ns = 0, now_ns = 7 * SECOND;

	EXPECT_NUM(test, take_all(&full_ns, now_ns, 8), 8);
	EXPECT_INT(test, take(&full_ns, now_ns + 125 * MS - 1, 8), false);
	EXPECT_INT(test, take(&full_ns, now_ns + 125 * MS, 8), true);
	EXPECT_INT(test, take(&full_ns, now_ns + 125 * MS, 8), false);
	EXPECT_NUM(test, take_all(&full_ns, now_ns + 500 * MS, 8), 3);
}

/* at most rate * (t + 1) in t seconds, from any moment on, and all of it is granted */
static void any_pattern(struct kunit *test)
{
	struct rnd_state rnd;
	unsigned int i, n;

	prandom_seed_state(&rnd, SEED);
	for (i = 0; i < ARRAY_SIZE(rates); i++) {
		const u64 start_ns = 1000 * SECOND;
		u64 full_ns = 0, now_ns = start_ns, granted = 0, allowed;

		for (n = 0; n < 20000; n++) {
			granted += take(&full_ns, now_ns, rates[i]);
			/* close together, and now and then far apart */
			now_ns += below(&rnd, below(&rnd, 100) ? SECOND / rates[i] : SECOND);
		}
		/* in whole microseconds, which keeps the product in 64 bits */
		allowed = rates[i] + ((now_ns - start_ns) / 1000 * rates[i]) / 1000000;
		KUNIT_EXPECT_LE(test, granted, allowed + 1);
		/* asked for twice as often as allowed: it grants all that it has */
		KUNIT_EXPECT_GT(test, granted, 20000ULL / 4);
	}
}

/* those that must leave some get no more once only those are left */
static void kept(struct kunit *test)
{
	u64 full_ns = 0, then_ns, now_ns = 3 * SECOND;
	u32 n = 0;

	while (n < 8) {
		then_ns = tio_budget_take(full_ns, now_ns, 8, 4);
		if (!then_ns)
			break;
		full_ns = then_ns;
		n++;
	}
	EXPECT_NUM(test, n, 4);
	EXPECT_NUM(test, take_all(&full_ns, now_ns, 8), 4);
	EXPECT_NUM(test, tio_budget_take(full_ns, now_ns + 625 * MS - 1, 8, 4), 0);
	KUNIT_EXPECT_TRUE(test, tio_budget_take(full_ns, now_ns + 625 * MS, 8, 4));
}

/* another CPU's clock may be a little behind */
static void clock_behind(struct kunit *test)
{
	u64 full_ns = 0, now_ns = 9 * SECOND;

	EXPECT_NUM(test, take_all(&full_ns, now_ns, 4), 4);
	EXPECT_NUM(test, take_all(&full_ns, now_ns - 1000, 4), 0);
	EXPECT_NUM(test, take_all(&full_ns, now_ns + SECOND, 4), 4);
}

static void rate_changed(struct kunit *test)
{
	u64 full_ns = 0, now_ns = 11 * SECOND;

	EXPECT_NUM(test, take_all(&full_ns, now_ns, 1000), 1000);
	/* what was spent at the old rate is spent */
	EXPECT_NUM(test, take_all(&full_ns, now_ns, 1), 0);
	EXPECT_NUM(test, take_all(&full_ns, now_ns + SECOND, 1), 1);
	EXPECT_NUM(test, take_all(&full_ns, now_ns + SECOND, 8), 0);
	EXPECT_NUM(test, take_all(&full_ns, now_ns + 3 * SECOND, 8), 8);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(a_second_at_once),
	KUNIT_CASE(one_after_the_other),
	KUNIT_CASE(any_pattern),
	KUNIT_CASE(kept),
	KUNIT_CASE(clock_behind),
	KUNIT_CASE(rate_changed),
	{ }
};

TIO_SUITE("nmi_budget", "trace_irqoff's budget of NMIs");
