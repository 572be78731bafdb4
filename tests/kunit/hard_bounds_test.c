// SPDX-License-Identifier: GPL-2.0-only
/* The lower and upper bound of how long interrupts were off. */
#include "beats.h"

static void on_time(struct kunit *test)
{
	struct fixture *fix = test->priv;
	u64 at;

	for (at = 101; at < 200; at++) {
		beat(fix, at, at, true);
		KUNIT_EXPECT_FALSE(test, fix->out.count_hard || fix->out.record_hard);
		KUNIT_EXPECT_FALSE(test, fix->out.soft_ended || fix->out.sample_soft);
		KUNIT_EXPECT_FALSE(test, fix->out.nudge);
	}
}

static void hard_edges(struct kunit *test)
{
	struct fixture *fix = test->priv;

	/* stalls are counted from two periods on, recorded from the threshold on */
	beat_ns(fix, 101 * MS, 103 * MS - 1, 104 * MS, true);
	KUNIT_EXPECT_FALSE(test, fix->out.hard_ended || fix->out.count_hard);
	beat_ns(fix, 104 * MS, 106 * MS, 107 * MS, true);
	KUNIT_EXPECT_TRUE(test, fix->out.hard_ended && fix->out.count_hard);
	beat_ns(fix, 107 * MS, 117 * MS - 1, 118 * MS, true);
	KUNIT_EXPECT_FALSE(test, fix->out.record_hard);
	KUNIT_EXPECT_TRUE(test, fix->out.count_hard);
	beat_ns(fix, 118 * MS, 128 * MS, 129 * MS, true);
	KUNIT_EXPECT_TRUE(test, fix->out.record_hard && fix->out.count_hard);
	EXPECT_NUM(test, fix->out.hard.min_ns, 10 * MS);
	EXPECT_NUM(test, fix->out.hard.max_ns, 11 * MS + 1);
	/* softirqs were off too, but make no record of their own */
	KUNIT_EXPECT_FALSE(test, fix->out.soft_ended);
	/* an early beat is not late */
	beat(fix, 130, 129, true);
	KUNIT_EXPECT_FALSE(test, fix->out.hard_ended);
	beat(fix, 130, 150, true);
	KUNIT_EXPECT_TRUE(test, fix->out.record_hard && fix->out.count_hard);
	EXPECT_NUM(test, fix->out.hard.min_ns, 20 * MS);
	EXPECT_NUM(test, fix->out.hard.max_ns, 21 * MS);
}

/* interrupts stay off until the interrupt in which the beat runs ends */
static void hard_until_irq_exit(struct kunit *test)
{
	struct fixture *fix = test->priv;

	beat_within(fix, 101, 120, 119, false);
	KUNIT_EXPECT_FALSE(test, fix->out.hard_ended || fix->out.record_hard);
	/* a later handler takes long, and the beat runs again */
	beat_within(fix, 121, 135, 119, true);
	KUNIT_EXPECT_FALSE(test, fix->out.hard_ended);
	irq_exit(fix, 140);
	KUNIT_EXPECT_TRUE(test, fix->out.hard_ended && fix->out.record_hard);
	EXPECT_NUM(test, fix->out.hard.min_ns, 39 * MS);
	EXPECT_NUM(test, fix->out.hard.max_ns, 40 * MS);
	/* a beat that was due before the exit is late only from the exit on */
	beat(fix, 136, 151, true);
	EXPECT_NUM(test, fix->out.hard.min_ns, 11 * MS);
	EXPECT_NUM(test, fix->out.hard.max_ns, 11 * MS);
	/* interrupts have been on since the exit */
	beat_within(fix, 152, 162, 161, false);
	irq_exit(fix, 170);
	EXPECT_NUM(test, fix->out.hard.min_ns, 18 * MS);
	beat(fix, 171, 181, true);
	EXPECT_NUM(test, fix->out.hard.max_ns, 11 * MS);
}

