// SPDX-License-Identifier: GPL-2.0-only
#include <linux/kernel.h>

#include "example.h"

static void hard_by_end(struct kunit *test)
{
	static const struct {
		u32 flags;
		enum tio_class class;
	} table[] = {
		{ END, TIO_CLASS_HARDIRQ_OFF },
		/* a softirq may turn interrupts off too */
		{ END | TRACE_IRQOFF_F_SERVING_SOFTIRQ, TIO_CLASS_HARDIRQ_OFF },
		{ END | TRACE_IRQOFF_F_BH_OFF, TIO_CLASS_HARDIRQ_OFF },
		{ TRACE_IRQOFF_F_IRQS_ON, TIO_CLASS_UNKNOWN },
		{ END | TRACE_IRQOFF_F_IDLE, TIO_CLASS_UNKNOWN },
		{ END | TRACE_IRQOFF_F_IDLE_LOOP, TIO_CLASS_UNKNOWN },
		/* a softirq on top of the idle task; the softirq loop */
		{ END | TRACE_IRQOFF_F_IDLE | TRACE_IRQOFF_F_SERVING_SOFTIRQ,
		  TIO_CLASS_HARDIRQ_OFF },
		{ END | TRACE_IRQOFF_F_SERVING_SOFTIRQ | TRACE_IRQOFF_F_SOFTIRQ_LOOP,
		  TIO_CLASS_UNKNOWN },
		{ END | TRACE_IRQOFF_F_USER, TIO_CLASS_UNKNOWN },
		{ END | TRACE_IRQOFF_F_HARDIRQ, TIO_CLASS_UNKNOWN },
		{ 0, TIO_CLASS_UNKNOWN },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(table); i++)
		EXPECT_INT_IN(test, class_of(hard_end(test, table[i].flags)),
			      table[i].class, i);
}

static void handlers_may_explain_it(struct kunit *test)
{
	struct tio_record *rec = hard_end(test, END);

	/* the stall less the threshold, then one nanosecond more */
	rec->handler_ns = 30 * MS;
	EXPECT_INT(test, class_of(rec), TIO_CLASS_HARDIRQ_OFF);
	rec->handler_ns++;
	EXPECT_INT(test, class_of(rec), TIO_CLASS_UNKNOWN);

	rec = hard_end(test, END);
	rec->handler_known = 0;
	EXPECT_INT(test, class_of(rec), TIO_CLASS_UNKNOWN);

	rec = hard_end(test, END);
	rec->untraced_irqs = 1;
	EXPECT_INT(test, class_of(rec), TIO_CLASS_UNKNOWN);
}

static void soft_by_sample(struct kunit *test)
{
	static const struct {
		u32 flags;
		u32 pending;
		enum tio_class class;
	} table[] = {
		{ TRACE_IRQOFF_F_SERVING_SOFTIRQ, 0, TIO_CLASS_SOFTIRQ_LONG },
		{ TRACE_IRQOFF_F_SERVING_SOFTIRQ, 2, TIO_CLASS_SOFTIRQ_LONG },
		{ TRACE_IRQOFF_F_BH_OFF, 0, TIO_CLASS_SOFTIRQ_OFF },
		{ TRACE_IRQOFF_F_BH_OFF, 2, TIO_CLASS_SOFTIRQ_OFF },
		/* both counts are raised while a softirq is served; serving decides */
		{ TRACE_IRQOFF_F_SERVING_SOFTIRQ | TRACE_IRQOFF_F_BH_OFF, 0,
		  TIO_CLASS_SOFTIRQ_LONG },
		{ 0, 8, TIO_CLASS_KSOFTIRQD_WAIT },
		{ TRACE_IRQOFF_F_USER, 8, TIO_CLASS_KSOFTIRQD_WAIT },
		/* PREEMPT_RT: another task than the running one disabled them */
		{ TRACE_IRQOFF_F_BH_HELD, 8, TIO_CLASS_SOFTIRQ_OFF },
		{ TRACE_IRQOFF_F_BH_HELD | TRACE_IRQOFF_F_IDLE, 8, TIO_CLASS_SOFTIRQ_OFF },
		{ TRACE_IRQOFF_F_BH_HELD | TRACE_IRQOFF_F_SERVING_SOFTIRQ, 8,
		  TIO_CLASS_SOFTIRQ_LONG },
		{ TRACE_IRQOFF_F_BH_HELD, 0, TIO_CLASS_UNKNOWN },
		{ 0, 0, TIO_CLASS_UNKNOWN },
		{ TRACE_IRQOFF_F_HARDIRQ | TRACE_IRQOFF_F_SERVING_SOFTIRQ, 2,
		  TIO_CLASS_UNKNOWN },
		{ TRACE_IRQOFF_F_HARDIRQ | TRACE_IRQOFF_F_BH_OFF, 0,
		  TIO_CLASS_UNKNOWN },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(table); i++) {
		struct tio_record *rec;

		rec = soft_sample(test, table[i].flags, table[i].pending);
		EXPECT_INT_IN(test, class_of(rec), table[i].class, i);
		/* the class is the same while the stall is open */
		rec->open = 1;
		EXPECT_INT_IN(test, class_of(rec), table[i].class, i);
	}
}

