// SPDX-License-Identifier: GPL-2.0-only
#include "core/ring_memory.h"
#include "suite.h"

#define MIB	1048576ULL
#define GIB	(1024 * MIB)

static void nothing_wanted(struct kunit *test)
{
	KUNIT_EXPECT_TRUE(test, !tio_ring_memory_rule(0, 0, 0));
	/* what there is already stays, however little memory is left */
	KUNIT_EXPECT_TRUE(test, !tio_ring_memory_rule(0, 500 * MIB, 0));
}

static void cap(struct kunit *test)
{
	KUNIT_EXPECT_TRUE(test, !tio_ring_memory_rule(512 * MIB, 0, 1024 * GIB));
	KUNIT_EXPECT_FALSE(test, !tio_ring_memory_rule(512 * MIB + 1, 0, 1024 * GIB));
	KUNIT_EXPECT_TRUE(test, !tio_ring_memory_rule(1, 512 * MIB - 1, 1024 * GIB));
	KUNIT_EXPECT_FALSE(test, !tio_ring_memory_rule(1, 512 * MIB, 1024 * GIB));
	/* 512 CPUs at 4096 records each */
	KUNIT_EXPECT_FALSE(test, !tio_ring_memory_rule(6300 * MIB, 0, 1024 * GIB));
	KUNIT_EXPECT_FALSE(test, !tio_ring_memory_rule(U64_MAX, U64_MAX, U64_MAX));
	KUNIT_EXPECT_FALSE(test, !tio_ring_memory_rule(1, U64_MAX, U64_MAX));
}

static void quarter(struct kunit *test)
{
	KUNIT_EXPECT_TRUE(test, !tio_ring_memory_rule(25 * MIB, 0, 100 * MIB));
	KUNIT_EXPECT_FALSE(test, !tio_ring_memory_rule(25 * MIB + 1, 0, 100 * MIB));
	KUNIT_EXPECT_FALSE(test, !tio_ring_memory_rule(1, 0, 0));
}

/* CPU by CPU one gets as far as at once */
static void steps(struct kunit *test)
{
	u64 held, available = 100 * MIB, one = 4 * MIB;

	for (held = 0; !tio_ring_memory_rule(one, held, available); held += one)
		available -= one;
	EXPECT_NUM(test, held, 24 * MIB);
	KUNIT_EXPECT_TRUE(test, !tio_ring_memory_rule(24 * MIB, 0, 100 * MIB));
	KUNIT_EXPECT_FALSE(test, !tio_ring_memory_rule(28 * MIB, 0, 100 * MIB));
}

static struct kunit_case cases[] = {
	KUNIT_CASE(nothing_wanted),
	KUNIT_CASE(cap),
	KUNIT_CASE(quarter),
	KUNIT_CASE(steps),
	{ }
};

TIO_SUITE("ring_memory", "how much memory trace_irqoff's rings may take");
