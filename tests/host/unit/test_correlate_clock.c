// SPDX-License-Identifier: GPL-2.0-only
/* How the times of a log go with those of stalls. */
#include "correlated.h"

/* what is no stall in one zone is one in another */
static void zone_unknown(void **state)
{
	correlation.zone_unknown = true;
	add_stall(1, 700 * SECOND, 100 * MS);
	add_reply(600 * SECOND, 100 * MS);
	add_reply(700 * SECOND - 80 * MS, 80 * MS);
	correlate();
	assert_int_equal(correlation.findings[0].verdict, CORRELATE_CANNOT_TELL);
	assert_non_null(strstr(correlation.findings[0].remedy, "TZ="));
	assert_int_equal(correlation.findings[1].verdict, CORRELATE_STALL);
}

static void clock_unknown(void **state)
{
	correlation.clock.how = LOG_CLOCK_STAMPED;
	add_reply(600 * SECOND, 100 * MS);
	correlate();
	assert_int_equal(only()->verdict, CORRELATE_CANNOT_TELL);
	assert_non_null(strstr(only()->remedy, "--offset"));
}

static void clock_given(void **state)
{
	correlation.clock.how = LOG_CLOCK_GIVEN;
	correlation.clock.offset_ns = 2 * SECOND;
	add_reply(602 * SECOND, 100 * MS);
	add_stall(1, 700 * SECOND, 100 * MS);
	add_reply(702 * SECOND - 80 * MS, 80 * MS);
	correlate();
	assert_int_equal(correlation.findings[0].verdict, CORRELATE_NO_STALL);
	assert_int_equal(correlation.findings[1].verdict, CORRELATE_STALL);
}

/* irregular stalls, and replies of a log whose clock is off by so much */
static void hold_up(__u64 off_ns)
{
	static const unsigned int at[] = { 200, 213, 260, 262, 331, 390, 427, 501, 530, 617 };

	for (size_t i = 0; i < ARRAY_SIZE(at); i++) {
		add_stall(1, at[i] * SECOND, 100 * MS);
		add_reply(at[i] * SECOND + off_ns - 70 * MS, 70 * MS + BASE_NS);
	}
}

/* no absence rests on that */
static void clock_fitted(void **state)
{
	hold_up(840 * MS);
	add_reply(800 * SECOND, 100 * MS);
	correlation.clock.how = LOG_CLOCK_STAMPED;
	correlate();
	assert_int_equal(correlation.clock.how, LOG_CLOCK_FITTED);
	assert_in_range(correlation.clock.offset_ns, 840 * MS - 200000, 840 * MS + 200000);
	assert_int_equal(correlation.counts[CORRELATE_STALL], 10);
	assert_int_equal(correlation.counts[CORRELATE_CANNOT_TELL], 1);
}

/* --offset is wrong, as slow replies show */
static void clock_given_wrong(void **state)
{
	hold_up(2345 * MS);
	correlate();
	assert_true(correlation.clock.doubted);
	assert_int_equal(correlation.counts[CORRELATE_NO_STALL], 0);
}

/* a clock that is right in the middle of the log alone is not right */
static void clock_drifts(void **state)
{
	const __u64 from_s = 150, to_s = 950, middle_s = 550;

	for (__u64 at_s = from_s, i = 0; at_s < to_s; at_s += 13 + i * 7 % 31, i++) {
		__u64 end_ns = at_s * SECOND + i * 7919 % 997 * MS;
		double off_ns = 0.00005 * ((double)end_ns - middle_s * 1e9);

		add_stall(1, end_ns, 30 * MS);
		add_reply(end_ns - 25 * MS + (__s64)off_ns, 25 * MS + BASE_NS);
	}
	correlation.clock.how = LOG_CLOCK_STAMPED;
	correlate();
	assert_int_equal(correlation.clock.how, LOG_CLOCK_FITTED);
	assert_int_equal(correlation.counts[CORRELATE_STALL], correlation.slows.count);
}

static void whole_seconds(void **state)
{
	replies.grain_ns = SECOND;
	add_stall(1, 600 * SECOND, 100 * MS);
	add_reply(600 * SECOND - 60 * MS, 60 * MS + BASE_NS);
	add_reply(700 * SECOND, SECOND)->kind = REPLY_REQUEST;
	correlate();
	assert_int_equal(correlation.findings[0].verdict, CORRELATE_CANNOT_TELL);
	assert_int_equal(correlation.findings[1].verdict, CORRELATE_CANNOT_TELL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_correlation(zone_unknown),
		test_correlation(clock_unknown),
		test_correlation(clock_given),
		test_correlation(clock_fitted),
		test_correlation(clock_given_wrong),
		test_correlation(clock_drifts),
		test_correlation(whole_seconds),
	};

	return cmocka_run_group_tests_name("correlate: clock", tests, NULL, NULL);
}
