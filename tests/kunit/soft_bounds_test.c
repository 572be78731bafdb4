// SPDX-License-Identifier: GPL-2.0-only
/* The bounds of how long softirqs could not run. */
#include "beats.h"

static void soft_by_softirq(struct kunit *test)
{
	struct fixture *fix = test->priv;

	beats(fix, 101, 105, true);
	beats(fix, 106, 130, false);
	softirq(fix, 131);
	KUNIT_EXPECT_TRUE(test, fix->out.soft_ended && fix->out.record_soft);
	KUNIT_EXPECT_TRUE(test, fix->out.count_soft);
	EXPECT_NUM(test, fix->out.soft.min_ns, 25 * MS);
	EXPECT_NUM(test, fix->out.soft.max_ns, 26 * MS);
	EXPECT_NUM(test, fix->out.soft_nested_ns, 0);
	/* the stall is over: the next softirq ends nothing */
	softirq(fix, 140);
	KUNIT_EXPECT_FALSE(test, fix->out.soft_ended);
	/* too short for a record */
	beats(fix, 141, 150, false);
	softirq(fix, 150);
	KUNIT_EXPECT_TRUE(test, fix->out.soft_ended && fix->out.count_soft);
	KUNIT_EXPECT_FALSE(test, fix->out.record_soft);
}

/* no softirq marks the end, so it lies between two beats */
static void soft_by_beat(struct kunit *test)
{
	struct fixture *fix = test->priv;

	beats(fix, 101, 115, false);
	beat(fix, 116, 116, true);
	KUNIT_EXPECT_TRUE(test, fix->out.soft_ended && fix->out.record_soft);
	EXPECT_NUM(test, fix->out.soft.min_ns, 14 * MS);
	EXPECT_NUM(test, fix->out.soft.max_ns, 16 * MS);
}

/* watching began with bottom halves disabled, for an unknown time */
static void soft_from_before(struct kunit *test)
{
	struct fixture *fix = test->priv;

	start(fix, false);
	beats(fix, 101, 120, false);
	softirq(fix, 121);
	KUNIT_EXPECT_TRUE(test, fix->out.record_soft);
	EXPECT_NUM(test, fix->out.soft.min_ns, 20 * MS);
	EXPECT_NUM(test, fix->out.soft.max_ns, 121 * MS);
}

/* softirqs that the late interrupt raised itself run when it ends */
static void soft_not_for_hard(struct kunit *test)
{
	struct fixture *fix = test->priv;
	struct tio_beat at = {
		.due_ns = 101 * MS, .now_ns = 110 * MS, .next_ns = 111 * MS,
		.entry_ns = 110 * MS,
	};

	tio_stall_beat(&fix->stall, &timing, &at, &fix->out);
	KUNIT_EXPECT_FALSE(test, fix->out.sample_soft);
	at.due_ns = 111 * MS;
	at.now_ns = 121 * MS;
	at.next_ns = 122 * MS;
	at.again = true;
	tio_stall_beat(&fix->stall, &timing, &at, &fix->out);
	KUNIT_EXPECT_FALSE(test, fix->out.sample_soft);
	irq_exit(fix, 121);
	KUNIT_EXPECT_TRUE(test, fix->out.record_hard);
	softirq(fix, 122);
	KUNIT_EXPECT_TRUE(test, fix->out.soft_ended);
	KUNIT_EXPECT_FALSE(test, fix->out.record_soft || fix->out.count_soft);
}

/* a softirq ran after the beat was due but before the beat ran */
static void soft_bounds_in_order(struct kunit *test)
{
	struct fixture *fix = test->priv;

	beats(fix, 101, 101, false);
	softirq(fix, 103);
	beat(fix, 102, 104, false);
	softirq(fix, 115);
	KUNIT_EXPECT_LE(test, fix->out.soft.min_ns, fix->out.soft.max_ns);
	EXPECT_NUM(test, fix->out.soft.min_ns, 11 * MS);
	EXPECT_NUM(test, fix->out.soft.max_ns, 12 * MS);
}

