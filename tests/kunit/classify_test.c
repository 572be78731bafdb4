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

/* another CPU asked when the stall was as long as the threshold */
static struct tio_record *hard_sample(struct kunit *test, u32 flags)
{
	struct tio_record *rec = hard_end(test, END);

	rec->nsamples = 1;
	rec->samples[0].flags = flags | TRACE_IRQOFF_F_ASKED;
	rec->samples[0].at_ns = 970 * MS;
	rec->samples[0].delay_ns = TIO_PROMPT_NS;
	rec->samples[0].irq.number = TIO_NO_IRQ;
	return rec;
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
		/* some idle states; a softirq on top of the idle task */
		{ TRACE_IRQOFF_F_IDLE, TIO_CLASS_UNKNOWN },
		{ TRACE_IRQOFF_F_IDLE | TRACE_IRQOFF_F_SERVING_SOFTIRQ,
		  TIO_CLASS_HARDIRQ_OFF },
		/* no tracepoint told of the handler */
		{ TRACE_IRQOFF_F_HARDIRQ, TIO_CLASS_HARDIRQ_LONG },
		{ TRACE_IRQOFF_F_HARDIRQ | TRACE_IRQOFF_F_SERVING_SOFTIRQ,
		  TIO_CLASS_HARDIRQ_LONG },
		{ TRACE_IRQOFF_F_HARDIRQ | TRACE_IRQOFF_F_IDLE, TIO_CLASS_HARDIRQ_LONG },
		/* nothing kept the beat from running but that the CPU did not */
		{ TRACE_IRQOFF_F_IRQS_ON, TIO_CLASS_STOLEN },
		{ TRACE_IRQOFF_F_IRQS_ON | TRACE_IRQOFF_F_USER, TIO_CLASS_STOLEN },
		{ TRACE_IRQOFF_F_IRQS_ON | TRACE_IRQOFF_F_IDLE, TIO_CLASS_STOLEN },
		{ TRACE_IRQOFF_F_IRQS_ON | TRACE_IRQOFF_F_HARDIRQ, TIO_CLASS_STOLEN },
		/* all were stopped, and then it went on */
		{ TRACE_IRQOFF_F_ASKER_LATE, TIO_CLASS_HARDIRQ_OFF },
		{ TRACE_IRQOFF_F_ASKER_LATE | TRACE_IRQOFF_F_HARDIRQ,
		  TIO_CLASS_HARDIRQ_LONG },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(table); i++) {
		struct tio_record *rec = hard_sample(test, table[i].flags);

		EXPECT_INT_IN(test, tio_classify(rec), table[i].class, i);
		KUNIT_EXPECT_STREQ(test, tio_evidence_name(rec), "sample");
		/* whatever the end has to say, and while it goes on */
		rec->end.flags = TRACE_IRQOFF_F_USER;
		EXPECT_INT_IN(test, tio_classify(rec), table[i].class, i);
		rec->open = 1;
		EXPECT_INT_IN(test, tio_classify(rec), table[i].class, i);
	}
}

/* one that waited for the stall to end, as the beat did */
static void young_handlers(struct kunit *test)
{
	struct tio_record *rec = hard_sample(test, TRACE_IRQOFF_F_HARDIRQ);
	struct tio_sample *sample = rec->samples;

	/* 10 ms after the stall began */
	sample[0].handler_ns = 5 * MS;
	EXPECT_INT(test, tio_classify(rec), TIO_CLASS_HARDIRQ_LONG);
	KUNIT_EXPECT_STREQ(test, tio_evidence_name(rec), "sample");
	sample[0].handler_ns--;
	KUNIT_EXPECT_TRUE(test, tio_deciding_sample(rec) == &rec->end);
	KUNIT_EXPECT_STREQ(test, tio_evidence_name(rec), "end");
	EXPECT_INT(test, tio_classify(rec), TIO_CLASS_HARDIRQ_OFF);
	rec->end.flags = TRACE_IRQOFF_F_USER;
	EXPECT_INT(test, tio_classify(rec), TIO_CLASS_UNKNOWN);
	rec->open = 1;
	KUNIT_EXPECT_TRUE(test, !tio_deciding_sample(rec));
	EXPECT_INT(test, tio_classify(rec), TIO_CLASS_UNKNOWN);

	/* the same one later on */
	rec = hard_sample(test, TRACE_IRQOFF_F_HARDIRQ);
	rec->nsamples = 2;
	sample[1] = sample[0];
	sample[0].handler_ns = 2 * MS;
	sample[1].at_ns = 980 * MS;
	sample[1].handler_ns = 12 * MS;
	KUNIT_EXPECT_TRUE(test, tio_deciding_sample(rec) == &sample[1]);
	/* one that says something, though for a shorter time */
	sample[0].flags = TRACE_IRQOFF_F_ASKED;
	sample[1].at_ns = 971 * MS;
	sample[1].handler_ns = MS;
	KUNIT_EXPECT_TRUE(test, tio_deciding_sample(rec) == &sample[0]);
	EXPECT_INT(test, tio_classify(rec), TIO_CLASS_HARDIRQ_OFF);

	/* of softirqs a sample tells whatever it interrupted */
	rec = hard_sample(test, TRACE_IRQOFF_F_HARDIRQ);
	rec->kind = TRACE_IRQOFF_KIND_SOFT;
	sample[0].handler_ns = 1;
	KUNIT_EXPECT_TRUE(test, tio_deciding_sample(rec) == &sample[0]);
}

