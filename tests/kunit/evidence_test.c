// SPDX-License-Identifier: GPL-2.0-only
/* Which sample of a stall decides its class. */
#include <linux/kernel.h>

#include "example.h"

static void without_samples(struct kunit *test)
{
	struct tio_record *rec = hard_end(test, END);

	KUNIT_EXPECT_STREQ(test, evidence_of(rec), "end");
	KUNIT_EXPECT_TRUE(test, decides(rec) == &rec->end);
	rec->kind = TRACE_IRQOFF_KIND_SOFT;
	EXPECT_INT(test, class_of(rec), TIO_CLASS_UNKNOWN);

	rec->open = 1;
	KUNIT_EXPECT_STREQ(test, evidence_of(rec), "none");
	KUNIT_EXPECT_TRUE(test, !decides(rec));
	EXPECT_INT(test, class_of(rec), TIO_CLASS_UNKNOWN);
	rec->kind = TRACE_IRQOFF_KIND_HARD;
	EXPECT_INT(test, class_of(rec), TIO_CLASS_UNKNOWN);
}

/* the bounds are 40 ms and more, the end is at 1 s */
static void offsets(struct kunit *test)
{
	struct tio_record *rec = hard_end(test, END);
	struct tio_sample sample = { .at_ns = 970 * MS };

	EXPECT_NUM(test, tio_sample_offset(rec, &sample), 10 * MS);
	sample.at_ns = 960 * MS;
	EXPECT_NUM(test, tio_sample_offset(rec, &sample), 0);
	/* the stall may have begun before its lower bound says */
	sample.at_ns = 959 * MS;
	EXPECT_NUM(test, tio_sample_offset(rec, &sample), 0);
}

/* the stall began at 960 ms */
static void longest_part_decides(struct kunit *test)
{
	struct tio_record *rec = soft_sample(test, TRACE_IRQOFF_F_BH_OFF, 0);
	struct tio_sample *sample = rec->samples;

	KUNIT_EXPECT_STREQ(test, evidence_of(rec), "sample");
	rec->nsamples = 2;
	sample[1].flags = TRACE_IRQOFF_F_SERVING_SOFTIRQ;
	sample[0].at_ns = 961 * MS;
	sample[1].at_ns = 991 * MS;
	KUNIT_EXPECT_TRUE(test, decides(rec) == &sample[0]);
	EXPECT_INT(test, class_of(rec), TIO_CLASS_SOFTIRQ_OFF);
	sample[1].at_ns = 975 * MS;
	KUNIT_EXPECT_TRUE(test, decides(rec) == &sample[1]);
	EXPECT_INT(test, class_of(rec), TIO_CLASS_SOFTIRQ_LONG);
	/*
	 * the first sample also gets the time before it: 20 ms each, so the earlier
	 * one decides
	 */
	sample[0].at_ns = 979 * MS;
	sample[1].at_ns = 980 * MS;
	KUNIT_EXPECT_TRUE(test, decides(rec) == &sample[0]);
}

static void every_sample_may_decide(struct kunit *test)
{
	struct tio_record *rec = soft_sample(test, 0, 0);
	unsigned int i, longest;

	rec->nsamples = TIO_SAMPLES;
	for (longest = 0; longest < TIO_SAMPLES; longest++) {
		u64 at_ns = rec->end_ns - rec->min_ns;

		/* 4 ms for each, the rest of the 40 ms for one of them */
		for (i = 0; i < TIO_SAMPLES; i++) {
			rec->samples[i].at_ns = at_ns;
			at_ns += i == longest ? 28 * MS : 4 * MS;
		}
		KUNIT_EXPECT_TRUE(test, decides(rec) == &rec->samples[longest]);
	}
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
		KUNIT_EXPECT_TRUE(test, decides(rec) == &rec->samples[longest]);
		EXPECT_INT_IN(test, class_of(rec), table[longest].class, longest);
	}
}

/* a handler that was pending until the stall ended, as the beat was */
static void young_handlers(struct kunit *test)
{
	struct tio_record *rec = hard_sample(test, TRACE_IRQOFF_F_HARDIRQ);
	struct tio_sample *sample = rec->samples;

	/* the sample is from 10 ms after the stall began */
	sample[0].handler_ns = 5 * MS;
	EXPECT_INT(test, class_of(rec), TIO_CLASS_HARDIRQ_LONG);
	KUNIT_EXPECT_STREQ(test, evidence_of(rec), "sample");
	sample[0].handler_ns--;
	KUNIT_EXPECT_TRUE(test, decides(rec) == &rec->end);
	KUNIT_EXPECT_STREQ(test, evidence_of(rec), "end");
	EXPECT_INT(test, class_of(rec), TIO_CLASS_HARDIRQ_OFF);
	rec->end.flags = TRACE_IRQOFF_F_USER;
	EXPECT_INT(test, class_of(rec), TIO_CLASS_UNKNOWN);
	rec->open = 1;
	KUNIT_EXPECT_TRUE(test, !decides(rec));
	EXPECT_INT(test, class_of(rec), TIO_CLASS_UNKNOWN);

	/* a later sample of the same handler */
	rec = hard_sample(test, TRACE_IRQOFF_F_HARDIRQ);
	rec->nsamples = 2;
	sample[1] = sample[0];
	sample[0].handler_ns = 2 * MS;
	sample[1].at_ns = 980 * MS;
	sample[1].handler_ns = 12 * MS;
	KUNIT_EXPECT_TRUE(test, decides(rec) == &sample[1]);
	/* a sample that counts, though for a shorter time */
	sample[0].flags = TRACE_IRQOFF_F_ASKED;
	sample[1].at_ns = 971 * MS;
	sample[1].handler_ns = MS;
	KUNIT_EXPECT_TRUE(test, decides(rec) == &sample[0]);
	EXPECT_INT(test, class_of(rec), TIO_CLASS_HARDIRQ_OFF);

	/* in a soft stall every sample counts, whatever it interrupted */
	rec = hard_sample(test, TRACE_IRQOFF_F_HARDIRQ);
	rec->kind = TRACE_IRQOFF_KIND_SOFT;
	sample[0].handler_ns = 1;
	KUNIT_EXPECT_TRUE(test, decides(rec) == &sample[0]);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(without_samples),
	KUNIT_CASE(offsets),
	KUNIT_CASE(longest_part_decides),
	KUNIT_CASE(every_sample_may_decide),
	KUNIT_CASE(longest_hard_sample_decides),
	KUNIT_CASE(young_handlers),
	{ }
};

TIO_SUITE("evidence", "trace_irqoff's evidence", .init = example_setup);
