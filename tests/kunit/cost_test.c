// SPDX-License-Identifier: GPL-2.0-only
#include <linux/kernel.h>
#include <linux/string.h>

#include "core/cost.h"
#include "suite.h"

#define SECOND	1000000000ULL
#define LIMIT	60000

/* a CPU whose beats are measured */
struct run {
	struct tio_cost cost;
	u64 now_ns;
	u64 beats;
	u64 windows;
};

static void start(struct run *run)
{
	memset(run, 0, sizeof(*run));
	run->now_ns = 100 * SECOND;
	tio_cost_begin(&run->cost, run->now_ns, run->beats);
}

/*
 * Beats each @period_ns for @ns, one in 64 of them measured. Of these, @others of 16 are
 * @other_ns long. Stops where the cost is too high; returns after which time.
 */
static u64 beat(struct run *run, u64 ns, u64 period_ns, u64 length_ns, u32 others,
		u64 other_ns, u32 max_ppm)
{
	u64 from_ns = run->now_ns;

	while (run->now_ns - from_ns < ns) {
		run->now_ns += 64 * period_ns;
		run->beats += 64;
		if (tio_cost_window(&run->cost, run->now_ns, run->beats, max_ppm)) {
			run->windows++;
			if (tio_cost_too_high(&run->cost, run->now_ns))
				return run->now_ns - from_ns;
		}
		tio_cost_add(&run->cost, run->beats / 64 * 5 % 16 < others ? other_ns : length_ns);
	}
	return 0;
}

static void rate(struct kunit *test)
{
	struct run run;

	/* 3 us each 1 ms, and each 50 us */
	start(&run);
	EXPECT_NUM(test, beat(&run, 5 * SECOND, MS, 3000, 0, 0, LIMIT), 0);
	EXPECT_NUM(test, run.cost.ppm, 3000);
	EXPECT_NUM(test, run.windows, 4);
	start(&run);
	EXPECT_NUM(test, beat(&run, 5 * SECOND, MS / 20, 3000, 0, 0, 0), 0);
	EXPECT_NUM(test, run.cost.ppm, 60000);
}

static void limit(struct kunit *test)
{
	struct run run;
	u64 ns;

	start(&run);
	EXPECT_NUM(test, beat(&run, 60 * SECOND, MS / 20, 2999, 0, 0, LIMIT), 0);
	start(&run);
	ns = beat(&run, 60 * SECOND, MS / 20, 3100, 0, 0, LIMIT);
	KUNIT_EXPECT_TRUE(test, ns >= 10 * SECOND && ns <= 12 * SECOND);
	/* no limit */
	start(&run);
	EXPECT_NUM(test, beat(&run, 60 * SECOND, MS / 20, 40000, 0, 0, 0), 0);
}

/* a window in between that is not over the limit begins the time anew */
static void running(struct kunit *test)
{
	struct run run;
	u64 ns;

	start(&run);
	EXPECT_NUM(test, beat(&run, 8 * SECOND, MS, 100000, 0, 0, LIMIT), 0);
	EXPECT_NUM(test, beat(&run, 3 * SECOND, MS, 10000, 0, 0, LIMIT), 0);
	ns = beat(&run, 60 * SECOND, MS, 100000, 0, 0, LIMIT);
	KUNIT_EXPECT_TRUE(test, ns >= 9 * SECOND && ns <= 13 * SECOND);
}

/* a hypervisor holds up 5 interrupts of 16, for long */
static void steal(struct kunit *test)
{
	struct run run;

	start(&run);
	EXPECT_NUM(test, beat(&run, 60 * SECOND, MS, 10000, 5, 20 * MS, LIMIT), 0);
	EXPECT_NUM(test, run.cost.ppm, 10000);
	/* but most interrupts are not held up */
	start(&run);
	KUNIT_EXPECT_TRUE(test, beat(&run, 60 * SECOND, MS, 10000, 14, 20 * MS, LIMIT) > 0);
	EXPECT_NUM(test, run.cost.ppm, 1000000);
}

/* a CPU that beats rarely needs more than a second for its lengths, and costs little */
static void rare(struct kunit *test)
{
	struct run run;

	start(&run);
	EXPECT_NUM(test, beat(&run, 1000 * SECOND, SECOND, 10000, 0, 0, LIMIT), 0);
	EXPECT_NUM(test, run.cost.ppm, 10);
	EXPECT_NUM(test, run.windows, 1);
}

/* beats that are longer than their period, as on a machine that has stopped working */
static void absurd(struct kunit *test)
{
	struct run run;

	start(&run);
	KUNIT_EXPECT_TRUE(test, beat(&run, 60 * SECOND, MS, 100 * SECOND, 0, 0, LIMIT) > 0);
	EXPECT_NUM(test, run.cost.ppm, 1000000);
	/* a clock that stands still divides by nothing */
	start(&run);
	EXPECT_NUM(test, tio_cost_window(&run.cost, run.now_ns, 100, LIMIT), false);
}

static void clocks(struct kunit *test)
{
	/* bare metal: a TSC, an HPET */
	KUNIT_EXPECT_TRUE(test, 40 < tio_clock_slow_from(10, 10));
	KUNIT_EXPECT_TRUE(test, 500 >= tio_clock_slow_from(10, 10));
	/* a kernel with lockdep and KASAN, emulated: a TSC, an HPET */
	KUNIT_EXPECT_TRUE(test, 6219 < tio_clock_slow_from(5000, 50));
	KUNIT_EXPECT_TRUE(test, 9500 >= tio_clock_slow_from(5000, 50));
	/* four readings of 1 us, 100 times: one CPU, 512 CPUs */
	EXPECT_NUM(test, tio_clock_least_period(1000, 1), 400000);
	EXPECT_NUM(test, tio_clock_least_period(1000, 512), 204800000);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(rate),
	KUNIT_CASE(limit),
	KUNIT_CASE(running),
	KUNIT_CASE(steal),
	KUNIT_CASE(rare),
	KUNIT_CASE(absurd),
	KUNIT_CASE(clocks),
	{ }
};

TIO_SUITE("cost", "what trace_irqoff's beats may cost");
