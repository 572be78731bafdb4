// SPDX-License-Identifier: GPL-2.0-only
#include "fixture.h"

#include <time.h>
#include <unistd.h>

#include "base/clocks.h"
#include "base/say.h"
#include "base/units.h"

#define PAUSE_NS	(20 * MS)

static __u64 wall_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return now.tv_sec * NSEC_PER_SEC + now.tv_nsec;
}

/*
 * A moment has the same wall-clock time whenever it is converted. Between the conversions is a
 * pause; half of it is allowed, because a busy machine may come between two readings of clocks.
 */
static void one_time_of_a_moment(void **state)
{
	__u64 before_ns = wall_ns(), asked_ns = clock_monotonic_ns();
	__u64 at_ns = clock_monotonic_ns(), after_ns = wall_ns();
	__u64 first_ns = clock_realtime_at(at_ns, asked_ns), second_ns;

	usleep(PAUSE_NS / NSEC_PER_USEC);
	second_ns = clock_realtime_at(at_ns, asked_ns);
	assert_in_range(first_ns, before_ns - PAUSE_NS / 2, after_ns + PAUSE_NS / 2);
	assert_in_range(second_ns, first_ns - PAUSE_NS / 2, first_ns + PAUSE_NS / 2);
}

/* a clock that is ahead of our own, or behind it */
static void another_clock(void **state)
{
	const __u64 hour_ns = 3600 * NSEC_PER_SEC, asked_ns = clock_monotonic_ns();
	const __u64 others[] = { asked_ns + hour_ns, asked_ns - 1, 0 };

	for (size_t i = 0; i < ARRAY_SIZE(others); i++) {
		__u64 before_ns = wall_ns(), now_ns = clock_realtime_at(others[i], asked_ns);

		assert_in_range(now_ns, before_ns, wall_ns());
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_time_of_a_moment),
		cmocka_unit_test(another_clock),
	};

	return cmocka_run_group_tests_name("clock", tests, NULL, NULL);
}
