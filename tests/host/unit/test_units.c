// SPDX-License-Identifier: GPL-2.0-only
#include "fixture.h"

#include <time.h>

#include "base/units.h"

static void assert_duration(const char *text, __u64 wanted)
{
	__u64 ns = 0;

	assert_true(parse_duration(text, &ns));
	assert_int_equal(ns, wanted);
}

static void durations(void **state)
{
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
	assert_duration("1h30m", 5400000 * MS);
	assert_duration("1m2s", 62000 * MS);
	assert_duration("5msec", 5 * MS);
	assert_duration("5\u00b5s", 5000);
}

static void no_durations(void **state)
{
	static const char * const texts[] = {
		"", "50", "0", "ms", " 5ms", "5 ms", "5ms ", "-5ms", "+5ms", "5MS",
		"1h30", "1h 30m", "1h-30m", "1h30m.", "9999999h9999999h99999999h",
		"1.0000000000001m", "1.01ns",
		"1.5ns", "1..5ms", "1.2.3ms", ".5ms", "1.ms", "0x5ms", "1e3us",
		"18446744073709551616ns", "18446744073709552s", "99999999999999999999999s",
	};
	__u64 ns;

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		if (parse_duration(texts[i], &ns))
			fail_msg("'%s' was taken for a duration", texts[i]);
}

static void lengths(void **state)
{
	static const char * const texts[] = { "1m", "10m", "2h", "1d", "5", "ms" };
	__u64 ns;

	assert_true(parse_length("1.5s", &ns));
	assert_int_equal(ns, 1500 * MS);
	assert_true(parse_length("500us", &ns));
	assert_int_equal(ns, 500000);
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		if (parse_length(texts[i], &ns))
			fail_msg("'%s' was taken for a length", texts[i]);
}

static void numbers(void **state)
{
	__u64 number;

	assert_true(parse_number("7", 7, &number));
	assert_int_equal(number, 7);
	assert_false(parse_number("8", 7, &number));
	assert_false(parse_number("", 7, &number));
	assert_false(parse_number("-1", ~0ULL, &number));
	assert_false(parse_number("1x", ~0ULL, &number));
	assert_false(parse_number("18446744073709551616", ~0ULL, &number));
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
		cmocka_unit_test(lengths),
		cmocka_unit_test(numbers),
		cmocka_unit_test(percents),
		cmocka_unit_test(printing),
	};

	setenv("TZ", "UTC", 1);
	tzset();
	return cmocka_run_group_tests_name("units", tests, NULL, NULL);
}