static void hard_by_sample(struct kunit *test)
{
	static const struct {
		u32 flags;
		enum tio_class class;
	} table[] = {
		{ 0, TIO_CLASS_HARDIRQ_OFF },
		{ TRACE_IRQOFF_F_BH_OFF, TIO_CLASS_HARDIRQ_OFF },
		{ TRACE_IRQOFF_F_SERVING_SOFTIRQ, TIO_CLASS_HARDIRQ_OFF },
		/* some idle states turn interrupts off; a softirq on top of the idle task */
		{ TRACE_IRQOFF_F_IDLE, TIO_CLASS_UNKNOWN },
		{ TRACE_IRQOFF_F_IDLE | TRACE_IRQOFF_F_SERVING_SOFTIRQ,
		  TIO_CLASS_HARDIRQ_OFF },
		{ TRACE_IRQOFF_F_IDLE_LOOP, TIO_CLASS_HARDIRQ_OFF },
		/* no tracepoint reported the handler */
		{ TRACE_IRQOFF_F_HARDIRQ, TIO_CLASS_HARDIRQ_LONG },
		{ TRACE_IRQOFF_F_HARDIRQ | TRACE_IRQOFF_F_SERVING_SOFTIRQ,
		  TIO_CLASS_HARDIRQ_LONG },
		{ TRACE_IRQOFF_F_HARDIRQ | TRACE_IRQOFF_F_IDLE, TIO_CLASS_HARDIRQ_LONG },
		/* interrupts were on, so the beat was late only because the CPU did not run */
		{ TRACE_IRQOFF_F_IRQS_ON, TIO_CLASS_STOLEN },
		{ TRACE_IRQOFF_F_IRQS_ON | TRACE_IRQOFF_F_USER, TIO_CLASS_STOLEN },
		{ TRACE_IRQOFF_F_IRQS_ON | TRACE_IRQOFF_F_IDLE, TIO_CLASS_STOLEN },
		{ TRACE_IRQOFF_F_IRQS_ON | TRACE_IRQOFF_F_HARDIRQ, TIO_CLASS_STOLEN },
		/* all CPUs were stopped, and the stall went on afterwards */
		{ TRACE_IRQOFF_F_ASKER_LATE, TIO_CLASS_HARDIRQ_OFF },
		{ TRACE_IRQOFF_F_ASKER_LATE | TRACE_IRQOFF_F_HARDIRQ,
		  TIO_CLASS_HARDIRQ_LONG },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(table); i++) {
		struct tio_record *rec = hard_sample(test, table[i].flags);

		EXPECT_INT_IN(test, class_of(rec), table[i].class, i);
		KUNIT_EXPECT_STREQ(test, evidence_of(rec), "sample");
		/* whatever the end shows, and also while the stall is open */
		rec->end.flags = TRACE_IRQOFF_F_USER;
		EXPECT_INT_IN(test, class_of(rec), table[i].class, i);
		rec->open = 1;
		EXPECT_INT_IN(test, class_of(rec), table[i].class, i);
	}
}

