// SPDX-License-Identifier: GPL-2.0-only
/*
 * The times that beats and softirqs give a stall. In milliseconds where nothing
 * else is said: period 1, threshold 10, and watching begins at 100.
 */
#include <linux/kernel.h>

#include "stall.h"
#include "suite.h"

static const struct tio_timing timing = {
	.period_ns = MS, .threshold_ns = 10 * MS,
};

struct fixture {
	struct tio_stall stall;
	struct tio_outcome out;
};

static void start(struct fixture *fix, bool softirqs_on)
{
	tio_stall_start(&fix->stall, 100 * MS, softirqs_on);
}

/* due at @due_ns, it ran at @now_ns */
static void beat_ns(struct fixture *fix, u64 due_ns, u64 now_ns, u64 next_ns, bool softirqs_on)
{
	const struct tio_beat beat = {
		.due_ns = due_ns, .now_ns = now_ns, .next_ns = next_ns,
		.softirqs_on = softirqs_on,
	};

	tio_stall_beat(&fix->stall, &timing, &beat, &fix->out);
}

static void beat(struct fixture *fix, u64 due, u64 now, bool softirqs_on)
{
	beat_ns(fix, due * MS, now * MS, (now + 1) * MS, softirqs_on);
}

static void beats(struct fixture *fix, u64 from, u64 to, bool softirqs_on)
{
	u64 at;

	for (at = from; at <= to; at++)
		beat(fix, at, at, softirqs_on);
}

/* in an interrupt that came in at @entry and is not over */
static void beat_within(struct fixture *fix, u64 due, u64 now, u64 entry, bool again)
{
	const struct tio_beat beat = {
		.due_ns = due * MS, .now_ns = now * MS, .next_ns = (now + 1) * MS,
		.entry_ns = entry * MS, .softirqs_on = true, .again = again,
	};

	tio_stall_beat(&fix->stall, &timing, &beat, &fix->out);
}

static void irq_exit(struct fixture *fix, u64 now)
{
	tio_stall_irq_exit(&fix->stall, &timing, now * MS, &fix->out);
}

static void softirq(struct fixture *fix, u64 now)
{
	tio_stall_softirq(&fix->stall, &timing, now * MS, &fix->out);
}

static void on_time(struct kunit *test)
{
	struct fixture *fix = test->priv;
	u64 at;

	for (at = 101; at < 200; at++) {
		beat(fix, at, at, true);
		KUNIT_EXPECT_FALSE(test, fix->out.count_hard || fix->out.record_hard);
		KUNIT_EXPECT_FALSE(test, fix->out.soft_ended || fix->out.sample_soft);
	}
}

static void hard_edges(struct kunit *test)
{
	struct fixture *fix = test->priv;

	/* counted from two periods, recorded from the threshold on */
	beat_ns(fix, 101 * MS, 103 * MS - 1, 104 * MS, true);
	KUNIT_EXPECT_FALSE(test, fix->out.hard_ended || fix->out.count_hard);
	beat_ns(fix, 104 * MS, 106 * MS, 107 * MS, true);
	KUNIT_EXPECT_TRUE(test, fix->out.hard_ended && fix->out.count_hard);
	beat_ns(fix, 107 * MS, 117 * MS - 1, 118 * MS, true);
	KUNIT_EXPECT_FALSE(test, fix->out.record_hard);
	beat_ns(fix, 118 * MS, 128 * MS, 129 * MS, true);
	KUNIT_EXPECT_TRUE(test, fix->out.record_hard);
	EXPECT_NUM(test, fix->out.hard.min_ns, 10 * MS);
	EXPECT_NUM(test, fix->out.hard.max_ns, 11 * MS + 1);
	/* softirqs were off with them, and make no record */
	KUNIT_EXPECT_FALSE(test, fix->out.soft_ended);
	/* an early one is no late one */
	beat(fix, 130, 129, true);
	KUNIT_EXPECT_FALSE(test, fix->out.hard_ended);
}

