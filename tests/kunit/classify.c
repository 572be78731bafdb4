// SPDX-License-Identifier: GPL-2.0-only
#include <linux/kernel.h>

#include "classify.h"
#include "suite.h"

#define END	(TRACE_IRQOFF_F_IRQS_ON | TRACE_IRQOFF_F_AT_IRQ_ENABLE)

/* a hard stall of which the end was seen; too big for the stack */
static struct tio_record *hard_end(struct kunit *test, u32 flags)
{
	struct tio_record *rec = test->priv;

	memset(rec, 0, sizeof(*rec));
	rec->kind = TRACE_IRQOFF_KIND_HARD;
	rec->min_ns = 40 * MS;
	rec->max_ns = 41 * MS;
	rec->end_ns = 1000 * MS;
	rec->threshold_ns = 10 * MS;
	rec->period_ns = MS;
	rec->handler_known = 1;
	rec->end.flags = flags;
	rec->end.at_ns = rec->end_ns;
	return rec;
}

static struct tio_record *soft_sample(struct kunit *test, u32 flags, u32 pending)
{
	struct tio_record *rec = hard_end(test, END);

	rec->kind = TRACE_IRQOFF_KIND_SOFT;
	rec->nsamples = 1;
	rec->samples[0].flags = flags;
	rec->samples[0].pending = pending;
	rec->samples[0].at_ns = 970 * MS;
	return rec;
}

static void hard_by_end(struct kunit *test)
{
	static const struct {
		u32 flags;
		enum tio_class class;
	} table[] = {
		{ END, TIO_CLASS_HARDIRQ_OFF },
		/* a softirq may turn interrupts off as well */
		{ END | TRACE_IRQOFF_F_SERVING_SOFTIRQ, TIO_CLASS_HARDIRQ_OFF },
		{ END | TRACE_IRQOFF_F_BH_OFF, TIO_CLASS_HARDIRQ_OFF },
		{ TRACE_IRQOFF_F_IRQS_ON, TIO_CLASS_UNKNOWN },
		{ END | TRACE_IRQOFF_F_IDLE, TIO_CLASS_UNKNOWN },
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
		EXPECT_INT_IN(test, tio_classify(hard_end(test, table[i].flags)),
			      table[i].class, i);
}

static void handlers_may_explain_it(struct kunit *test)
{
	struct tio_record *rec = hard_end(test, END);

	/* all but the threshold, then a nanosecond more */
	rec->handler_ns = 30 * MS;
	EXPECT_INT(test, tio_classify(rec), TIO_CLASS_HARDIRQ_OFF);
	rec->handler_ns++;
	EXPECT_INT(test, tio_classify(rec), TIO_CLASS_UNKNOWN);

	rec = hard_end(test, END);
	rec->handler_known = 0;
	EXPECT_INT(test, tio_classify(rec), TIO_CLASS_UNKNOWN);

	rec = hard_end(test, END);
	rec->unseen_irqs = 1;
	EXPECT_INT(test, tio_classify(rec), TIO_CLASS_UNKNOWN);
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
		/* serving counts more: both counts are up then */
		{ TRACE_IRQOFF_F_SERVING_SOFTIRQ | TRACE_IRQOFF_F_BH_OFF, 0,
		  TIO_CLASS_SOFTIRQ_LONG },
		{ 0, 8, TIO_CLASS_KSOFTIRQD_WAIT },
		{ TRACE_IRQOFF_F_USER, 8, TIO_CLASS_KSOFTIRQD_WAIT },
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
		EXPECT_INT_IN(test, tio_classify(rec), table[i].class, i);
		/* the same while it goes on */
		rec->open = 1;
		EXPECT_INT_IN(test, tio_classify(rec), table[i].class, i);
	}
}

static void names_are_no_evidence(struct kunit *test)
{
	struct tio_record *rec = soft_sample(test, TRACE_IRQOFF_F_BH_OFF, 2);

	strscpy(rec->samples[0].comm, "ksoftirqd/0", TIO_COMM_LEN);
	EXPECT_INT(test, tio_classify(rec), TIO_CLASS_SOFTIRQ_OFF);
	rec = hard_end(test, END);
	strscpy(rec->end.comm, "swapper/0", TIO_COMM_LEN);
	EXPECT_INT(test, tio_classify(rec), TIO_CLASS_HARDIRQ_OFF);
}

