// SPDX-License-Identifier: GPL-2.0-only
#include <linux/irqflags.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/smp.h>

#include "pattern.h"
#include "state/open_stall.h"
#include "suite.h"

struct fixture {
	struct tio_open *open;
	struct tio_record rec;
};

static int setup(struct kunit *test)
{
	struct fixture *fix = kunit_kzalloc(test, sizeof(*fix), GFP_KERNEL);

	test->priv = fix;
	if (!fix)
		return -ENOMEM;
	fix->open = tio_open_create(raw_smp_processor_id());
	return fix->open ? 0 : -ENOMEM;
}

static void teardown(struct kunit *test)
{
	struct fixture *fix = test->priv;

	if (fix)
		kvfree(fix->open);
}

/* adds a sample to the hard stall @id; false if none is taken */
static bool sample_hard(struct fixture *fix, u64 id, bool same, u64 at_ns)
{
	struct tio_sample *sample = tio_open_hard_reserve(fix->open, id, same);

	if (!sample)
		return false;
	sample->at_ns = at_ns;
	tio_open_hard_commit(fix->open);
	return true;
}

/* the CPU is stopped while it adds a sample: readers do not wait for it */
static void busy(struct kunit *test)
{
	struct fixture *fix = test->priv;
	unsigned long flags;
	bool first;

	write_open(fix->open, 1000, true);
	local_irq_save(flags);
	tio_open_soft_reserve(fix->open, 1010, 1000, &first);
	KUNIT_EXPECT_TRUE(test, tio_open_read_soft(fix->open, 1500, &fix->rec));
	EXPECT_NUM(test, fix->rec.busy, 1);
	EXPECT_NUM(test, fix->rec.open, 1);
	EXPECT_NUM(test, fix->rec.nsamples, 0);
	tio_open_soft_commit(fix->open);
	local_irq_restore(flags);
	KUNIT_EXPECT_TRUE(test, tio_open_read_soft(fix->open, 1500, &fix->rec));
	EXPECT_NUM(test, fix->rec.busy, 0);
	EXPECT_NUM(test, fix->rec.nsamples, TIO_SAMPLES);
}

static void soft(struct kunit *test)
{
	struct fixture *fix = test->priv;

	KUNIT_EXPECT_FALSE(test, tio_open_read_soft(fix->open, U64_MAX, &fix->rec));
	write_open(fix->open, 1000, true);
	KUNIT_EXPECT_TRUE(test, tio_open_read_soft(fix->open, 1500, &fix->rec));
	EXPECT_NUM(test, fix->rec.open, 1);
	EXPECT_NUM(test, fix->rec.end_ns, 1500);
	EXPECT_NUM(test, fix->rec.min_ns, 490);
	EXPECT_NUM(test, fix->rec.max_ns, 500);
	EXPECT_NUM(test, fix->rec.nsamples, TIO_SAMPLES);
	KUNIT_EXPECT_TRUE(test, whole_samples(&fix->rec, 1000));
	/* read when it became due, then read at an earlier time */
	KUNIT_EXPECT_TRUE(test, tio_open_read_soft(fix->open, 1010, &fix->rec));
	EXPECT_NUM(test, fix->rec.min_ns, 0);
	KUNIT_EXPECT_FALSE(test, tio_open_read_soft(fix->open, 1009, &fix->rec));
	write_open(fix->open, 0, false);
	KUNIT_EXPECT_FALSE(test, tio_open_read_soft(fix->open, 1500, &fix->rec));
}

/* the stall's record gets the samples; the next stall begins without any */
static void soft_ends(struct kunit *test)
{
	struct fixture *fix = test->priv;
	bool first;

	fix->rec.nsamples = 9;
	tio_open_soft_copy(fix->open, &fix->rec);
	EXPECT_NUM(test, fix->rec.nsamples, 0);

	write_open(fix->open, 7, true);
	tio_open_soft_copy(fix->open, &fix->rec);
	EXPECT_NUM(test, fix->rec.nsamples, TIO_SAMPLES);
	KUNIT_EXPECT_TRUE(test, all_words(fix->rec.samples, sizeof(fix->rec.samples), word(7)));
	tio_open_soft_close(fix->open);

	tio_open_soft_reserve(fix->open, 1, 1, &first);
	KUNIT_EXPECT_TRUE(test, first);
	tio_open_soft_commit(fix->open);
	tio_open_soft_copy(fix->open, &fix->rec);
	EXPECT_NUM(test, fix->rec.nsamples, 1);
	tio_open_soft_reserve(fix->open, 2, 2, &first);
	KUNIT_EXPECT_FALSE(test, first);
	tio_open_soft_commit(fix->open);
}

