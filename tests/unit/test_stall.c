// SPDX-License-Identifier: GPL-2.0-only
/* Times in milliseconds below; period 1, threshold 10. */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "stall.h"

#define MS	1000000ULL

static const struct tio_timing timing = {
	.period_ns = MS, .threshold_ns = 10 * MS,
};

static struct tio_stall stall;
static struct tio_outcome out;

static int start(void **state)
{
	(void)state;
	tio_stall_start(&stall, 100 * MS, true);
	return 0;
}

/* a beat that was due at @due and ran at @now */
static void beat(__u64 due, __u64 now, bool softirqs_on, bool silent)
{
	struct tio_beat at = {
		.due_ns = due * MS,
		.now_ns = now * MS,
		.next_ns = (now + 1) * MS,
		.softirqs_on = softirqs_on,
		.silent = silent,
	};

	tio_stall_beat(&stall, &timing, &at, &out);
}

static void beats(__u64 from, __u64 to, bool softirqs_on)
{
	for (__u64 i = from; i <= to; i++)
		beat(i, i, softirqs_on, false);
}

static void softirq(__u64 now)
{
	tio_stall_softirq(&stall, &timing, now * MS, &out);
}

static void on_time(void **state)
{
	(void)state;
	for (__u64 i = 101; i < 200; i++) {
		beat(i, i, true, false);
		assert_false(out.count_hard || out.record_hard);
		assert_false(out.soft_ended || out.sample_soft || out.nudge);
	}
}

static void hard_bounds(void **state)
{
	(void)state;
	beats(101, 101, true);
	beat(102, 122, true, false);
	assert_true(out.record_hard && out.count_hard);
	assert_int_equal(out.hard.min_ns, 20 * MS);
	assert_int_equal(out.hard.max_ns, 21 * MS);
	/* that is all: softirqs were off with them, and make no record */
	assert_false(out.soft_ended);
}

static void hard_at_threshold(void **state)
{
	(void)state;
	beat(101, 111, true, false);
	assert_true(out.record_hard);
	start(NULL);
	struct tio_beat at = {
		.due_ns = 101 * MS, .now_ns = 111 * MS - 1,
		.next_ns = 112 * MS, .softirqs_on = true,
	};
	tio_stall_beat(&stall, &timing, &at, &out);
	assert_false(out.record_hard);
	assert_true(out.count_hard);
}

static void counted_from_two_periods(void **state)
{
	(void)state;
	beat(101, 102, true, false);
	assert_false(out.count_hard);
	beat(103, 105, true, false);
	assert_true(out.count_hard);
}

static void early_beat_is_on_time(void **state)
{
	(void)state;
	beat(102, 101, true, false);
	assert_false(out.hard_ended);
	beat(102, 122, true, false);
	assert_int_equal(out.hard.max_ns, 21 * MS);
}

/* interrupts stay off until the interrupt that the beat runs in is over */
static void hard_until_irq_exit(void **state)
{
	struct tio_beat at = {
		.due_ns = 101 * MS, .now_ns = 120 * MS, .next_ns = 121 * MS,
		.entry_ns = 119 * MS, .softirqs_on = true,
	};

	(void)state;
	tio_stall_beat(&stall, &timing, &at, &out);
	assert_false(out.hard_ended || out.record_hard);
	/* a handler behind it takes long, and the beat runs once more */
	at.due_ns = 121 * MS;
	at.now_ns = 135 * MS;
	at.again = true;
	tio_stall_beat(&stall, &timing, &at, &out);
	assert_false(out.hard_ended);
	tio_stall_irq_exit(&stall, &timing, 140 * MS, &out);
	assert_true(out.hard_ended && out.record_hard);
	assert_int_equal(out.hard.min_ns, 39 * MS);
	assert_int_equal(out.hard.max_ns, 40 * MS);
	/* on since then */
	beat(141, 151, true, false);
	assert_int_equal(out.hard.max_ns, 11 * MS);
}

