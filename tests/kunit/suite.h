/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Shared by the suites. NAME_test.c is the suite trace_irqoff_NAME in the module
 * trace_irqoff_NAME_test; Kbuild and tests/guest/debug/kunit.t rely on these names.
 */
#ifndef _TIO_SUITE_H
#define _TIO_SUITE_H

#include <kunit/test.h>
#include <linux/prandom.h>
#include <linux/types.h>

#define MS	1000000ULL

/* before 5.17 KUNIT_EXPECT_EQ() warns if the operands have different types */
#define EXPECT_NUM(test, left, right) \
	KUNIT_EXPECT_EQ(test, (u64)(left), (u64)(right))
#define EXPECT_NUM_IN(test, left, right, at) \
	KUNIT_EXPECT_EQ_MSG(test, (u64)(left), (u64)(right), "in case %llu", (u64)(at))
#define EXPECT_INT(test, left, right) \
	KUNIT_EXPECT_EQ(test, (int)(left), (int)(right))
#define EXPECT_INT_IN(test, left, right, at) \
	KUNIT_EXPECT_EQ_MSG(test, (int)(left), (int)(right), "in case %llu", (u64)(at))

/* the same random numbers each time, so that a failure can be repeated */
#define SEED	20241121ULL

static inline u64 below(struct rnd_state *rnd, u64 limit)
{
	u64 number = (u64)prandom_u32_state(rnd) << 32;

	number |= prandom_u32_state(rnd);
	return number % limit;
}

/* runs cases[] as the module is loaded; .init and .exit of struct kunit_suite may follow */
#define TIO_SUITE(suite_name, about, ...)		\
	static struct kunit_suite suite = {		\
		.name = "trace_irqoff_" suite_name,	\
		.test_cases = cases,			\
		__VA_ARGS__				\
	};						\
	kunit_test_suites(&suite);			\
	MODULE_DESCRIPTION("Tests of " about);		\
	MODULE_LICENSE("GPL")

#endif /* _TIO_SUITE_H */
