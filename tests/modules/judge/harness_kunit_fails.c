// SPDX-License-Identifier: GPL-2.0-only
/* A suite with cases that fail between two that do not, to see that they are noticed. */
#include <kunit/test.h>
#include <linux/module.h>

static void before(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, 1, 1);
}

static void failing(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, 1, 2);
	/* an expectation does not end the case */
	KUNIT_EXPECT_STREQ(test, "one", "two");
}

static void asserting(struct kunit *test)
{
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, test->priv);
	/* an assertion does */
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