/* the next beat fell due while the interrupt of the late one went on */
static void hard_due_within(void **state)
{
	struct tio_beat at = {
		.due_ns = 101 * MS, .now_ns = 112 * MS, .next_ns = 113 * MS,
		.entry_ns = 111 * MS, .softirqs_on = true,
	};

	(void)state;
	tio_stall_beat(&stall, &timing, &at, &out);
	tio_stall_irq_exit(&stall, &timing, 130 * MS, &out);
	assert_int_equal(out.hard.min_ns, 29 * MS);
	beat(113, 133, true, false);
	assert_int_equal(out.hard.min_ns, 3 * MS);
	assert_int_equal(out.hard.max_ns, 3 * MS);
}

/* a beat on time in an interrupt that goes on: off since it came in */
static void hard_on_until_entry(void **state)
{
	struct tio_beat at = {
		.due_ns = 104 * MS, .now_ns = 104 * MS, .next_ns = 105 * MS,
		.entry_ns = 103 * MS, .softirqs_on = true,
	};

	(void)state;
	tio_stall_beat(&stall, &timing, &at, &out);
	beat(105, 125, true, false);
	assert_int_equal(out.hard.min_ns, 20 * MS);
	assert_int_equal(out.hard.max_ns, 22 * MS);
}

/* softirqs that the late interrupt itself raised run at its end */
static void soft_not_for_hard(void **state)
{
	struct tio_beat at = {
		.due_ns = 101 * MS, .now_ns = 110 * MS, .next_ns = 111 * MS,
		.entry_ns = 110 * MS,
	};

	(void)state;
	tio_stall_beat(&stall, &timing, &at, &out);
	assert_false(out.sample_soft);
	at.due_ns = 111 * MS;
	at.now_ns = 121 * MS;
	at.next_ns = 122 * MS;
	at.again = true;
	tio_stall_beat(&stall, &timing, &at, &out);
	assert_false(out.sample_soft);
	tio_stall_irq_exit(&stall, &timing, 121 * MS, &out);
	assert_true(out.record_hard);
	softirq(122);
	assert_true(out.soft_ended);
	assert_false(out.record_soft || out.count_soft);
}

/* watching began with bottom halves disabled: who knows since when */
static void soft_from_before(void **state)
{
	(void)state;
	tio_stall_start(&stall, 100 * MS, false);
	beats(101, 120, false);
	softirq(121);
	assert_true(out.record_soft);
	assert_int_equal(out.soft.min_ns, 20 * MS);
	assert_int_equal(out.soft.max_ns, 121 * MS);
}

/* a softirq ran after the beat was due, before it came */
static void soft_bounds_in_order(void **state)
{
	(void)state;
	beats(101, 101, false);
	softirq(103);
	beat(102, 104, false, false);
	softirq(115);
	assert_true(out.soft.min_ns <= out.soft.max_ns);
	assert_int_equal(out.soft.min_ns, 11 * MS);
	assert_int_equal(out.soft.max_ns, 12 * MS);
}

static void soft_bounds(void **state)
{
	(void)state;
	beats(101, 105, true);
	beats(106, 130, false);
	softirq(131);
	assert_true(out.soft_ended && out.record_soft && out.count_soft);
	assert_int_equal(out.soft.min_ns, 25 * MS);
	assert_int_equal(out.soft.max_ns, 26 * MS);
	assert_int_equal(out.soft_nested_ns, 0);
	/* it is over: the next softirq is nobody's end */
	softirq(140);
	assert_false(out.soft_ended);
}

static void soft_short(void **state)
{
	(void)state;
	beats(101, 110, false);
	softirq(110);
	assert_true(out.soft_ended && out.count_soft);
	assert_false(out.record_soft);
}

