// SPDX-License-Identifier: GPL-2.0-only
/* Two cases that fail between two that pass, to test that failures are noticed. */
#include <kunit/test.h>
#include <linux/module.h>

static void before(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, 1, 1);
}

static void failing(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, 1, 2);
	/* the case goes on after a failed expectation */
	KUNIT_EXPECT_STREQ(test, "one", "two");
}

static void asserting(struct kunit *test)
{
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, test->priv);
	/* the case ends at a failed assertion */
	KUNIT_EXPECT_EQ(test, 3, 4);
}

static void after(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, 2, 2);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(before),
	KUNIT_CASE(failing),
	KUNIT_CASE(asserting),
	KUNIT_CASE(after),
	{ }
};

static struct kunit_suite suite = {
	.name = "harness_fails",
	.test_cases = cases,
};

kunit_test_suites(&suite);

MODULE_DESCRIPTION("Fails on purpose, to test the runner of the KUnit suites");
MODULE_LICENSE("GPL");