/* interrupts stay off until the interrupt that the beat runs in is over */
static void hard_until_irq_exit(struct kunit *test)
{
	struct fixture *fix = test->priv;

	beat_within(fix, 101, 120, 119, false);
	KUNIT_EXPECT_FALSE(test, fix->out.hard_ended || fix->out.record_hard);
	/* a handler behind it takes long, and the beat runs once more */
	beat_within(fix, 121, 135, 119, true);
	KUNIT_EXPECT_FALSE(test, fix->out.hard_ended);
	irq_exit(fix, 140);
	KUNIT_EXPECT_TRUE(test, fix->out.hard_ended && fix->out.record_hard);
	EXPECT_NUM(test, fix->out.hard.min_ns, 39 * MS);
	EXPECT_NUM(test, fix->out.hard.max_ns, 40 * MS);
	/* on since then; and a beat that fell due before that is late from then only */
	beat(fix, 136, 151, true);
	EXPECT_NUM(test, fix->out.hard.min_ns, 11 * MS);
	EXPECT_NUM(test, fix->out.hard.max_ns, 11 * MS);
}

/* a beat on time in an interrupt that goes on: off since it came in */
static void hard_on_until_entry(struct kunit *test)
{
	struct fixture *fix = test->priv;

	beat_within(fix, 104, 104, 103, false);
	beat(fix, 105, 125, true);
	EXPECT_NUM(test, fix->out.hard.min_ns, 20 * MS);
	EXPECT_NUM(test, fix->out.hard.max_ns, 22 * MS);
}

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
	/* it is over: the next softirq is nobody's end */
	softirq(fix, 140);
	KUNIT_EXPECT_FALSE(test, fix->out.soft_ended);
	/* too short for a record */
	beats(fix, 141, 150, false);
	softirq(fix, 150);
	KUNIT_EXPECT_TRUE(test, fix->out.soft_ended && fix->out.count_soft);
	KUNIT_EXPECT_FALSE(test, fix->out.record_soft);
}

/* no softirq told of the end: it lies between two beats */
static void soft_by_beat(struct kunit *test)
{
	struct fixture *fix = test->priv;

	beats(fix, 101, 115, false);
	beat(fix, 116, 116, true);
	KUNIT_EXPECT_TRUE(test, fix->out.soft_ended && fix->out.record_soft);
	EXPECT_NUM(test, fix->out.soft.min_ns, 14 * MS);
	EXPECT_NUM(test, fix->out.soft.max_ns, 16 * MS);
}

/* watching began with bottom halves disabled: who knows since when */
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

static void soft_samples(struct kunit *test)
{
	struct fixture *fix = test->priv;
	u64 at, expected = 10, taken = 0;

	for (at = 101; at <= 260; at++) {
		beat(fix, at, at, false);
		if (!fix->out.sample_soft)
			continue;
		EXPECT_NUM(test, at - 101, expected);
		expected *= 2;
		taken++;
	}
	EXPECT_NUM(test, taken, 4);

	/* interrupts were off until five thresholds had passed: one sample, not three */
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

static void nested(struct kunit *test)
{
	struct fixture *fix = test->priv;

	/* a softirq stall stays whole around a hard one */
	beats(fix, 101, 120, false);
	beat(fix, 121, 136, false);
	KUNIT_EXPECT_TRUE(test, fix->out.record_hard);
	beats(fix, 137, 150, false);
	softirq(fix, 151);
	KUNIT_EXPECT_TRUE(test, fix->out.record_soft);
	EXPECT_NUM(test, fix->out.soft.min_ns, 50 * MS);
	EXPECT_NUM(test, fix->out.soft.max_ns, 51 * MS);
	EXPECT_NUM(test, fix->out.soft_nested_ns, 15 * MS);

	/* and is none where it is no longer than that one; the last one's is forgotten */
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
		EXPECT_INT(test, fix->out.record_soft, end == 131);
	}
	/* hard stalls too short for a record of their own take nothing from it */
	start(fix, true);
	beat(fix, 101, 101, false);
	beat(fix, 102, 107, false);
	KUNIT_EXPECT_FALSE(test, fix->out.record_hard);
	beat(fix, 108, 113, false);
	softirq(fix, 114);
	KUNIT_EXPECT_TRUE(test, fix->out.record_soft);
	EXPECT_NUM(test, fix->out.soft_nested_ns, 0);
}