/* softirqs could run at the moment of the softirq, so two stalls are not one */
static void soft_two(void **state)
{
	(void)state;
	beats(101, 106, false);
	softirq(107);
	assert_false(out.record_soft);
	beats(107, 113, false);
	softirq(114);
	assert_false(out.record_soft);
	assert_int_equal(out.soft.min_ns, 7 * MS);
	assert_int_equal(out.soft.max_ns, 7 * MS);
}

/* no softirq told of the end: it lies between two beats */
static void soft_ended_by_beat(void **state)
{
	(void)state;
	beats(101, 115, false);
	beat(116, 116, true, false);
	assert_true(out.soft_ended && out.record_soft);
	assert_int_equal(out.soft.min_ns, 14 * MS);
	assert_int_equal(out.soft.max_ns, 16 * MS);
}

static void samples(void **state)
{
	int taken = 0;
	__u64 at[8];

	(void)state;
	for (__u64 i = 101; i <= 260 && taken < 8; i++) {
		beat(i, i, false, false);
		if (out.sample_soft)
			at[taken++] = i - 101;
	}
	assert_int_equal(taken, 4);
	assert_int_equal(at[0], 10);
	assert_int_equal(at[1], 20);
	assert_int_equal(at[2], 40);
	assert_int_equal(at[3], 80);
}

/* no beat falls on the threshold: rather one before it than none in time */
static void sample_before_threshold(void **state)
{
	static const struct tio_timing odd = {
		.period_ns = 3 * MS, .threshold_ns = 10 * MS,
	};

	(void)state;
	for (__u64 i = 103; i <= 112; i += 3) {
		struct tio_beat at = {
			.due_ns = i * MS, .now_ns = i * MS,
			.next_ns = (i + 3) * MS,
		};

		tio_stall_beat(&stall, &odd, &at, &out);
		assert_int_equal(out.sample_soft, i == 112);
	}
	tio_stall_softirq(&stall, &odd, 114 * MS, &out);
	assert_true(out.record_soft);
}

/* interrupts were off until five thresholds had passed: one sample, not three */
static void sample_once_when_late(void **state)
{
	(void)state;
	beats(101, 101, false);
	beat(102, 151, false, false);
	assert_true(out.sample_soft);
	beat(152, 152, false, false);
	assert_false(out.sample_soft);
	beats(153, 180, false);
	assert_false(out.sample_soft);
	beat(181, 181, false, false);
	assert_true(out.sample_soft);
}

/* the ancestor cut a softirq stall where interrupts were off inside of it */
static void nested_stays_whole(void **state)
{
	(void)state;
	beats(101, 120, false);
	beat(121, 136, false, false);
	assert_true(out.record_hard);
	beats(137, 150, false);
	softirq(151);
	assert_true(out.record_soft);
	assert_int_equal(out.soft.min_ns, 50 * MS);
	assert_int_equal(out.soft.max_ns, 51 * MS);
	assert_int_equal(out.soft_nested_ns, 15 * MS);
}

/* spin_lock_bh(), interrupts off: softirqs are off for no longer than those */
static void nested_alone(void **state)
{
	(void)state;
	beat(101, 131, false, false);
	assert_true(out.record_hard);
	softirq(132);
	assert_true(out.soft_ended);
	assert_false(out.record_soft || out.count_soft);
}

static void nested_needs_threshold_outside(void **state)
{
	(void)state;
	beats(101, 104, false);
	beat(105, 125, false, false);
	beats(126, 130, false);
	softirq(130);
	assert_int_equal(out.soft.min_ns, 29 * MS);
	assert_false(out.record_soft);

	start(NULL);
	beats(101, 104, false);
	beat(105, 125, false, false);
	beats(126, 131, false);
	softirq(131);
	assert_true(out.record_soft);
}

/* hard stalls too short for a record of their own take nothing from it */
static void nested_unrecorded(void **state)
{
	(void)state;
	beat(101, 101, false, false);
	beat(102, 107, false, false);
	assert_false(out.record_hard);
	beat(108, 113, false, false);
	softirq(114);
	assert_true(out.record_soft);
	assert_int_equal(out.soft_nested_ns, 0);
}

