// SPDX-License-Identifier: GPL-2.0-only
/* Which stalls have the same key. Addresses are of no kernel. */
#include <linux/kernel.h>

#include "core/retention_rank.h"
#include "example.h"

/* functions call each other from the outside in, each at one place */
enum { ENTRY = 0x1000, SYSCALL = 0x2000, SECTION = 0x3000, OTHER = 0x4000, LEAF = 0x5000 };

/* sets a stack from the innermost return address on, behind the interrupted instruction */
static void stack(struct tio_sample *sample, u64 leaf, u64 section)
{
	const u64 frames[] = { leaf + 8, leaf, section, SYSCALL, ENTRY };
	unsigned int i;

	sample->nframes = ARRAY_SIZE(frames);
	for (i = 0; i < ARRAY_SIZE(frames); i++)
		sample->frames[i] = frames[i];
}

/* the tracer's own code lies behind all of these */
enum { OWN = 0x10000 };

static bool is_own(u64 addr)
{
	return addr >= OWN;
}

static struct tio_retention_rank merit_of(const struct tio_record *rec)
{
	struct tio_retention_rank rank;

	tio_retention_rank_of(rec, is_own, &rank);
	return rank;
}

/* a section, sampled in a function that it calls */
static struct tio_record *section(struct kunit *test, u64 leaf, u64 place)
{
	struct tio_record *rec = soft_sample(test, TRACE_IRQOFF_F_BH_OFF, 0);

	stack(&rec->samples[0], leaf, place);
	stack(&rec->end, LEAF + 0x800, place);
	return rec;
}

static void sections(struct kunit *test)
{
	struct tio_retention_rank one = merit_of(section(test, LEAF, SECTION));
	struct tio_retention_rank same = merit_of(section(test, LEAF + 0x100, SECTION));
	struct tio_retention_rank other = merit_of(section(test, LEAF, OTHER));
	struct tio_record *rec;

	EXPECT_INT(test, one.class, TIO_CLASS_SOFTIRQ_OFF);
	EXPECT_NUM(test, one.min_ns, 40 * MS);
	EXPECT_NUM(test, one.key, SECTION ^ ((u64)TIO_CLASS_SOFTIRQ_OFF << 56));
	EXPECT_NUM(test, same.key, one.key);
	EXPECT_NUM(test, other.key, OTHER ^ ((u64)TIO_CLASS_SOFTIRQ_OFF << 56));
	/* another task had the CPU at the end, which says nothing then */
	rec = section(test, LEAF, SECTION);
	rec->end.pid = 7;
	EXPECT_NUM(test, merit_of(rec).key, LEAF ^ ((u64)TIO_CLASS_SOFTIRQ_OFF << 56));
}

/* a record blames the tracer only where nothing else was seen */
static void tracer_itself(struct kunit *test)
{
	struct tio_record *rec = section(test, LEAF, SECTION);
	struct tio_sample *sample = &rec->samples[0];

	KUNIT_EXPECT_FALSE(test, merit_of(rec).tracer);
	sample->frames[0] = OWN;
	sample->frames[1] = OWN + 8;
	KUNIT_EXPECT_FALSE(test, merit_of(rec).tracer);
	sample->nframes = 2;
	KUNIT_EXPECT_TRUE(test, merit_of(rec).tracer);
	/* another sample of the same task names somebody; one of another task does not */
	rec->samples[1] = *sample;
	rec->samples[1].at_ns = 980 * MS;
	rec->nsamples = 2;
	KUNIT_EXPECT_TRUE(test, merit_of(rec).tracer);
	rec->samples[1].frames[1] = LEAF;
	KUNIT_EXPECT_FALSE(test, merit_of(rec).tracer);
	rec->samples[1].pid = 7;
	rec->samples[1].at_ns = rec->end_ns - 1;
	KUNIT_EXPECT_TRUE(test, merit_of(rec).tracer);
	/* no stack at all */
	sample->nframes = 0;
	KUNIT_EXPECT_FALSE(test, merit_of(rec).tracer);
}

/* the end of a softirq is outside of what took long */
static void softirqs(struct kunit *test)
{
	struct tio_record *rec = section(test, LEAF, SECTION);

	rec->samples[0].flags = TRACE_IRQOFF_F_SERVING_SOFTIRQ;
	EXPECT_INT(test, merit_of(rec).class, TIO_CLASS_SOFTIRQ_LONG);
	EXPECT_NUM(test, merit_of(rec).key, LEAF ^ ((u64)TIO_CLASS_SOFTIRQ_LONG << 56));
	/* two samples share what called both leaves */
	rec->samples[1] = rec->samples[0];
	rec->samples[1].at_ns = 980 * MS;
	rec->nsamples = 2;
	stack(&rec->samples[1], LEAF + 0x100, SECTION);
	EXPECT_NUM(test, merit_of(rec).key, SECTION ^ ((u64)TIO_CLASS_SOFTIRQ_LONG << 56));
	/* the same stack twice: the interrupted instruction is no call */
	stack(&rec->samples[1], LEAF, SECTION);
	EXPECT_NUM(test, merit_of(rec).key, LEAF ^ ((u64)TIO_CLASS_SOFTIRQ_LONG << 56));
}

static void nobody(struct kunit *test)
{
	struct tio_record *rec = hard_end(test, 0);

	stack(&rec->end, LEAF, SECTION);
	EXPECT_INT(test, merit_of(rec).class, TIO_CLASS_UNKNOWN);
	EXPECT_NUM(test, merit_of(rec).key, 0);
	/* no stack */
	rec = hard_end(test, END);
	EXPECT_INT(test, merit_of(rec).class, TIO_CLASS_HARDIRQ_OFF);
	EXPECT_NUM(test, merit_of(rec).key, 0);
}

static void handlers(struct kunit *test)
{
	struct tio_record *rec = hard_end(test, END);

	rec->end.handler_ns = 30 * MS;
	rec->end.irq.number = 24;
	EXPECT_NUM(test, merit_of(rec).key, 26 ^ ((u64)TIO_CLASS_HARDIRQ_LONG << 56));
	rec->nmi_ns = 30 * MS;
	rec->nmi_handler = LEAF;
	EXPECT_NUM(test, merit_of(rec).key, LEAF ^ ((u64)TIO_CLASS_HARDIRQ_LONG << 56));
}

/* a stack may fill its frames, or have one only */
static void any_length(struct kunit *test)
{
	struct tio_record *rec = section(test, LEAF, SECTION);
	unsigned int i;

	rec->end.nframes = 1;
	EXPECT_NUM(test, merit_of(rec).key, 0);
	rec->end.nframes = TIO_FRAMES;
	rec->samples[0].nframes = TIO_FRAMES;
	for (i = 0; i < TIO_FRAMES; i++) {
		rec->end.frames[i] = LEAF;
		rec->samples[0].frames[i] = LEAF;
	}
	EXPECT_NUM(test, merit_of(rec).key, LEAF ^ ((u64)TIO_CLASS_SOFTIRQ_OFF << 56));
}

static struct kunit_case cases[] = {
	KUNIT_CASE(sections),
	KUNIT_CASE(tracer_itself),
	KUNIT_CASE(softirqs),
	KUNIT_CASE(nobody),
	KUNIT_CASE(handlers),
	KUNIT_CASE(any_length),
	{ }
};

TIO_SUITE("retention_rank", "what trace_irqoff's records are kept for", .init = example_setup);