static u64 next_beat(u64 now_ns)
{
	return (now_ns / MS + 1) * MS;
}

static void expect_between(struct kunit *test, const struct tio_bounds *bounds, u64 truth_ns)
{
	KUNIT_EXPECT_LE(test, bounds->min_ns, truth_ns);
	KUNIT_EXPECT_LE(test, truth_ns, bounds->max_ns);
	KUNIT_EXPECT_LE(test, bounds->max_ns - bounds->min_ns, (u64)timing.period_ns);
}

/* interrupts off from and to any nanosecond: the truth lies between the bounds */
static void any_hard_stall(struct kunit *test)
{
	struct fixture *fix = test->priv;
	u64 now_ns = 100 * MS, due_ns = 101 * MS;
	unsigned int i, recorded = 0;
	struct rnd_state rnd;

	prandom_seed_state(&rnd, SEED);
	for (i = 0; i < 5000; i++) {
		u64 off_ns = now_ns + below(&rnd, 5 * MS);
		u64 len_ns = below(&rnd, 40 * MS) >> below(&rnd, 8);
		const struct tio_outcome *out = &fix->out;

		for (; due_ns <= off_ns; due_ns += MS)
			beat_ns(fix, due_ns, due_ns, due_ns + MS, true);
		now_ns = off_ns + len_ns;
		if (due_ns > now_ns)
			continue;
		beat_ns(fix, due_ns, now_ns, next_beat(now_ns), true);
		EXPECT_INT_IN(test, out->hard_ended, now_ns - due_ns >= 2 * MS, i);
		EXPECT_INT_IN(test, out->record_hard, now_ns - due_ns >= 10 * MS, i);
		if (out->hard_ended)
			expect_between(test, &out->hard, len_ns);
		/* nothing longer than the threshold and a period stays unseen */
		if (len_ns >= 11 * MS)
			KUNIT_EXPECT_TRUE(test, out->record_hard);
		recorded += out->record_hard;
		due_ns = next_beat(now_ns);
	}
	KUNIT_EXPECT_GT(test, recorded, 100u);
}

/* bottom halves off, a softirq at once when they are on again */
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

static int setup(struct kunit *test)
{
	test->priv = kunit_kzalloc(test, sizeof(struct fixture), GFP_KERNEL);
	if (!test->priv)
		return -ENOMEM;
	start(test->priv, true);
	return 0;
}

static struct kunit_case cases[] = {
	KUNIT_CASE(on_time),
	KUNIT_CASE(hard_edges),
	KUNIT_CASE(hard_until_irq_exit),
	KUNIT_CASE(hard_on_until_entry),
	KUNIT_CASE(soft_by_softirq),
	KUNIT_CASE(soft_by_beat),
	KUNIT_CASE(soft_from_before),
	KUNIT_CASE(soft_samples),
	KUNIT_CASE(nested),
	KUNIT_CASE(nested_threshold_outside),
	KUNIT_CASE(any_hard_stall),
	KUNIT_CASE(any_soft_stall),
	{ }
};

static struct kunit_suite suite = {
	.name = "trace_irqoff_bounds",
	.init = setup,
	.test_cases = cases,
};

kunit_test_suites(&suite);

MODULE_DESCRIPTION("Tests of trace_irqoff's bounds");
MODULE_LICENSE("GPL");
