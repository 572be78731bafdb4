// SPDX-License-Identifier: GPL-2.0-only
#include "fixture.h"

#include <math.h>

#include "group/regularity.h"

#define SECOND	(1000 * MS)

/* so many random groups, of which chance may make two look regular */
#define GROUPS	20000

static unsigned short seed[3];

static struct occasions occasions;
static struct regularity found;

static int open_times(void **state)
{
	static const unsigned short first[3] = { 0x330e, 0xabcd, 0x1234 };

	occasions = (struct occasions){ 0 };
	memcpy(seed, first, sizeof(seed));
	return 0;
}

static int close_times(void **state)
{
	occasions_free(&occasions);
	return 0;
}

#define test_times(test)	cmocka_unit_test_setup_teardown(test, open_times, close_times)

static void add_ms(double ms)
{
	occasions_add(&occasions, 3600 * SECOND + ms * MS);
}

/* from -1 to 1 */
static double random_part(void)
{
	return 2 * erand48(seed) - 1;
}

/* @count times, a period of 10 s apart, of which each is off by some of it */
static void add_regular(unsigned int count, double off)
{
	for (unsigned int i = 0; i < count; i++)
		add_ms(10000 * (i + off * random_part()));
}

static void assert_found(const char *wanted)
{
	char buf[UNITS_LEN];

	regularity_find(&found, &occasions);
	assert_string_equal(regularity_print(buf, &found), wanted);
}

/* the period is known no better than by a part in a hundred */
static void assert_period(double ms, unsigned int agree, unsigned int of)
{
	regularity_find(&found, &occasions);
	assert_true(fabs(found.period_ns / (ms * MS) - 1) < 0.01);
	assert_false(found.grid);
	assert_int_equal(found.agree, agree);
	assert_int_equal(found.of, of);
}

static void none(void **state)
{
	assert_found("");
	add_ms(0);
	assert_found("");
}

static void five_agree(void **state)
{
	for (int i = 0; i < 4; i++)
		add_ms(10660 * i);
	assert_found("");
	add_ms(10660 * 4);
	assert_found("every 10.7 s (5 of 5)");
}

/* the next run is a period after the end of the last one, so that deviations add up */
static void runs_late(void **state)
{
	double ms = 0;

	for (int i = 0; i < 64; i++, ms += 10000 + 500 * random_part())
		add_ms(ms);
	assert_period(10000, 64, 64);
}

/* stalls that were too short, or whose records are lost */
static void some_are_missing(void **state)
{
	static const unsigned int there[] = { 0, 1, 2, 4, 5, 8, 9, 10 };

	for (size_t i = 0; i < ARRAY_SIZE(there); i++)
		add_ms(2000 * there[i] + 20 * random_part());
	assert_period(2000, 8, 8);
}

/* sched_cfs_period_timer() of a cgroup with a quota, as it was recorded */
static void grid_of_timer(void **state)
{
	static const double at[] = {
		64700.093, 64800.089, 65000.075, 65050.090, 65200.070, 65300.081, 65450.079,
		65550.096, 66450.117, 66550.088, 66800.082, 67050.088, 67200.165, 67300.106,
		67450.094, 67550.111, 67800.067, 67950.064, 68200.189, 68300.152, 69100.077,
		70100.156, 70250.093, 70300.111, 70650.016,
	};

	for (size_t i = 0; i < ARRAY_SIZE(at); i++)
		add_ms(at[i]);
	assert_found("on a grid of 50 ms (25 of 25)");
}

/* a stall of another origin */
/* bursts of three, of which each interval is near a multiple of 247 ms */
static void bursts(void **state)
{
	for (unsigned int burst = 0; burst < 7; burst++)
		for (unsigned int i = 0; i < 3; i++)
			add_ms(2720 * burst + 239 * i);
	assert_found("");
}

static void one_does_not_agree(void **state)
{
	add_regular(12, 0.01);
	add_ms(47000);
	assert_period(10000, 12, 13);
}

/* what makes them was started anew */
static void begins_anew(void **state)
{
	add_regular(8, 0.01);
	for (int i = 0; i < 8; i++)
		add_ms(84000 + 10000 * i);
	assert_period(10000, 16, 16);
}

/* behind a gap, as a full ring leaves it */
static void old_one(void **state)
{
	add_ms(-1234567);
	add_regular(9, 0.01);
	assert_period(10000, 9, 10);
}

static void most_disagree(void **state)
{
	add_regular(12, 0.01);
	for (int i = 0; i < 12; i++)
		add_ms(10000 * (i + 0.2 + 0.6 * erand48(seed)));
	assert_found("");
}

/* on several CPUs */
static void at_once(void **state)
{
	for (int i = 0; i < 6; i++) {
		add_ms(3000 * i);
		add_ms(3000 * i + 4);
	}
	assert_found("every 3 s (6 of 6)");
}

static void any_order(void **state)
{
	for (int i = 0; i < 7; i++)
		add_ms(3000 * (i * 3 % 7));
	assert_found("every 3 s (7 of 7)");
}

static void newest_count(void **state)
{
	for (int i = 0; i < 100; i++)
		add_ms(-1e6 * erand48(seed));
	add_regular(REGULARITY_MOST, 0);
	assert_found("every 10 s (64 of 64)");
}

/* exponential intervals, independent times, bursts, and those that come with a tick of 10 ms */
static void add_random(unsigned int kind, unsigned int count)
{
	double mean = 5 * pow(10, 5 * erand48(seed)), ms = 0;

	for (unsigned int i = 0; i < count; i++) {
		ms += -log(1 - erand48(seed)) * mean;
		if (kind == 2 && erand48(seed) < 0.2)
			ms += -log(1 - erand48(seed)) * 100 * mean;
		if (kind == 1)
			add_ms(erand48(seed) * count * mean);
		else
			add_ms(kind == 3 ? floor(ms / 10) * 10 : ms);
	}
}

static void random_times(void **state)
{
	unsigned int regular = 0;

	for (unsigned int i = 0; i < GROUPS; i++) {
		/* most groups are small */
		add_random(i % 4, REGULARITY_LEAST + 59 * pow(erand48(seed), 4));
		regularity_find(&found, &occasions);
		regular += !!found.period_ns;
		occasions_free(&occasions);
	}
	assert_in_range(regular, 0, 2);
}

static void printed(void **state)
{
	struct regularity is = { .period_ns = 1234567890123, .agree = 5, .of = 6 };
	char buf[UNITS_LEN];

	assert_string_equal(regularity_print(buf, &is), "every 1230 s (5 of 6)");
	is.period_ns = 99950000;
	is.grid = true;
	assert_string_equal(regularity_print(buf, &is), "on a grid of 100 ms (5 of 6)");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_times(none),
		test_times(five_agree),
		test_times(runs_late),
		test_times(some_are_missing),
		test_times(grid_of_timer),
		test_times(bursts),
		test_times(one_does_not_agree),
		test_times(begins_anew),
		test_times(old_one),
		test_times(most_disagree),
		test_times(at_once),
		test_times(any_order),
		test_times(newest_count),
		test_times(random_times),
		cmocka_unit_test(printed),
	};

	return cmocka_run_group_tests_name("regularity", tests, NULL, NULL);
}