/* a softirq ran in between, so these are two stalls */
static void soft_two(struct kunit *test)
{
	struct fixture *fix = test->priv;

	beats(fix, 101, 106, false);
	softirq(fix, 107);
	KUNIT_EXPECT_FALSE(test, fix->out.record_soft);
	beats(fix, 107, 113, false);
	softirq(fix, 114);
	KUNIT_EXPECT_FALSE(test, fix->out.record_soft);
	EXPECT_NUM(test, fix->out.soft.min_ns, 7 * MS);
	EXPECT_NUM(test, fix->out.soft.max_ns, 7 * MS);
}

static void soft_samples(struct kunit *test)
{
	struct fixture *fix = test->priv;
	u64 at, expected = 5, taken = 0;

	for (at = 101; at <= 260; at++) {
		beat(fix, at, at, false);
		if (!fix->out.sample_soft)
			continue;
		EXPECT_NUM(test, at - 101, expected);
		expected *= 2;
		taken++;
	}
	EXPECT_NUM(test, taken, 5);

	/* interrupts were off for five thresholds: one sample is taken, not three */
	start(fix, true);
	beat(fix, 101, 101, false);
	beat(fix, 102, 151, false);
	KUNIT_EXPECT_TRUE(test, fix->out.sample_soft);
	for (at = 152; at <= 180; at++) {
		beat(fix, at, at, false);
		KUNIT_EXPECT_FALSE(test, fix->out.sample_soft);
	}
	beat(fix, 181, 181, false);
	KUNIT_EXPECT_TRUE(test, fix->out.sample_soft);
}

/* if no beat falls on the moment of a look, the beat before it takes the sample */
static void sample_before_look(struct kunit *test)
{
	static const struct tio_timing odd = {
		.period_ns = 3 * MS, .threshold_ns = 10 * MS,
	};
	struct fixture *fix = test->priv;
	u64 at;

	for (at = 103; at <= 112; at += 3) {
		const struct tio_beat beat = {
			.due_ns = at * MS, .now_ns = at * MS, .next_ns = (at + 3) * MS,
		};

		tio_stall_beat(&fix->stall, &odd, &beat, &fix->out);
		EXPECT_INT_IN(test, fix->out.sample_soft, at == 106 || at == 112, at);
	}
	tio_stall_softirq(&fix->stall, &odd, 114 * MS, &fix->out);
	KUNIT_EXPECT_TRUE(test, fix->out.record_soft);
}

static void nudge_when_silent(struct kunit *test)
{
	struct fixture *fix = test->priv;
	struct tio_beat at = {
		.due_ns = 101 * MS, .now_ns = 101 * MS, .next_ns = 102 * MS, .silent = true,
	};

	tio_stall_beat(&fix->stall, &timing, &at, &fix->out);
	KUNIT_EXPECT_TRUE(test, fix->out.nudge);
	beat(fix, 102, 102, false);
	KUNIT_EXPECT_FALSE(test, fix->out.nudge);
}

static void nested(struct kunit *test)
{
	struct fixture *fix = test->priv;

	/* a soft stall goes on through a hard one */
	beats(fix, 101, 120, false);
	beat(fix, 121, 136, false);
	KUNIT_EXPECT_TRUE(test, fix->out.record_hard);
	beats(fix, 137, 150, false);
	softirq(fix, 151);
	KUNIT_EXPECT_TRUE(test, fix->out.record_soft);
	EXPECT_NUM(test, fix->out.soft.min_ns, 50 * MS);
	EXPECT_NUM(test, fix->out.soft.max_ns, 51 * MS);
	EXPECT_NUM(test, fix->out.soft_nested_ns, 15 * MS);
	EXPECT_NUM(test, fix->out.soft_late_ns, 15 * MS);

	/* a soft stall no longer than the hard one within it is none; nesting starts from 0 */
	start(fix, true);
	beat(fix, 101, 131, false);
	KUNIT_EXPECT_TRUE(test, fix->out.record_hard);
	softirq(fix, 132);
	KUNIT_EXPECT_TRUE(test, fix->out.soft_ended);
	KUNIT_EXPECT_FALSE(test, fix->out.record_soft || fix->out.count_soft);
	EXPECT_NUM(test, fix->out.soft_nested_ns, 0);
}

