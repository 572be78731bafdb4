// SPDX-License-Identifier: GPL-2.0-only
/* When may readers be told? */
#include <linux/kernel.h>
#include <linux/module.h>

#include "record/wake.h"
#include "suite.h"

static void at_once(struct kunit *test)
{
	EXPECT_NUM(test, tio_wake_wait_ns(0, 0, 1), 0);
	EXPECT_NUM(test, tio_wake_wait_ns(0, 0, 10000 * MS), 0);
	/* long after the last one */
	EXPECT_NUM(test, tio_wake_wait_ns(1000 * MS, 0, 10000 * MS), 0);
}

static void apart(struct kunit *test)
{
	EXPECT_NUM(test, tio_wake_wait_ns(1000 * MS, 0, 1000 * MS), 10 * MS);
	EXPECT_NUM(test, tio_wake_wait_ns(1000 * MS, 0, 1004 * MS), 6 * MS);
	EXPECT_NUM(test, tio_wake_wait_ns(1000 * MS, 0, 1010 * MS - 1), 1);
	EXPECT_NUM(test, tio_wake_wait_ns(1000 * MS, 0, 1010 * MS), 0);
}

/* whatever is later: the moment at which there is something to read, or the interval's end */
static void not_before_it_is_shown(struct kunit *test)
{
	EXPECT_NUM(test, tio_wake_wait_ns(0, 1003 * MS, 1000 * MS), 3 * MS);
	EXPECT_NUM(test, tio_wake_wait_ns(0, 1003 * MS, 1003 * MS), 0);
	EXPECT_NUM(test, tio_wake_wait_ns(1000 * MS, 1003 * MS, 1001 * MS), 9 * MS);
	EXPECT_NUM(test, tio_wake_wait_ns(1000 * MS, 1030 * MS, 1001 * MS), 29 * MS);
	EXPECT_NUM(test, tio_wake_wait_ns(1000 * MS, 900 * MS, 1010 * MS), 0);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(at_once),
	KUNIT_CASE(apart),
	KUNIT_CASE(not_before_it_is_shown),
	{ }
};

TIO_SUITE("wake", "when trace_irqoff tells its readers");
