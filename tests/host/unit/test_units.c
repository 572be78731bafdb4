// SPDX-License-Identifier: GPL-2.0-only
#include "fixture.h"

#include <time.h>

#include "units.h"

static void assert_duration(const char *text, __u64 wanted)
{
	__u64 ns = 0;

	assert_true(parse_duration(text, &ns));
	assert_int_equal(ns, wanted);
}

static void durations(void **state)
{
	(void)state;
	assert_duration("5ns", 5);
	assert_duration("500us", 500000);
	assert_duration("50ms", 50 * MS);
	assert_duration("2s", 2000 * MS);
	assert_duration("1.5ms", 1500000);
	assert_duration("0.000001s", 1000);
	assert_duration("0us", 0);
	assert_duration("18446744073709551615ns", ~0ULL);
	/* the same words as of ages, settings and logs */
	assert_duration("2m", 120000 * MS);
	assert_duration("1.5h", 5400000 * MS);
	assert_duration("1d", 86400000 * MS);
	assert_duration("5sec", 5000 * MS);
	assert_duration("5msec", 5 * MS);
	assert_duration("5\u00b5s", 5000);
}

static void no_durations(void **state)
{
	static const char * const texts[] = {
		"", "50", "0", "ms", " 5ms", "5 ms", "5ms ", "-5ms", "+5ms", "5MS",
		"1m2s", "1.0000000000001m", "1.01ns",
		"1.5ns", "1..5ms", "1.2.3ms", ".5ms", "1.ms", "0x5ms", "1e3us",
		"18446744073709551616ns", "18446744073709552s", "99999999999999999999999s",
	};
	__u64 ns;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		if (parse_duration(texts[i], &ns))
			fail_msg("'%s' was taken for a duration", texts[i]);
}

static void numbers(void **state)
{
	__u64 number;

	(void)state;
	assert_true(parse_number("7", 7, &number));
	assert_int_equal(number, 7);
	assert_false(parse_number("8", 7, &number));
	assert_false(parse_number("", 7, &number));
	assert_false(parse_number("-1", ~0ULL, &number));
	assert_false(parse_number("1x", ~0ULL, &number));
	assert_false(parse_number("18446744073709551616", ~0ULL, &number));
}

static void assert_moment(const char *text, const char *wanted)
{
	char buf[UNITS_LEN];
	__u64 ns;

	if (!parse_moment(text, NOW_REALTIME_NS, &ns))
		fail_msg("'%s' was taken for no moment", text);
	assert_string_equal(print_moment(buf, ns), wanted);
}

static void moments(void **state)
{
	(void)state;
	assert_moment("10m", "2026-11-21 06:50:00.000000");
	assert_moment("1.5h", "2026-11-21 05:30:00.000000");
	assert_moment("2d", "2026-11-19 07:00:00.000000");
	assert_moment("250ms", "2026-11-21 06:59:59.750000");
	assert_moment("2026-11-20 23:59:58.5", "2026-11-20 23:59:58.500000");
	assert_moment("2026-11-20 23:59", "2026-11-20 23:59:00.000000");
	assert_moment("2026-11-20", "2026-11-20 00:00:00.000000");
	assert_moment("2026-11-21T07:00:05Z", "2026-11-21 07:00:05.000000");
	assert_moment("2026-11-21T07:00:05.25+01:30", "2026-11-21 05:30:05.250000");
	assert_moment("2026-11-21T07:00:05-08:00", "2026-11-21 15:00:05.000000");
	assert_moment("06:30", "2026-11-21 06:30:00.000000");
	assert_moment("07:00:00", "2026-11-21 07:00:00.000000");
	/* a time that is yet to come today is yesterday's */
	assert_moment("07:01", "2026-11-20 07:01:00.000000");
	/* later than 64 bits of nanoseconds can express: the last moment they can */
	assert_moment("2554-07-21T23:34:33Z", "2554-07-21 23:34:33.000000");
	assert_moment("2554-07-21T23:34:33.9Z", "2554-07-21 23:34:33.709551");
	assert_moment("9999-12-31", "2554-07-21 23:34:33.709551");
}

