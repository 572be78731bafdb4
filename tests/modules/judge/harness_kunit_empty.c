// SPDX-License-Identifier: GPL-2.0-only
/* A suite without cases, which KUnit reports as passed or skipped. */
#include <kunit/test.h>
#include <linux/module.h>

static struct kunit_case cases[] = {
	{ }
};

static struct kunit_suite suite = {
	.name = "harness_empty",
	.test_cases = cases,
};

kunit_test_suites(&suite);

MODULE_DESCRIPTION("Tests nothing, to test the runner of the KUnit suites");
MODULE_LICENSE("GPL");