static void without_samples(struct kunit *test)
{
	struct tio_record *rec = hard_end(test, END);

	KUNIT_EXPECT_STREQ(test, tio_evidence_name(rec), "end");
	KUNIT_EXPECT_TRUE(test, tio_deciding_sample(rec) == &rec->end);
	rec->kind = TRACE_IRQOFF_KIND_SOFT;
	EXPECT_INT(test, tio_classify(rec), TIO_CLASS_UNKNOWN);

	rec->open = 1;
	KUNIT_EXPECT_STREQ(test, tio_evidence_name(rec), "none");
	KUNIT_EXPECT_TRUE(test, !tio_deciding_sample(rec));
	EXPECT_INT(test, tio_classify(rec), TIO_CLASS_UNKNOWN);
	rec->kind = TRACE_IRQOFF_KIND_HARD;
	EXPECT_INT(test, tio_classify(rec), TIO_CLASS_UNKNOWN);
}

/* the stall began at 960 */
static void longest_part_decides(struct kunit *test)
{
	struct tio_record *rec = soft_sample(test, TRACE_IRQOFF_F_BH_OFF, 0);
	struct tio_sample *sample = rec->samples;

	KUNIT_EXPECT_STREQ(test, tio_evidence_name(rec), "sample");
	rec->nsamples = 2;
	sample[1].flags = TRACE_IRQOFF_F_SERVING_SOFTIRQ;
	sample[0].at_ns = 961 * MS;
	sample[1].at_ns = 991 * MS;
	KUNIT_EXPECT_TRUE(test, tio_deciding_sample(rec) == &sample[0]);
	EXPECT_INT(test, tio_classify(rec), TIO_CLASS_SOFTIRQ_OFF);
	sample[1].at_ns = 975 * MS;
	KUNIT_EXPECT_TRUE(test, tio_deciding_sample(rec) == &sample[1]);
	EXPECT_INT(test, tio_classify(rec), TIO_CLASS_SOFTIRQ_LONG);
	/* the first one has the time before it: 20 against 20, the earlier one */
	sample[0].at_ns = 979 * MS;
	sample[1].at_ns = 980 * MS;
	KUNIT_EXPECT_TRUE(test, tio_deciding_sample(rec) == &sample[0]);
}

static void every_sample_may_decide(struct kunit *test)
{
	struct tio_record *rec = soft_sample(test, 0, 0);
	unsigned int i, longest;

	rec->nsamples = TIO_SAMPLES;
	for (longest = 0; longest < TIO_SAMPLES; longest++) {
		u64 at_ns = rec->end_ns - rec->min_ns;

		/* 4 each, and the rest of the 40 for one of them */
		for (i = 0; i < TIO_SAMPLES; i++) {
			rec->samples[i].at_ns = at_ns;
			at_ns += i == longest ? 28 * MS : 4 * MS;
		}
		KUNIT_EXPECT_TRUE(test, tio_deciding_sample(rec) == &rec->samples[longest]);
	}
}

static void wide_bounds(struct kunit *test)
{
	KUNIT_EXPECT_FALSE(test, tio_bounds_wide(10 * MS, 11 * MS + 200000, MS));
	KUNIT_EXPECT_TRUE(test, tio_bounds_wide(10 * MS, 11 * MS + 200001, MS));
	KUNIT_EXPECT_FALSE(test, tio_bounds_wide(10 * MS, 10 * MS, 0));
	/* no wrap-around when the upper one is the smaller one */
	KUNIT_EXPECT_FALSE(test, tio_bounds_wide(11 * MS, 10 * MS, MS));
}

static void class_names(struct kunit *test)
{
	int i, j;

	for (i = 0; i < TIO_CLASSES; i++)
		for (j = 0; j < i; j++)
			KUNIT_EXPECT_STRNEQ(test, tio_class_name(i), tio_class_name(j));
	KUNIT_EXPECT_STREQ(test, tio_class_name(TIO_CLASS_KSOFTIRQD_WAIT),
			   "ksoftirqd-wait");
	KUNIT_EXPECT_STREQ(test, tio_class_name(TIO_CLASSES), "unknown");
	KUNIT_EXPECT_STREQ(test, tio_class_name(-1), "unknown");
}

static int setup(struct kunit *test)
{
	test->priv = kunit_kzalloc(test, sizeof(struct tio_record), GFP_KERNEL);
	return test->priv ? 0 : -ENOMEM;
}

static struct kunit_case cases[] = {
	KUNIT_CASE(hard_by_end),
	KUNIT_CASE(handlers_may_explain_it),
	KUNIT_CASE(soft_by_sample),
	KUNIT_CASE(names_are_no_evidence),
	KUNIT_CASE(without_samples),
	KUNIT_CASE(longest_part_decides),
	KUNIT_CASE(every_sample_may_decide),
	KUNIT_CASE(wide_bounds),
	KUNIT_CASE(class_names),
	{ }
};

static struct kunit_suite suite = {
	.name = "trace_irqoff_classify",
	.init = setup,
	.test_cases = cases,
};

kunit_test_suites(&suite);

MODULE_DESCRIPTION("Tests of trace_irqoff's classes");
MODULE_LICENSE("GPL");