static void moments_of_a_zone(void **state)
{
	char buf[UNITS_LEN];
	__u64 ns;

	(void)state;
	setenv("TZ", "XYZ-2", 1);
	tzset();
	assert_true(parse_moment("08:00", NOW_REALTIME_NS, &ns));
	assert_int_equal(ns, NOW_REALTIME_NS - 3600000 * MS);
	assert_string_equal(print_iso8601(buf, ns), "2026-11-21T08:00:00.000000+02:00");
	setenv("TZ", "XYZ3:30", 1);
	tzset();
	assert_string_equal(print_iso8601(buf, ns), "2026-11-21T02:30:00.000000-03:30");
	setenv("TZ", "UTC", 1);
	tzset();
}

static void no_moments(void **state)
{
	static const char * const texts[] = {
		"", "10", "yesterday", "25:00", "07:00x", "2026-11-21 07:00 x", "2026-13-01",
		"2026-02-30", "2026-11-21T07:00:05+1", "07:00Z", "2026-11-21 07:00:05.",
	};
	__u64 ns;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		if (parse_moment(texts[i], NOW_REALTIME_NS, &ns))
			fail_msg("'%s' was taken for a moment", texts[i]);
}

static void percents(void **state)
{
	static const struct {
		const char *text;
		__u32 ppm;
		const char *printed;
	} cases[] = {
		{ "6%", 60000, "6 %" }, { "0.0001%", 1, "0.0001 %" }, { "none", 0, "0 %" },
		{ "0", 0, "0 %" }, { "0%", 0, "0 %" }, { "100%", 1000000, "100 %" },
		{ "12.3456%", 123456, "12.3456 %" }, { "400%", 4000000, "400 %" },
	};
	static const char * const wrong[] = {
		"", "%", "6", "6 %", ".5%", "5.%", "1..2%", "0.00001%", "-1%", "6%%", "none%",
		"429497%", "99999999999999999999%",
	};
	char buf[UNITS_LEN];
	__u32 ppm;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		if (!parse_percent(cases[i].text, &ppm) || ppm != cases[i].ppm)
			fail_msg("'%s'", cases[i].text);
		assert_string_equal(print_percent(buf, ppm), cases[i].printed);
	}
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++)
		if (parse_percent(wrong[i], &ppm))
			fail_msg("'%s' was taken for a percentage", wrong[i]);
}

static void printing(void **state)
{
	static const struct {
		__u64 ns;
		const char *duration;
		const char *ms;
	} cases[] = {
		{ 0, "0 ns", "0.000" },
		{ 999, "999 ns", "0.000" },
		{ 1500, "1.5 us", "0.001" },
		{ 10 * MS, "10 ms", "10.000" },
		{ 10 * MS + 40999, "10.04 ms", "10.040" },
		{ 1000 * MS, "1 s", "1000.000" },
		{ 61234 * MS, "61.234 s", "61234.000" },
	};
	char buf[UNITS_LEN];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		assert_string_equal(print_duration(buf, cases[i].ns), cases[i].duration);
		assert_string_equal(print_ms(buf, cases[i].ns), cases[i].ms);
	}
	assert_string_equal(print_span(buf, 59999 * MS), "59 s");
	assert_string_equal(print_span(buf, 61000 * MS), "1 min 1 s");
	assert_string_equal(print_span(buf, 7380000 * MS), "2 h 3 min");
	assert_string_equal(print_span(buf, 90000000 * MS), "1 d 1 h");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(durations),
		cmocka_unit_test(no_durations),
		cmocka_unit_test(numbers),
		cmocka_unit_test(moments),
		cmocka_unit_test(moments_of_a_zone),
		cmocka_unit_test(no_moments),
		cmocka_unit_test(percents),
		cmocka_unit_test(printing),
	};

	setenv("TZ", "UTC", 1);
	tzset();
	return cmocka_run_group_tests_name("units", tests, NULL, NULL);
}
