// SPDX-License-Identifier: GPL-2.0-only
#include "fixture.h"

#include "base/pool.h"

#define PIECES	3000

/* equal bytes are the same, and others are not, however many there are */
static void kept_once(void **state)
{
	struct pool *pool = pool_new();
	const void *kept[PIECES];

	for (__u32 i = 0; i < PIECES; i++)
		kept[i] = pool_keep(pool, &i, sizeof(i));
	for (__u32 i = 0; i < PIECES; i++) {
		assert_memory_equal(kept[i], &i, sizeof(i));
		assert_ptr_equal(pool_keep(pool, &i, sizeof(i)), kept[i]);
	}
	assert_ptr_not_equal(pool_keep(pool, &(__u32){ 7 }, 3), kept[7]);
	assert_ptr_not_equal(pool_keep(pool, "", 0), pool_keep(pool, "", 1));
	pool_free(pool);
	pool_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kept_once),
	};

	return cmocka_run_group_tests_name("pool", tests, NULL, NULL);
}