static void nested_threshold_outside(struct kunit *test)
{
	struct fixture *fix = test->priv;
	u64 end;

	for (end = 130; end <= 131; end++) {
		start(fix, true);
		beats(fix, 101, 104, false);
		beat(fix, 105, 125, false);
		beats(fix, 126, end, false);
		softirq(fix, end);
		EXPECT_NUM(test, fix->out.soft.min_ns, (end - 101) * MS);
		EXPECT_INT(test, fix->out.record_soft, end == 131);
	}
	/* hard stalls too short for a record do not shorten it */
	start(fix, true);
	beat(fix, 101, 101, false);
	beat(fix, 102, 107, false);
	KUNIT_EXPECT_FALSE(test, fix->out.record_hard);
	beat(fix, 108, 113, false);
	softirq(fix, 114);
	KUNIT_EXPECT_TRUE(test, fix->out.record_soft);
	EXPECT_NUM(test, fix->out.soft_nested_ns, 0);
	/* but the CPU is not known to have run in them */
	EXPECT_NUM(test, fix->out.soft_late_ns, 10 * MS);
}

/* hard stalls in one soft stall do not count in the next */
static void nested_forgotten(struct kunit *test)
{
	struct fixture *fix = test->priv;

	beat(fix, 101, 131, false);
	softirq(fix, 132);
	beats(fix, 132, 150, false);
	softirq(fix, 150);
	KUNIT_EXPECT_TRUE(test, fix->out.record_soft);
	EXPECT_NUM(test, fix->out.soft_nested_ns, 0);
	EXPECT_NUM(test, fix->out.soft_late_ns, 0);
}

/* bottom halves are off, and a softirq runs as soon as they are on */
static void any_soft_stall(struct kunit *test)
{
	struct fixture *fix = test->priv;
	u64 now_ns = 100 * MS, due_ns = 101 * MS;
	unsigned int i, recorded = 0;
	struct rnd_state rnd;

	prandom_seed_state(&rnd, SEED);
	for (i = 0; i < 5000; i++) {
		u64 off_ns = now_ns + below(&rnd, 5 * MS);
		u64 len_ns = below(&rnd, 40 * MS) >> below(&rnd, 8);
		u64 first_ns;

		for (; due_ns <= off_ns; due_ns += MS)
			beat_ns(fix, due_ns, due_ns, due_ns + MS, true);
		first_ns = due_ns;
		now_ns = off_ns + len_ns;
		for (; due_ns <= now_ns; due_ns += MS)
			beat_ns(fix, due_ns, due_ns, due_ns + MS, false);
		tio_stall_softirq(&fix->stall, &timing, now_ns, &fix->out);

		EXPECT_INT_IN(test, fix->out.soft_ended, first_ns <= now_ns, i);
		EXPECT_INT_IN(test, fix->out.record_soft, first_ns + 10 * MS <= now_ns, i);
		if (fix->out.soft_ended)
			expect_between(test, &fix->out.soft, len_ns);
		if (len_ns >= 11 * MS)
			KUNIT_EXPECT_TRUE(test, fix->out.record_soft);
		recorded += fix->out.record_soft;
	}
	KUNIT_EXPECT_GT(test, recorded, 100u);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(soft_by_softirq),
	KUNIT_CASE(soft_by_beat),
	KUNIT_CASE(soft_from_before),
	KUNIT_CASE(soft_not_for_hard),
	KUNIT_CASE(soft_bounds_in_order),
	KUNIT_CASE(soft_two),
	KUNIT_CASE(soft_samples),
	KUNIT_CASE(sample_before_look),
	KUNIT_CASE(nudge_when_silent),
	KUNIT_CASE(nested),
	KUNIT_CASE(nested_threshold_outside),
	KUNIT_CASE(nested_forgotten),
	KUNIT_CASE(any_soft_stall),
	{ }
};

TIO_SUITE("soft_bounds", "trace_irqoff's bounds of softirq stalls", .init = beats_setup);