/* what was nested in one stall is not in the next */
static void nested_forgotten(void **state)
{
	(void)state;
	beat(101, 131, false, false);
	softirq(132);
	beats(132, 150, false);
	softirq(150);
	assert_true(out.record_soft);
	assert_int_equal(out.soft_nested_ns, 0);
}

static void nudge_when_silent(void **state)
{
	(void)state;
	beat(101, 101, false, true);
	assert_true(out.nudge);
	beat(102, 102, false, false);
	assert_false(out.nudge);
}

/* A beat called quiet is one that would have changed nothing else, whatever came before it. */
static void quiet_is_a_short_cut(void **state)
{
	unsigned int quiet = 0;
	__u64 now = 100 * MS;

	(void)state;
	srand(1);
	for (int i = 0; i < 100000; i++) {
		struct tio_stall shorter = stall;
		struct tio_beat at = {
			.due_ns = now + (__u64)(rand() % (3 * (int)MS)),
			.softirqs_on = rand() % 8,
			.silent = rand() % 2,
			.again = !(rand() % 16),
		};

		now = at.due_ns + (__u64)(rand() % 8 ? rand() % 1000 : rand() % (4 * (int)MS));
		at.now_ns = now;
		at.next_ns = now + MS;
		at.entry_ns = rand() % 4 ? now - (__u64)(rand() % 1000) : 0;
		tio_stall_beat(&stall, &timing, &at, &out);
		if (at.softirqs_on && !at.again && now < at.due_ns + timing.period_ns &&
		    tio_stall_quiet(&shorter, now, at.entry_ns ?: now)) {
			struct tio_outcome nothing = { };

			quiet++;
			assert_memory_equal(&out, &nothing, sizeof(out));
			assert_int_equal(stall.soft_on_ns, shorter.soft_on_ns);
			assert_int_equal(stall.hard_on_ns, shorter.hard_on_ns);
			assert_int_equal(stall.soft_due_ns | shorter.soft_due_ns |
					 stall.hard_due_ns | shorter.hard_due_ns, 0);
		}
		if (stall.hard_due_ns && rand() % 2)
			tio_stall_irq_exit(&stall, &timing, now, &out);
	}
	assert_in_range(quiet, 10000, 90000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(on_time, start),
		cmocka_unit_test_setup(hard_bounds, start),
		cmocka_unit_test_setup(hard_at_threshold, start),
		cmocka_unit_test_setup(counted_from_two_periods, start),
		cmocka_unit_test_setup(early_beat_is_on_time, start),
		cmocka_unit_test_setup(hard_until_irq_exit, start),
		cmocka_unit_test_setup(hard_on_until_entry, start),
		cmocka_unit_test_setup(hard_due_within, start),
		cmocka_unit_test_setup(soft_not_for_hard, start),
		cmocka_unit_test_setup(soft_from_before, start),
		cmocka_unit_test_setup(soft_bounds_in_order, start),
		cmocka_unit_test_setup(soft_bounds, start),
		cmocka_unit_test_setup(soft_short, start),
		cmocka_unit_test_setup(soft_two, start),
		cmocka_unit_test_setup(soft_ended_by_beat, start),
		cmocka_unit_test_setup(samples, start),
		cmocka_unit_test_setup(sample_before_threshold, start),
		cmocka_unit_test_setup(sample_once_when_late, start),
		cmocka_unit_test_setup(nested_stays_whole, start),
		cmocka_unit_test_setup(nested_alone, start),
		cmocka_unit_test_setup(nested_needs_threshold_outside, start),
		cmocka_unit_test_setup(nested_unrecorded, start),
		cmocka_unit_test_setup(nested_forgotten, start),
		cmocka_unit_test_setup(nudge_when_silent, start),
		cmocka_unit_test_setup(quiet_is_a_short_cut, start),
	};

	return cmocka_run_group_tests_name("stall", tests, NULL, NULL);
}