static void hard(struct kunit *test)
{
	struct fixture *fix = test->priv;
	unsigned int i;

	KUNIT_EXPECT_TRUE(test, sample_hard(fix, 5, false, 6));
	KUNIT_EXPECT_TRUE(test, sample_hard(fix, 5, false, 7));
	tio_open_copy_hard(fix->open, 5, &fix->rec);
	EXPECT_NUM(test, fix->rec.nsamples, 2);
	EXPECT_NUM(test, fix->rec.samples[1].at_ns, 7);
	/* the samples belong to another stall */
	tio_open_copy_hard(fix->open, 6, &fix->rec);
	EXPECT_NUM(test, fix->rec.nsamples, 0);
	/* the same stall under another id, because its beat has run meanwhile */
	for (i = 2; i < TIO_SAMPLES; i++)
		KUNIT_EXPECT_TRUE(test, sample_hard(fix, 6, true, 8));
	tio_open_copy_hard(fix->open, 6, &fix->rec);
	EXPECT_NUM(test, fix->rec.nsamples, TIO_SAMPLES);
	EXPECT_NUM(test, fix->rec.samples[0].at_ns, 6);
	/* a new stall drops the samples */
	KUNIT_EXPECT_TRUE(test, sample_hard(fix, 10, false, 11));
	tio_open_copy_hard(fix->open, 10, &fix->rec);
	EXPECT_NUM(test, fix->rec.nsamples, 1);
	EXPECT_NUM(test, fix->rec.samples[0].at_ns, 11);
}

/* of a long stall the first and the newest samples are kept, and those that are far apart */
static void long_stalls(struct kunit *test)
{
	static const u64 kept[TIO_SAMPLES] = { 10, 160, 320, 640 };
	struct fixture *fix = test->priv;
	struct tio_record *rec;
	unsigned int i;
	bool first;
	u64 at_ns;

	for (at_ns = 10; at_ns <= 640; at_ns *= 2) {
		KUNIT_EXPECT_TRUE(test, sample_hard(fix, 5, false, at_ns));
		rec = tio_open_soft_reserve(fix->open, 1, 1, &first);
		rec->samples[rec->nsamples - 1].at_ns = at_ns;
		tio_open_soft_commit(fix->open);
	}
	tio_open_copy_hard(fix->open, 5, &fix->rec);
	EXPECT_NUM(test, fix->rec.nsamples, TIO_SAMPLES);
	for (i = 0; i < TIO_SAMPLES; i++)
		EXPECT_INT_IN(test, fix->rec.samples[i].at_ns, kept[i], i);
	tio_open_soft_copy(fix->open, &fix->rec);
	EXPECT_NUM(test, fix->rec.nsamples, TIO_SAMPLES);
	for (i = 0; i < TIO_SAMPLES; i++)
		EXPECT_INT_IN(test, fix->rec.samples[i].at_ns, kept[i], i);
	/* two that came late, close together: the first of them goes, 640 stays */
	KUNIT_EXPECT_TRUE(test, sample_hard(fix, 5, false, 1290));
	KUNIT_EXPECT_TRUE(test, sample_hard(fix, 5, false, 1300));
	KUNIT_EXPECT_TRUE(test, sample_hard(fix, 5, false, 2560));
	tio_open_copy_hard(fix->open, 5, &fix->rec);
	EXPECT_NUM(test, fix->rec.samples[0].at_ns, 10);
	EXPECT_NUM(test, fix->rec.samples[1].at_ns, 640);
	EXPECT_NUM(test, fix->rec.samples[3].at_ns, 2560);
}

