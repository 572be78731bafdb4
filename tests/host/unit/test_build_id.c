// SPDX-License-Identifier: GPL-2.0-only
/* The build id of the running kernel. */
#include "fixture.h"

#include "base/build_id.h"

/* notes as /sys/kernel/notes has them: others may stand before the build id */
static void build_ids(void **state)
{
	static const unsigned char notes[] = {
		4, 0, 0, 0, 4, 0, 0, 0, 6, 0, 0, 0, 'X', 'e', 'n', 0, '2', '.', '6', 0,
		4, 0, 0, 0, 5, 0, 0, 0, 3, 0, 0, 0, 'G', 'N', 'U', 0, 1, 2, 3, 4, 5, 0, 0, 0,
	};
	unsigned char id[BUILD_ID_MOST];

	assert_int_equal(build_id_find(id, notes, sizeof(notes)), 5);
	assert_memory_equal(id, "\1\2\3\4\5", 5);
	for (size_t len = 0; len < sizeof(notes) - 3; len++)
		assert_int_equal(build_id_find(id, notes, len), 0);
	assert_int_equal(build_id_read(id, "/nowhere"), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(build_ids),
	};

	return cmocka_run_group_tests_name("build id", tests, NULL, NULL);
}
