// SPDX-License-Identifier: GPL-2.0-only
/* Lists of CPUs, which a file may have wrong. */
#include "fixture.h"

#include "model/cpuset.h"

static const char * const whole[] = { "", "0", "0-3", "0-3,8", "1,3,5-7", "65535" };
static const char * const broken[] = {
	"x", "-1", " 0", "0-", "0,", ",0", "0-3x", "3-1", "0-3,2", "0,0", "0x10", "default",
	"65536",
	"0-65536", "4294967295", "0-4294967295", "18446744073709551615", "99999999999999999999",
};

static void lists(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(whole); i++)
		if (!cpulist_whole(whole[i]))
			fail_msg("refused: '%s'", whole[i]);
	for (size_t i = 0; i < ARRAY_SIZE(broken); i++)
		if (cpulist_whole(broken[i]))
			fail_msg("taken: '%s'", broken[i]);
}

static unsigned int steps_through(const char *list)
{
	unsigned int steps = 0;
	__u32 cpu;

	for (__u32 next = 0; cpulist_next(list, next, &cpu); next = cpu + 1)
		if (++steps > CPUSET_MOST)
			fail_msg("no end: '%s'", list);
	return steps;
}

/* whatever a list says, going through it ends */
static void ends(void **state)
{
	assert_int_equal(steps_through("0-3,8"), 5);
	assert_int_equal(steps_through("65534-65537"), 2);
	assert_int_equal(steps_through("4294967295"), 0);
	assert_int_equal(steps_through("0-18446744073709551615"), CPUSET_MOST);
	for (size_t i = 0; i < ARRAY_SIZE(broken); i++)
		steps_through(broken[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lists),
		cmocka_unit_test(ends),
	};

	return cmocka_run_group_tests_name("cpuset", tests, NULL, NULL);
}