static void handlers_by_end(struct kunit *test)
{
	struct tio_record *rec = hard_end(test, TRACE_IRQOFF_F_USER);

	EXPECT_INT(test, class_of(rec), TIO_CLASS_UNKNOWN);
	/* a handler that took more than half of the stall, whatever it interrupted */
	rec->end.handler_ns = rec->min_ns / 2;
	EXPECT_INT(test, class_of(rec), TIO_CLASS_UNKNOWN);
	rec->end.handler_ns++;
	EXPECT_INT(test, class_of(rec), TIO_CLASS_HARDIRQ_LONG);
	KUNIT_EXPECT_STREQ(test, evidence_of(rec), "end");
	KUNIT_EXPECT_FALSE(test, judged(rec).storm);
	/* the CPU that should have requested a sample did not run either */
	rec->end.flags |= TRACE_IRQOFF_F_ASKER_LATE;
	EXPECT_INT(test, class_of(rec), TIO_CLASS_STOLEN);
	/* the kernel's count knows whether this one ran, and how much of the handler's time */
	rec->steal = 1;
	EXPECT_INT(test, class_of(rec), TIO_CLASS_HARDIRQ_LONG);
	rec->steal = rec->min_ns / 2 + 1;
	EXPECT_INT(test, class_of(rec), TIO_CLASS_UNKNOWN);
	rec->steal++;
	EXPECT_INT(test, class_of(rec), TIO_CLASS_STOLEN);
	rec->steal = 0;
	rec->end.flags = TRACE_IRQOFF_F_USER;
	/* without tracepoints handler times are not known */
	rec->handler_known = false;
	EXPECT_INT(test, class_of(rec), TIO_CLASS_UNKNOWN);

	/* a storm: many handlers that took as much time together */
	rec = hard_end(test, TRACE_IRQOFF_F_USER);
	rec->handler_ns = rec->min_ns / 2 + 1;
	rec->handlers = 16;
	KUNIT_EXPECT_TRUE(test, judged(rec).storm);
	EXPECT_INT(test, class_of(rec), TIO_CLASS_HARDIRQ_LONG);
	rec->handlers--;
	KUNIT_EXPECT_FALSE(test, judged(rec).storm);
	rec->handlers++;
	rec->handler_ns--;
	KUNIT_EXPECT_FALSE(test, judged(rec).storm);
	/* a sample in one of a storm's handlers counts like one in a long handler */
	rec->handler_ns++;
	rec->nsamples = 1;
	rec->samples[0].flags = TRACE_IRQOFF_F_HARDIRQ | TRACE_IRQOFF_F_ASKED;
	rec->samples[0].at_ns = 970 * MS;
	rec->samples[0].handler_ns = 1000;
	KUNIT_EXPECT_TRUE(test, decides(rec) == &rec->samples[0]);
	EXPECT_INT(test, class_of(rec), TIO_CLASS_HARDIRQ_LONG);
	/* so does a sample between two of them */
	rec->samples[0].flags = TRACE_IRQOFF_F_IRQS_ON | TRACE_IRQOFF_F_ASKED;
	EXPECT_INT(test, class_of(rec), TIO_CLASS_HARDIRQ_LONG);
	/* a late sample counts for the storm if the storm goes on for longer than the delay */
	rec->samples[0].delay_ns = TIO_PROMPT_NS + 1;
	EXPECT_INT(test, class_of(rec), TIO_CLASS_HARDIRQ_LONG);
	rec->samples[0].delay_ns = rec->end_ns - rec->samples[0].at_ns + 1;
	EXPECT_INT(test, class_of(rec), TIO_CLASS_STOLEN);
	rec->samples[0].delay_ns = TIO_PROMPT_NS + 1;
	rec->samples[0].at_ns = rec->end_ns - MS + 1;
	EXPECT_INT(test, class_of(rec), TIO_CLASS_UNKNOWN);
	rec->kind = TRACE_IRQOFF_KIND_SOFT;
	KUNIT_EXPECT_FALSE(test, judged(rec).storm);
}

