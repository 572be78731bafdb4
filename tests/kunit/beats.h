/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Feeds beats and softirqs to a stall, for the suites of bounds. Times are in
 * milliseconds unless a name says otherwise. The period is 1, the threshold 10, and
 * watching begins at 100.
 */
#ifndef _TIO_BEATS_H
#define _TIO_BEATS_H

#include <linux/kernel.h>

#include "core/stall.h"
#include "suite.h"

static const struct tio_timing timing = {
	.period_ns = MS, .threshold_ns = 10 * MS,
};

struct fixture {
	struct tio_stall stall;
	struct tio_outcome out;
};

static inline void start(struct fixture *fix, bool softirqs_on)
{
	tio_stall_start(&fix->stall, 100 * MS, softirqs_on);
}

/* a beat that was due at @due_ns and ran at @now_ns */
static inline void beat_ns(struct fixture *fix, u64 due_ns, u64 now_ns, u64 next_ns,
			   bool softirqs_on)
{
	const struct tio_beat beat = {
		.due_ns = due_ns, .now_ns = now_ns, .next_ns = next_ns,
		.softirqs_on = softirqs_on,
	};

	tio_stall_beat(&fix->stall, &timing, &beat, &fix->out);
}

static inline void beat(struct fixture *fix, u64 due, u64 now, bool softirqs_on)
{
	beat_ns(fix, due * MS, now * MS, (now + 1) * MS, softirqs_on);
}

static inline void beats(struct fixture *fix, u64 from, u64 to, bool softirqs_on)
{
	u64 at;

	for (at = from; at <= to; at++)
		beat(fix, at, at, softirqs_on);
}

/* a beat in an interrupt that came at @entry and goes on */
static inline void beat_within(struct fixture *fix, u64 due, u64 now, u64 entry, bool again)
{
	const struct tio_beat beat = {
		.due_ns = due * MS, .now_ns = now * MS, .next_ns = (now + 1) * MS,
		.entry_ns = entry * MS, .softirqs_on = true, .again = again,
	};

	tio_stall_beat(&fix->stall, &timing, &beat, &fix->out);
}

static inline void irq_exit(struct fixture *fix, u64 now)
{
	tio_stall_irq_exit(&fix->stall, &timing, now * MS, &fix->out);
}

static inline void softirq(struct fixture *fix, u64 now)
{
	tio_stall_softirq(&fix->stall, &timing, now * MS, &fix->out);
}

static inline void expect_between(struct kunit *test, const struct tio_bounds *bounds,
				  u64 truth_ns)
{
	KUNIT_EXPECT_LE(test, bounds->min_ns, truth_ns);
	KUNIT_EXPECT_LE(test, truth_ns, bounds->max_ns);
	KUNIT_EXPECT_LE(test, bounds->max_ns - bounds->min_ns, (u64)timing.period_ns);
}

static inline int beats_setup(struct kunit *test)
{
	test->priv = kunit_kzalloc(test, sizeof(struct fixture), GFP_KERNEL);
	if (!test->priv)
		return -ENOMEM;
	start(test->priv, true);
	return 0;
}

#endif /* _TIO_BEATS_H */
