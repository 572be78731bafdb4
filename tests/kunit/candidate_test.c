// SPDX-License-Identifier: GPL-2.0-only
/* Which CPU is most likely to hold the lock that another one waits for. */
#include <linux/kernel.h>
#include <linux/module.h>

#include "core/candidate.h"
#include "suite.h"

/* what CPU @cpu noted: @may 0: in user mode, idle or waiting itself; @count: preempt_count() */
static void add(struct tio_meanwhile *best, u32 cpu, u32 may, u32 count)
{
	struct tio_meanwhile note = {
		.cpu = cpu + 1,
		.candidates = may,
		.preempt_count = count,
	};

	tio_candidate_add(best, &note);
}

static void expect(struct kunit *test, const struct tio_meanwhile *best, u32 cpu, u32 candidates,
		   u32 noted)
{
	EXPECT_NUM(test, best->cpu, cpu + 1);
	EXPECT_NUM(test, best->candidates, candidates);
	EXPECT_NUM(test, best->noted, noted);
}

static void nobody(struct kunit *test)
{
	struct tio_meanwhile best;

	tio_candidate_begin(&best);
	EXPECT_NUM(test, best.cpu, 0);
	EXPECT_NUM(test, best.noted, 0);
	add(&best, 3, 0, 0);
	add(&best, 4, 0, 2);
	EXPECT_NUM(test, best.cpu, 0);
	EXPECT_NUM(test, best.candidates, 0);
	EXPECT_NUM(test, best.noted, 2);
}

/* one with preemption off comes before those that can be preempted, whoever is first */
static void preemption(struct kunit *test)
{
	struct tio_meanwhile best;

	tio_candidate_begin(&best);
	add(&best, 0, 1, 0);
	expect(test, &best, 0, 1, 1);
	add(&best, 1, 1, 0);
	expect(test, &best, 0, 2, 2);
	add(&best, 2, 1, 1);
	expect(test, &best, 2, 1, 3);
	add(&best, 3, 1, 0);
	add(&best, 4, 0, 1);
	expect(test, &best, 2, 1, 5);
}

/* of several that are as likely the first one is shown, and how many there are */
static void several(struct kunit *test)
{
	struct tio_meanwhile best;

	tio_candidate_begin(&best);
	add(&best, 5, 1, 1);
	add(&best, 6, 1, 0x100);
	add(&best, 7, 1, 2);
	expect(test, &best, 5, 3, 3);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(nobody),
	KUNIT_CASE(preemption),
	KUNIT_CASE(several),
	{ }
};

TIO_SUITE("candidate", "who may hold a lock");