static void handlers_by_end(struct kunit *test)
{
	struct tio_record *rec = hard_end(test, TRACE_IRQOFF_F_USER);

	EXPECT_INT(test, tio_classify(rec), TIO_CLASS_UNKNOWN);
	/* one that took more than half of the stall, whatever it came upon */
	rec->end.handler_ns = rec->min_ns / 2;
	EXPECT_INT(test, tio_classify(rec), TIO_CLASS_UNKNOWN);
	rec->end.handler_ns++;
	EXPECT_INT(test, tio_classify(rec), TIO_CLASS_HARDIRQ_LONG);
	KUNIT_EXPECT_FALSE(test, tio_storm(rec));
	/* the CPU that was to ask did not run either */
	rec->end.flags |= TRACE_IRQOFF_F_ASKER_LATE;
	EXPECT_INT(test, tio_classify(rec), TIO_CLASS_STOLEN);
	rec->end.flags = TRACE_IRQOFF_F_USER;
	/* without tracepoints that is not known */
	rec->handler_known = false;
	EXPECT_INT(test, tio_classify(rec), TIO_CLASS_UNKNOWN);

	/* a storm: many that took as much together */
	rec = hard_end(test, TRACE_IRQOFF_F_USER);
	rec->handler_ns = rec->min_ns / 2 + 1;
	rec->handlers = 16;
	KUNIT_EXPECT_TRUE(test, tio_storm(rec));
	EXPECT_INT(test, tio_classify(rec), TIO_CLASS_HARDIRQ_LONG);
	rec->handlers--;
	KUNIT_EXPECT_FALSE(test, tio_storm(rec));
	rec->handlers++;
	rec->handler_ns--;
	KUNIT_EXPECT_FALSE(test, tio_storm(rec));
	/* in one of which a sample says as much as in a long one */
	rec->handler_ns++;
	rec->nsamples = 1;
	rec->samples[0].flags = TRACE_IRQOFF_F_HARDIRQ | TRACE_IRQOFF_F_ASKED;
	rec->samples[0].at_ns = 970 * MS;
	rec->samples[0].handler_ns = 1000;
	KUNIT_EXPECT_TRUE(test, tio_deciding_sample(rec) == &rec->samples[0]);
	EXPECT_INT(test, tio_classify(rec), TIO_CLASS_HARDIRQ_LONG);
	/* as does one between two of them; one that came late is stolen as ever */
	rec->samples[0].flags = TRACE_IRQOFF_F_IRQS_ON | TRACE_IRQOFF_F_ASKED;
	EXPECT_INT(test, tio_classify(rec), TIO_CLASS_HARDIRQ_LONG);
	rec->samples[0].delay_ns = TIO_PROMPT_NS + 1;
	EXPECT_INT(test, tio_classify(rec), TIO_CLASS_STOLEN);
	rec->kind = TRACE_IRQOFF_KIND_SOFT;
	KUNIT_EXPECT_FALSE(test, tio_storm(rec));
}

