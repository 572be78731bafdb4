// SPDX-License-Identifier: GPL-2.0-only
#include "fixture.h"

#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "units.h"

static __u64 wall_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return now.tv_sec * NSEC_PER_SEC + now.tv_nsec;
}

/* whenever it is asked for */
static void one_time_of_a_moment(void **state)
{
	__u64 before_ns = wall_ns(), asked_ns = clock_monotonic_ns();
	__u64 at_ns = clock_monotonic_ns(), after_ns = wall_ns();
	__u64 first_ns = clock_realtime_at(at_ns, asked_ns), second_ns;

	(void)state;
	usleep(20000);
	second_ns = clock_realtime_at(at_ns, asked_ns);
	assert_in_range(first_ns, before_ns - 20000, after_ns + 20000);
	assert_in_range(second_ns, first_ns - 20000, first_ns + 20000);
}

/* a clock that is ahead of our own, or behind it */
static void another_clock(void **state)
{
	__u64 asked_ns = clock_monotonic_ns(), before_ns = wall_ns();

	(void)state;
	assert_true(clock_realtime_at(asked_ns + 3600 * NSEC_PER_SEC, asked_ns) >= before_ns);
	assert_true(clock_realtime_at(asked_ns - 1, asked_ns) >= before_ns);
	assert_true(clock_realtime_at(0, asked_ns) <= wall_ns());
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_time_of_a_moment),
		cmocka_unit_test(another_clock),
	};

	return cmocka_run_group_tests_name("clock", tests, NULL, NULL);
}