/* the next beat is due while the interrupt of the late beat goes on */
static void hard_due_within(struct kunit *test)
{
	struct fixture *fix = test->priv;

	beat_within(fix, 101, 112, 111, false);
	irq_exit(fix, 130);
	EXPECT_NUM(test, fix->out.hard.min_ns, 29 * MS);
	beat(fix, 113, 133, true);
	EXPECT_NUM(test, fix->out.hard.min_ns, 3 * MS);
	EXPECT_NUM(test, fix->out.hard.max_ns, 3 * MS);
}

/* a timely beat in an interrupt that goes on: interrupts are off since its entry */
static void hard_on_until_entry(struct kunit *test)
{
	struct fixture *fix = test->priv;

	beat_within(fix, 104, 104, 103, false);
	beat(fix, 105, 125, true);
	EXPECT_NUM(test, fix->out.hard.min_ns, 20 * MS);
	EXPECT_NUM(test, fix->out.hard.max_ns, 22 * MS);
}

/* whatever came before, the fast path takes only beats that would have changed nothing else */
static void the_fast_path_is_a_short_cut(struct kunit *test)
{
	const struct tio_outcome nothing = { };
	struct fixture *fix = test->priv;
	unsigned int i, quiet = 0;
	u64 now_ns = 100 * MS;
	struct rnd_state rnd;

	prandom_seed_state(&rnd, SEED);
	for (i = 0; i < 100000; i++) {
		struct tio_stall *stall = &fix->stall, shorter = *stall;
		struct tio_beat at = {
			.due_ns = now_ns + below(&rnd, 3 * MS),
			.softirqs_on = below(&rnd, 8),
			.silent = below(&rnd, 2),
			.again = !below(&rnd, 16),
		};

		now_ns = at.due_ns + (below(&rnd, 8) ? below(&rnd, 1000) : below(&rnd, 4 * MS));
		at.now_ns = now_ns;
		at.next_ns = now_ns + MS;
		at.entry_ns = below(&rnd, 4) ? now_ns - below(&rnd, 1000) : 0;
		tio_stall_beat(stall, &timing, &at, &fix->out);
		if (at.softirqs_on && !at.again && now_ns < at.due_ns + timing.period_ns &&
		    tio_stall_fast(&shorter, now_ns, at.entry_ns ?: now_ns)) {
			quiet++;
			EXPECT_INT_IN(test, memcmp(&fix->out, &nothing, sizeof(nothing)), 0, i);
			EXPECT_NUM_IN(test, stall->soft_on_ns, shorter.soft_on_ns, i);
			EXPECT_NUM_IN(test, stall->hard_on_ns, shorter.hard_on_ns, i);
			EXPECT_NUM_IN(test, stall->soft_due_ns | stall->hard_due_ns, 0, i);
			EXPECT_NUM_IN(test, shorter.soft_due_ns | shorter.hard_due_ns, 0, i);
		}
		if (stall->hard_due_ns && below(&rnd, 2))
			tio_stall_irq_exit(stall, &timing, now_ns, &fix->out);
	}
	KUNIT_EXPECT_LE(test, 10000u, quiet);
	KUNIT_EXPECT_LE(test, quiet, 90000u);
}

static u64 next_beat(u64 now_ns)
{
	return (now_ns / MS + 1) * MS;
}

/* interrupts off between any two nanoseconds: the bounds hold the true length */
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
		/* every stall longer than the threshold plus a period is recorded */
		if (len_ns >= 11 * MS)
			KUNIT_EXPECT_TRUE(test, out->record_hard);
		recorded += out->record_hard;
		due_ns = next_beat(now_ns);
	}
	KUNIT_EXPECT_GT(test, recorded, 100u);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(on_time),
	KUNIT_CASE(hard_edges),
	KUNIT_CASE(hard_until_irq_exit),
	KUNIT_CASE(hard_due_within),
	KUNIT_CASE(hard_on_until_entry),
	KUNIT_CASE(the_fast_path_is_a_short_cut),
	KUNIT_CASE(any_hard_stall),
	{ }
};

TIO_SUITE("hard_bounds", "trace_irqoff's bounds of hard stalls", .init = beats_setup);