static void nmi_handlers(struct kunit *test)
{
	/* ours came late, and found interrupts on: else the CPU did not run */
	struct tio_record *rec = hard_sample(test, TRACE_IRQOFF_F_IRQS_ON);

	rec->samples[0].delay_ns = 20 * MS;
	EXPECT_INT(test, class_of(rec), TIO_CLASS_STOLEN);
	rec->nmi_ns = rec->min_ns / 2;
	EXPECT_INT(test, class_of(rec), TIO_CLASS_STOLEN);
	KUNIT_EXPECT_FALSE(test, judged(rec).nmi);
	rec->nmi_ns++;
	EXPECT_INT(test, class_of(rec), TIO_CLASS_HARDIRQ_LONG);
	KUNIT_EXPECT_TRUE(test, judged(rec).nmi);
	KUNIT_EXPECT_STREQ(test, evidence_of(rec), "end");
	KUNIT_EXPECT_TRUE(test, decides(rec) == &rec->end);
	/* the one that should have requested a sample was sent the same NMI, say */
	rec->end.flags |= TRACE_IRQOFF_F_ASKER_LATE;
	EXPECT_INT(test, class_of(rec), TIO_CLASS_HARDIRQ_LONG);
	/* handlers of interrupts that these NMIs came on top of are innocent */
	rec->handler_ns = rec->min_ns;
	rec->handlers = 16;
	EXPECT_INT(test, class_of(rec), TIO_CLASS_HARDIRQ_LONG);
	KUNIT_EXPECT_FALSE(test, judged(rec).storm);

	/* of an open stall nobody knows yet, and of softirqs they say nothing */
	rec->open = 1;
	KUNIT_EXPECT_FALSE(test, judged(rec).nmi);
	rec->open = 0;
	rec->kind = TRACE_IRQOFF_KIND_SOFT;
	KUNIT_EXPECT_FALSE(test, judged(rec).nmi);
}

static void names_are_no_evidence(struct kunit *test)
{
	struct tio_record *rec = soft_sample(test, TRACE_IRQOFF_F_BH_OFF, 2);

	strscpy(rec->samples[0].comm, "ksoftirqd/0", TIO_COMM_LEN);
	EXPECT_INT(test, class_of(rec), TIO_CLASS_SOFTIRQ_OFF);
	rec = hard_end(test, END);
	strscpy(rec->end.comm, "swapper/0", TIO_COMM_LEN);
	EXPECT_INT(test, class_of(rec), TIO_CLASS_HARDIRQ_OFF);
}

static void wide_bounds(struct kunit *test)
{
	struct tio_record *rec = hard_end(test, END);

	KUNIT_EXPECT_FALSE(test, tio_bounds_wide(10 * MS, 11 * MS + 200000, MS));
	KUNIT_EXPECT_TRUE(test, tio_bounds_wide(10 * MS, 11 * MS + 200001, MS));
	KUNIT_EXPECT_FALSE(test, tio_bounds_wide(10 * MS, 10 * MS, 0));
	/* no wrap-around if the upper bound is the smaller one */
	KUNIT_EXPECT_FALSE(test, tio_bounds_wide(11 * MS, 10 * MS, MS));

	KUNIT_EXPECT_FALSE(test, judged(rec).wide);
	rec->max_ns = 42 * MS;
	KUNIT_EXPECT_TRUE(test, judged(rec).wide);
}

static void class_names(struct kunit *test)
{
	int i, j;

	for (i = 0; i < TIO_CLASSES; i++)
		for (j = 0; j < i; j++)
			KUNIT_EXPECT_STRNEQ(test, tio_class_name(i), tio_class_name(j));
	KUNIT_EXPECT_STREQ(test, tio_class_name(TIO_CLASS_KSOFTIRQD_WAIT),
			   "ksoftirqd-wait");
	KUNIT_EXPECT_STREQ(test, tio_class_name(TIO_CLASS_HARDIRQ_LONG), "hardirq-long");
	KUNIT_EXPECT_STREQ(test, tio_class_name(TIO_CLASS_STOLEN), "stolen");
	KUNIT_EXPECT_STREQ(test, tio_class_name(TIO_CLASSES), "unknown");
	KUNIT_EXPECT_STREQ(test, tio_class_name(-1), "unknown");
}

static struct kunit_case cases[] = {
	KUNIT_CASE(hard_by_end),
	KUNIT_CASE(handlers_may_explain_it),
	KUNIT_CASE(soft_by_sample),
	KUNIT_CASE(hard_by_sample),
	KUNIT_CASE(handlers_by_end),
	KUNIT_CASE(nmi_handlers),
	KUNIT_CASE(names_are_no_evidence),
	KUNIT_CASE(wide_bounds),
	KUNIT_CASE(class_names),
	{ }
};

TIO_SUITE("classify", "trace_irqoff's classes", .init = example_setup);