static void late_samples(struct kunit *test)
{
	struct tio_record *rec = hard_sample(test, 0);
	struct tio_sample *sample = rec->samples;

	/* in time, however short the rest */
	sample->at_ns = rec->end_ns;
	EXPECT_INT(test, tio_classify(rec), TIO_CLASS_HARDIRQ_OFF);
	/* just as interrupts were turned on, before the beat ran: then the end tells */
	sample->flags |= TRACE_IRQOFF_F_IRQS_ON;
	KUNIT_EXPECT_TRUE(test, tio_deciding_sample(rec) == &rec->end);
	EXPECT_INT(test, tio_classify(rec), TIO_CLASS_HARDIRQ_OFF);
	sample->flags = TRACE_IRQOFF_F_ASKED;
	/* late, and then it was over */
	sample->delay_ns++;
	EXPECT_INT(test, tio_classify(rec), TIO_CLASS_STOLEN);
	sample->at_ns = 999 * MS + 1;
	EXPECT_INT(test, tio_classify(rec), TIO_CLASS_STOLEN);
	sample->flags |= TRACE_IRQOFF_F_HARDIRQ;
	EXPECT_INT(test, tio_classify(rec), TIO_CLASS_STOLEN);
	/* it went on for 1 ms, so by its state */
	sample->at_ns--;
	EXPECT_INT(test, tio_classify(rec), TIO_CLASS_HARDIRQ_LONG);
	sample->flags = TRACE_IRQOFF_F_ASKED;
	EXPECT_INT(test, tio_classify(rec), TIO_CLASS_HARDIRQ_OFF);
	sample->flags |= TRACE_IRQOFF_F_IDLE;
	EXPECT_INT(test, tio_classify(rec), TIO_CLASS_UNKNOWN);
	/* which says that it did not run, for all that it may go on */
	sample->flags |= TRACE_IRQOFF_F_IRQS_ON;
	EXPECT_INT(test, tio_classify(rec), TIO_CLASS_STOLEN);
	/* it went on, but not for as long as it had not run */
	sample->flags = TRACE_IRQOFF_F_ASKED;
	sample->delay_ns = MS + 1;
	EXPECT_INT(test, tio_classify(rec), TIO_CLASS_STOLEN);
	/* whoever asked had not run either, and then it was over */
	sample->delay_ns = 0;
	sample->flags |= TRACE_IRQOFF_F_ASKER_LATE;
	EXPECT_INT(test, tio_classify(rec), TIO_CLASS_HARDIRQ_OFF);
	sample->at_ns++;
	EXPECT_INT(test, tio_classify(rec), TIO_CLASS_STOLEN);
	/* a late sample speaks from the asking on, not the one before it */
	rec->nsamples = 2;
	sample[0].at_ns = 970 * MS;
	sample[0].flags = TRACE_IRQOFF_F_ASKED;
	sample[1] = sample[0];
	sample[1].at_ns = rec->end_ns;
	sample[1].delay_ns = 21 * MS;
	EXPECT_INT(test, tio_classify(rec), TIO_CLASS_STOLEN);
}

static void longest_hard_sample_decides(struct kunit *test)
{
	static const struct {
		u32 flags;
		enum tio_class class;
	} table[] = {
		{ 0, TIO_CLASS_HARDIRQ_OFF },
		{ TRACE_IRQOFF_F_HARDIRQ, TIO_CLASS_HARDIRQ_LONG },
		{ TRACE_IRQOFF_F_IRQS_ON, TIO_CLASS_STOLEN },
	};
	unsigned int i, longest;

	for (longest = 0; longest < ARRAY_SIZE(table); longest++) {
		struct tio_record *rec = hard_sample(test, 0);
		u64 at_ns = rec->end_ns - rec->min_ns;

		rec->nsamples = ARRAY_SIZE(table);
		for (i = 0; i < ARRAY_SIZE(table); i++) {
			rec->samples[i] = rec->samples[0];
			rec->samples[i].flags = table[i].flags | TRACE_IRQOFF_F_ASKED;
			rec->samples[i].at_ns = at_ns;
			at_ns += i == longest ? 20 * MS : 10 * MS;
		}
		KUNIT_EXPECT_TRUE(test, tio_deciding_sample(rec) == &rec->samples[longest]);
		EXPECT_INT_IN(test, tio_classify(rec), table[longest].class, longest);
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
	KUNIT_CASE(hard_by_sample),
	KUNIT_CASE(young_handlers),
	KUNIT_CASE(handlers_by_end),
	KUNIT_CASE(late_samples),
	KUNIT_CASE(longest_hard_sample_decides),
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