/* a stall is looked at before it is long enough to be shown */
static void soft_shown(struct kunit *test)
{
	struct fixture *fix = test->priv;
	struct tio_record *rec;
	bool first;

	rec = tio_open_soft_reserve(fix->open, 100, 90, &first);
	rec->threshold_ns = 10;
	tio_open_soft_commit(fix->open);
	KUNIT_EXPECT_FALSE(test, tio_open_read_soft(fix->open, 109, &fix->rec));
	KUNIT_EXPECT_TRUE(test, tio_open_read_soft(fix->open, 110, &fix->rec));
}

/* the stall's record gets the samples within the upper bound */
static void hard_ends(struct kunit *test)
{
	struct fixture *fix = test->priv;

	sample_hard(fix, 5, false, 100);
	sample_hard(fix, 5, false, 101);
	sample_hard(fix, 5, false, 200);
	sample_hard(fix, 5, false, 201);
	fix->rec.end_ns = 200;
	fix->rec.max_ns = 100;
	tio_open_hard_close(fix->open, &fix->rec);
	EXPECT_NUM(test, fix->rec.nsamples, 2);
	EXPECT_NUM(test, fix->rec.samples[0].at_ns, 101);
	EXPECT_NUM(test, fix->rec.samples[1].at_ns, 200);
	tio_open_hard_close(fix->open, &fix->rec);
	EXPECT_NUM(test, fix->rec.nsamples, 0);
	/* an NMI that arrives while the record takes the samples adds none */
	fix->open->hard.closed = true;
	KUNIT_EXPECT_FALSE(test, sample_hard(fix, 5, false, 300));
	fix->open->hard.closed = false;
}

static void hard_by_its_beat(struct kunit *test)
{
	struct fixture *fix = test->priv;
	struct tio_overdue beat = {
		.due_ns = 1000, .on_ns = 990, .threshold_ns = 100, .period_ns = 10,
	};

	sample_hard(fix, 1000, false, 1100);
	KUNIT_EXPECT_FALSE(test, tio_open_read_hard(fix->open, &beat, 1099, &fix->rec));
	/* what another record left there, by which its class would be judged */
	fix->rec.seq = 3;
	fix->rec.end.handler_ns = 100;
	KUNIT_EXPECT_TRUE(test, tio_open_read_hard(fix->open, &beat, 1100, &fix->rec));
	EXPECT_NUM(test, fix->rec.end.handler_ns, 0);
	EXPECT_NUM(test, fix->rec.open, 1);
	EXPECT_NUM(test, fix->rec.kind, TRACE_IRQOFF_KIND_HARD);
	EXPECT_NUM(test, fix->rec.seq, 0);
	EXPECT_NUM(test, fix->rec.end_ns, 1100);
	EXPECT_NUM(test, fix->rec.min_ns, 100);
	EXPECT_NUM(test, fix->rec.max_ns, 110);
	EXPECT_NUM(test, fix->rec.threshold_ns, 100);
	EXPECT_NUM(test, fix->rec.period_ns, 10);
	EXPECT_NUM(test, fix->rec.nsamples, 1);
	/*
	 * interrupts were still on after this beat was due, because the beat before
	 * it was late
	 */
	beat.on_ns = 1005;
	KUNIT_EXPECT_TRUE(test, tio_open_read_hard(fix->open, &beat, 1100, &fix->rec));
	EXPECT_NUM(test, fix->rec.max_ns, 100);
	/* a beat that is never due */
	beat.due_ns = S64_MAX;
	KUNIT_EXPECT_FALSE(test, tio_open_read_hard(fix->open, &beat, 1100, &fix->rec));
}

static struct kunit_case cases[] = {
	KUNIT_CASE(busy),
	KUNIT_CASE(soft),
	KUNIT_CASE(soft_ends),
	KUNIT_CASE(hard),
	KUNIT_CASE(hard_ends),
	KUNIT_CASE(long_stalls),
	KUNIT_CASE(soft_shown),
	KUNIT_CASE(hard_by_its_beat),
	{ }
};

TIO_SUITE("open_stall", "trace_irqoff's open stalls", .init = setup, .exit = teardown);
