// SPDX-License-Identifier: GPL-2.0-only
/* Points in time, as people type them and as programs write them. */
#include "fixture.h"

#include <time.h>

#include "base/moment.h"
#include "base/units.h"

#define SECOND	(1000 * MS)
#define US	1000ULL

static void assert_moment(const char *text, const char *wanted)
{
	char buf[UNITS_LEN];
	__u64 ns;

	if (!moment_parse(text, NOW_REALTIME_NS, &ns))
		fail_msg("'%s' was taken for no moment", text);
	assert_string_equal(print_moment(buf, ns), wanted);
}

static void moments(void **state)
{
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
	assert_moment("06:30:01.5", "2026-11-21 06:30:01.500000");
	assert_moment("now", "2026-11-21 07:00:00.000000");
	assert_moment("today", "2026-11-21 00:00:00.000000");
	assert_moment("yesterday", "2026-11-20 00:00:00.000000");
	/* as logs have them */
	assert_moment("2026-11-20 23:59:58,5 +01", "2026-11-20 22:59:58.500000");
	assert_moment("Sat Nov 21 07:00:05 2026", "2026-11-21 07:00:05.000000");
	assert_moment("1795244400123", "2026-11-21 07:00:00.123000");
	assert_moment("[1795244400.25]", "2026-11-21 07:00:00.250000");
	assert_moment("@1795244400", "2026-11-21 07:00:00.000000");
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
	__u64 ns, today;

	setenv("TZ", "XYZ-2", 1);
	tzset();
	assert_true(moment_parse("08:00", NOW_REALTIME_NS, &ns));
	assert_int_equal(ns, NOW_REALTIME_NS - 3600000 * MS);
	assert_string_equal(print_iso8601(buf, ns), "2026-11-21T08:00:00.000000+02:00");
	assert_true(moment_parse("today", NOW_REALTIME_NS, &today));
	assert_int_equal(today, NOW_REALTIME_NS - 9 * 3600000 * MS);
	setenv("TZ", "XYZ3:30", 1);
	tzset();
	assert_string_equal(print_iso8601(buf, ns), "2026-11-21T02:30:00.000000-03:30");
	setenv("TZ", "UTC", 1);
	tzset();
}

static void no_moments(void **state)
{
	static const char * const texts[] = {
		"", "10", "tomorrow", "25:00", "24:00", "07:00:60x", "[", "[]", "@", "[07:00]",
		"@10m", "07:00x", "2026-11-21 07:00 x", "2026-13-01",
		"2026-02-30", "2026-11-21T07:00:05+1", "07:00Z", "2026-11-21 07:00:05.",
	};
	__u64 ns;

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		if (moment_parse(texts[i], NOW_REALTIME_NS, &ns))
			fail_msg("'%s' was taken for a moment", texts[i]);
}

static void dates(void **state)
{
	static const char * const bad[] = { "10m", "07:00", "now", "yesterday", "", "[]" };
	__u64 ns;

	assert_true(moment_with_date("2026-11-21 07:00", &ns));
	assert_int_equal(ns, NOW_REALTIME_NS);
	assert_true(moment_with_date("[1795244400.25]", &ns));
	assert_int_equal(ns, NOW_REALTIME_NS + 250 * MS);
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		if (moment_with_date(bad[i], &ns))
			fail_msg("'%s' was taken for a date", bad[i]);
}

static void stamps(void **state)
{
	static const struct {
		const char *text;
		__u64 behind_ns, grain_ns;	/* NOW_REALTIME_NS */
		bool local;
	} good[] = {
		{ "1795244400", 0, SECOND, false },
		{ "1795244400.123456789", 123456789, 1, false },
		{ "1795244400.1234567891234567890", 123456789, 1, false },
		{ "1795244400.5", 500 * MS, 100 * MS, false },
		{ "1795244400123", 123 * MS, MS, false },
		{ "1795244400123.5", 123 * MS + 500 * US, 100 * US, false },
		{ "1795244400123456", 123456 * US, US, false },
		{ "1795244400123456789", 123456789, 1, false },
		{ "2026-11-21T07:00:00Z", 0, SECOND, false },
		{ "2026-11-21T07:00:00z", 0, SECOND, false },
		{ "2026-11-21 07:00:00", 0, SECOND, true },
		{ "2026-11-21T08:00:00.25+01:00", 250 * MS, 10 * MS, false },
		{ "2026-11-21T08:00:00,250+0100", 250 * MS, MS, false },
		{ "2026-11-21 01:30:00.000001 -0530", US, US, false },
		{ "2026-11-21T08:00:00.123456789+01", 123456789, 1, false },
		{ "Sat Nov 21 07:00:00 2026", 0, SECOND, true },
	};
	static const char * const bad[] = {
		"", "x", "-1795244400", "1795244400.", "1795244400.5x", "1.795244400e9", "NaN",
		"599999999", "7258118400", "0", "18446744073709551616", "999999999999999999999999",
		"1989-12-31T23:59:59Z", "2200-01-01T00:00:00Z", "2026-11-21", "07:00:00", "10m",
		"2026-11-21T07:00", "2026-13-21T07:00:00Z", "2026-02-30T07:00:00Z",
		"2026-11-21T07:00:00+1", "2026-11-21T07:00:00 CET", "2026-11-21T07:00:00.Z",
		"21/Nov/2026:07:00:00 +0100", "Sat Nov 21 07:00:00",
	};
	__u64 ns, grain_ns;

	for (size_t i = 0; i < ARRAY_SIZE(good); i++) {
		if (!stamp_read(good[i].text, &ns, &grain_ns))
			fail_msg("%s", good[i].text);
		assert_int_equal(ns, NOW_REALTIME_NS + good[i].behind_ns);
		assert_int_equal(grain_ns, good[i].grain_ns);
	}
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		if (stamp_read(bad[i], &ns, &grain_ns))
			fail_msg("%s", bad[i]);
	for (size_t i = 0; i < ARRAY_SIZE(good); i++)
		if (stamp_names_zone(good[i].text) == good[i].local)
			fail_msg("%s", good[i].text);
	setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", 1);
	tzset();
	assert_true(stamp_read("2026-11-21 08:00:00", &ns, &grain_ns));
	assert_int_equal(ns, NOW_REALTIME_NS);
	setenv("TZ", "UTC", 1);
	tzset();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(moments),
		cmocka_unit_test(moments_of_a_zone),
		cmocka_unit_test(no_moments),
		cmocka_unit_test(dates),
		cmocka_unit_test(stamps),
	};

	setenv("TZ", "UTC", 1);
	tzset();
	return cmocka_run_group_tests_name("moment", tests, NULL, NULL);
}
