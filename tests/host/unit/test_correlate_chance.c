// SPDX-License-Identifier: GPL-2.0-only
/* How many slow replies stalls would explain by chance. */
#include "correlated.h"

/* where stalls are frequent, chance explains a lot */
static void by_chance(void **state)
{
	for (__u64 at_ns = 110 * SECOND; at_ns < 900 * SECOND; at_ns += 200 * MS)
		add_stall(1, at_ns, 100 * MS);
	for (__u64 at_ns = 120 * SECOND; at_ns < 800 * SECOND; at_ns += 1700 * MS)
		add_reply(at_ns - 20 * MS, 20 * MS + BASE_NS);
	correlate();
	assert_true(correlate_explained(&correlation) > 50);
	assert_true(correlation.chance.mean > 50);
	assert_true(correlation.chance.most >= correlation.chance.mean);
}

/* connects at arbitrary times, while CPUs are stalled for half of the time */
static void dropped_by_chance(void **state)
{
	for (__u64 at_ns = 110 * SECOND; at_ns < 900 * SECOND; at_ns += 200 * MS)
		add_stall(1, at_ns, 100 * MS);
	for (unsigned int i = 0; i < 60; i++)
		add_reply(120 * SECOND + i * 11237 * MS, SECOND + 3 * MS)->kind = REPLY_REQUEST;
	correlate();
	assert_in_range(correlation.counts[CORRELATE_DROPPED], 15, 45);
	assert_true(correlation.chance.mean > 15);
}

/* in the time before stalls were recorded there is no chance */
static void chance_of_watched_time(void **state)
{
	double mean;

	for (__u64 at_ns = 510 * SECOND; at_ns < 900 * SECOND; at_ns += 2 * SECOND)
		add_stall(1, at_ns, 100 * MS);
	for (__u64 at_ns = 511 * SECOND; at_ns < 890 * SECOND; at_ns += 3700 * MS)
		add_reply(at_ns, 50 * MS);
	for (unsigned int i = 0; i < 2; i++)
		model->counters[i].watched_ns = 500 * SECOND;
	correlate();
	mean = correlation.chance.mean;
	assert_true(mean > 1);
	correlate_free(&correlation);
	correlation = (struct correlation){ .clock.how = LOG_CLOCK_GIVEN };
	for (__u64 at_ns = 110 * SECOND; at_ns < 500 * SECOND; at_ns += SECOND / 10)
		add_reply(at_ns, BASE_NS);
	correlate();
	assert_true(correlation.chance.mean > mean / 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_correlation(by_chance),
		test_correlation(dropped_by_chance),
		test_correlation(chance_of_watched_time),
	};

	return cmocka_run_group_tests_name("correlate: chance", tests, NULL, NULL);
}
