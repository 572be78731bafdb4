// SPDX-License-Identifier: GPL-2.0-only
#include <linux/kernel.h>

#include "example.h"
#include "record/guard.h"

#define SECOND	(1000 * MS)

static void by_the_end(struct kunit *test)
{
	struct tio_record *rec = hard_end(test, END);

	EXPECT_INT(test, tio_guard_helps(rec), true);
	/* one handler took the time */
	rec->end.handler_ns = 39 * MS;
	rec->handler_ns = 39 * MS;
	EXPECT_INT(test, class_of(rec), TIO_CLASS_HARDIRQ_LONG);
	EXPECT_INT(test, tio_guard_helps(rec), true);
}

static void not_without_a_cause(struct kunit *test)
{
	/* unknown; stolen; the same again, in user mode and idle */
	EXPECT_INT(test, tio_guard_helps(hard_end(test, TRACE_IRQOFF_F_IRQS_ON)), false);
	EXPECT_INT(test, tio_guard_helps(hard_end(test, END | TRACE_IRQOFF_F_ASKER_LATE)),
		   false);
	EXPECT_INT(test, tio_guard_helps(hard_end(test, END | TRACE_IRQOFF_F_USER)), false);
	EXPECT_INT(test, tio_guard_helps(hard_end(test, END | TRACE_IRQOFF_F_IDLE)), false);
}

static void not_with_a_sample(struct kunit *test)
{
	struct tio_record *rec = hard_sample(test, 0);

	EXPECT_INT(test, class_of(rec), TIO_CLASS_HARDIRQ_OFF);
	EXPECT_INT(test, tio_guard_helps(rec), false);
	/* a sample that says nothing was taken all the same */
	rec = hard_sample(test, TRACE_IRQOFF_F_IRQS_ON);
	rec->samples[0].at_ns = rec->end_ns;
	EXPECT_INT(test, tio_guard_helps(rec), false);
}

static void not_for_others(struct kunit *test)
{
	struct tio_record *rec = hard_end(test, END);

	rec->kind = TRACE_IRQOFF_KIND_SOFT;
	EXPECT_INT(test, tio_guard_helps(rec), false);
	rec = hard_end(test, END);
	rec->open = 1;
	EXPECT_INT(test, tio_guard_helps(rec), false);
}

/* a stall each time; guard time must go on for 60 s after the newest */
static void lasts(struct kunit *test)
{
	u64 now_ns, was_ns, until_ns = 0;
	unsigned int moved = 0;

	for (now_ns = 5 * SECOND; now_ns < 25 * SECOND; now_ns += 10 * MS) {
		was_ns = until_ns;
		until_ns = tio_guard_until(until_ns, now_ns);
		moved += until_ns != was_ns;
		KUNIT_EXPECT_LE(test, now_ns + 60 * SECOND, until_ns);
		KUNIT_EXPECT_LE(test, until_ns, now_ns + 61 * SECOND);
	}
	/* other CPUs' copies of it are worth something for a second */
	KUNIT_EXPECT_LE(test, moved, 20U);
	/* a CPU that was stopped as it ended a stall does not shorten it */
	EXPECT_NUM(test, tio_guard_until(until_ns, 6 * SECOND), until_ns);
}

static void knob(struct kunit *test)
{
	static const struct {
		u32 knob;
		u64 until_ns;
		bool now;
	} table[] = {
		{ TRACE_IRQOFF_GUARD_AUTO, 0, false },
		{ TRACE_IRQOFF_GUARD_AUTO, 1000, false },
		{ TRACE_IRQOFF_GUARD_AUTO, 1001, true },
		{ TRACE_IRQOFF_GUARD_ALWAYS, 0, true },
		{ TRACE_IRQOFF_GUARD_ALWAYS, 1001, true },
		{ TRACE_IRQOFF_GUARD_NEVER, 0, false },
		{ TRACE_IRQOFF_GUARD_NEVER, 1001, false },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(table); i++)
		EXPECT_INT_IN(test, tio_guard_now(table[i].knob, table[i].until_ns, 1000),
			      table[i].now, i);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(by_the_end),
	KUNIT_CASE(not_without_a_cause),
	KUNIT_CASE(not_with_a_sample),
	KUNIT_CASE(not_for_others),
	KUNIT_CASE(lasts),
	KUNIT_CASE(knob),
	{ }
};

TIO_SUITE("guard", "trace_irqoff's guard time", .init = example_setup);
