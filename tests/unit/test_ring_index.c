// SPDX-License-Identifier: GPL-2.0-only
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "ring_index.h"

static void expect(const struct tio_ring_index *index, __u64 first, __u64 kept,
		   __u64 lost)
{
	assert_int_equal(tio_ring_first(index), first);
	assert_int_equal(tio_ring_kept(index), kept);
	assert_int_equal(tio_ring_lost(index), lost);
	assert_int_equal(index->produced,
			 tio_ring_kept(index) + tio_ring_lost(index) +
			 index->cleared);
}

static void fills_and_overwrites(void **state)
{
	struct tio_ring_index index = { .size = 4 };

	(void)state;
	expect(&index, 0, 0, 0);
	for (index.produced = 1; index.produced <= 4; index.produced++)
		expect(&index, 0, index.produced, 0);
	expect(&index, 1, 4, 1);
	index.produced = 1000;
	expect(&index, 996, 4, 996);
}

static void clear_drops_what_is_kept(void **state)
{
	struct tio_ring_index index = { .size = 4, .produced = 3 };

	(void)state;
	tio_ring_drop(&index);
	expect(&index, 3, 0, 0);
	assert_int_equal(index.cleared, 3);
	tio_ring_drop(&index);
	assert_int_equal(index.cleared, 3);

	index.produced = 5;
	expect(&index, 3, 2, 0);
	index.produced = 8;
	expect(&index, 4, 4, 1);
	tio_ring_drop(&index);
	expect(&index, 8, 0, 1);
	assert_int_equal(index.cleared, 7);
	index.produced = 20;
	expect(&index, 16, 4, 9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fills_and_overwrites),
		cmocka_unit_test(clear_drops_what_is_kept),
	};

	return cmocka_run_group_tests_name("ring_index", tests, NULL, NULL);
}
