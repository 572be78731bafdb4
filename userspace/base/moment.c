// SPDX-License-Identifier: GPL-2.0-only
/* What people type and programs write for a point in time. The digits tell how fine it is. */
#include <ctype.h>
#include <string.h>
#include <time.h>

#include "base/decimal.h"
#include "base/moment.h"
#include "base/say.h"
#include "base/units.h"

/* numbers outside of these years are no time since 1970, and stamps something else */
#define YEAR_1990_NS	(631152000 * NSEC_PER_SEC)
#define YEAR_2200_NS	(7258118400 * NSEC_PER_SEC)

#define MINUTE_NS	(60 * NSEC_PER_SEC)
#define DAY_NS		(86400 * NSEC_PER_SEC)

/* the longest that is read: ctime() has 24 characters */
#define MOMENT_ROOM	64

static bool plausible(__u64 ns)
{
	return ns >= YEAR_1990_NS && ns < YEAR_2200_NS;
}

static __u64 grain_of(__u64 unit_ns, unsigned int decimals)
{
	for (; decimals && unit_ns > 1; decimals--)
		unit_ns /= 10;
	return unit_ns;
}

/* since 1970, in the one unit in which it is a time of these centuries */
static bool read_epoch(const char *text, __u64 *ns, __u64 *grain_ns)
{
	static const __u64 units_ns[] = { NSEC_PER_SEC, NSEC_PER_MSEC, NSEC_PER_USEC, 1 };
	struct decimal decimal;
	const char *rest = decimal_read(text, &decimal);

	if (!rest || *rest || decimal.scientific)
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(units_ns); i++) {
		if (!decimal_scale(&decimal, units_ns[i], ns) || !plausible(*ns))
			continue;
		*grain_ns = grain_of(units_ns[i], decimal.decimals);
		return true;
	}
	return false;
}

/* is @text like @shape, whose zeros stand for digits? @whole: nothing follows */
static bool has_shape(const char *text, const char *shape, bool whole)
{
	for (; *shape; shape++, text++)
		if (*shape == '0' ? !isdigit((unsigned char)*text) : *text != *shape)
			return false;
	return !whole || !*text;
}

static int two_digits(const char *text)
{
	return 10 * (text[0] - '0') + (text[1] - '0');
}

/* "" is local time; "Z", "+01:00", "+0100", "+01"; @east_s: seconds east of Greenwich */
static bool read_zone(const char *text, bool *local, long *east_s)
{
	const char *digits;
	int hours, minutes;

	text += strspn(text, " ");
	*local = !*text;
	*east_s = 0;
	if (!*text || !strcasecmp(text, "Z"))
		return true;
	digits = text + 1;
	if ((*text != '+' && *text != '-') ||
	    (!has_shape(digits, "00:00", true) && !has_shape(digits, "0000", true) &&
	     !has_shape(digits, "00", true)))
		return false;
	hours = two_digits(digits);
	minutes = digits[2] ? two_digits(digits + strlen(digits) - 2) : 0;
	*east_s = (*text == '-' ? -1 : 1) * (hours * 3600L + minutes * 60L);
	return hours < 24 && minutes < 60;
}

/* ".25" or ",25" behind the seconds; returns what follows */
static const char *read_fraction(const char *text, __u64 *ns, __u64 *grain_ns)
{
	struct decimal decimal = { 0 };

	if ((*text == '.' || *text == ',') && isdigit((unsigned char)text[1]))
		while (isdigit((unsigned char)*++text))
			decimal_add(&decimal, *text, true);
	decimal_scale(&decimal, NSEC_PER_SEC, ns);
	*grain_ns = grain_of(NSEC_PER_SEC, decimal.decimals);
	return text;
}

/* a time that 64 bits of nanoseconds do not hold is later than any record */
static bool to_ns(struct tm *tm, bool local, long east_s, __u64 *ns)
{
	int day = tm->tm_mday;
	time_t at;

	tm->tm_isdst = -1;
	at = local ? mktime(tm) : timegm(tm) - east_s;
	/* another day: that one does not exist */
	if (at < 0 || tm->tm_mday != day)
		return false;
	if (__builtin_mul_overflow((__u64)at, NSEC_PER_SEC, ns))
		*ns = ~0ULL;
	return true;
}

/* ISO 8601 and RFC 3339, to the day, the minute or finer */
static bool read_date(const char *text, __u64 *ns, __u64 *grain_ns)
{
	static const struct {
		const char *format;
		__u64 grain_ns;
	} formats[] = {
		{ "%Y-%m-%d %H:%M:%S", NSEC_PER_SEC },
		{ "%Y-%m-%dT%H:%M:%S", NSEC_PER_SEC },
		{ "%Y-%m-%d %H:%M", MINUTE_NS },
		{ "%Y-%m-%dT%H:%M", MINUTE_NS },
		{ "%Y-%m-%d", DAY_NS },
	};

	for (size_t i = 0; i < ARRAY_SIZE(formats); i++) {
		struct tm tm = { 0 };
		const char *rest = strptime(text, formats[i].format, &tm);
		__u64 fraction_ns = 0;
		long east_s;
		bool local;

		if (!rest)
			continue;
		*grain_ns = formats[i].grain_ns;
		if (*grain_ns == NSEC_PER_SEC)
			rest = read_fraction(rest, &fraction_ns, grain_ns);
		if (!read_zone(rest, &local, &east_s))
			continue;
		if (!to_ns(&tm, local, east_s, ns))
			return false;
		if (__builtin_add_overflow(*ns, fraction_ns, ns))
			*ns = ~0ULL;
		return true;
	}
	return false;
}

/* "Sat Nov 21 07:00:05 2026", as ctime() has it */
static bool read_ctime(const char *text, __u64 *ns, __u64 *grain_ns)
{
	struct tm tm = { 0 };
	const char *rest = strptime(text, "%a %b %e %H:%M:%S %Y", &tm);

	*grain_ns = NSEC_PER_SEC;
	return rest && !*rest && to_ns(&tm, true, 0, ns) && plausible(*ns);
}

/* a time of day that is yet to come was yesterday's */
static bool read_time_of_day(const char *text, __u64 now_ns, __u64 *ns)
{
	time_t now = now_ns / NSEC_PER_SEC;
	__u64 fraction_ns = 0, grain_ns;
	const char *rest;
	struct tm tm;

	localtime_r(&now, &tm);
	tm.tm_sec = 0;
	rest = strptime(text, "%H:%M:%S", &tm);
	rest = rest ? read_fraction(rest, &fraction_ns, &grain_ns) : strptime(text, "%H:%M", &tm);
	if (!rest || *rest || !to_ns(&tm, true, 0, ns))
		return false;
	if (*ns / NSEC_PER_SEC > (__u64)now) {
		tm.tm_mday--;
		tm.tm_isdst = -1;
		*ns = mktime(&tm) * NSEC_PER_SEC;
	}
	*ns += fraction_ns;
	return true;
}

/* the begin of today, or of so many days before */
static __u64 midnight_ns(__u64 now_ns, int days)
{
	time_t now = now_ns / NSEC_PER_SEC;
	struct tm tm;

	localtime_r(&now, &tm);
	tm.tm_hour = 0;
	tm.tm_min = 0;
	tm.tm_sec = 0;
	tm.tm_mday -= days;
	tm.tm_isdst = -1;
	return mktime(&tm) * NSEC_PER_SEC;
}

/* as journalctl(1) has them */
static bool read_word(const char *text, __u64 now_ns, __u64 *ns)
{
	if (!strcmp(text, "now"))
		*ns = now_ns;
	else if (!strcmp(text, "today"))
		*ns = midnight_ns(now_ns, 0);
	else if (!strcmp(text, "yesterday"))
		*ns = midnight_ns(now_ns, 1);
	else
		return false;
	return true;
}

/**
 * stamp_read() - the time that a program wrote before a line
 * @text: the stamp: since 1970 in s, ms, us or ns, ISO 8601, RFC 3339, or as of ctime();
 *	local time where it names no zone
 * @ns: the result, since 1970
 * @grain_ns: how fine it is
 *
 * Return: true when @text was one of the years 1990 to 2199, to the second or finer.
 */
bool stamp_read(const char *text, __u64 *ns, __u64 *grain_ns)
{
	if (has_shape(text, "0000-00-00T00:00:00", false) ||
	    has_shape(text, "0000-00-00 00:00:00", false))
		return read_date(text, ns, grain_ns) && plausible(*ns);
	return read_epoch(text, ns, grain_ns) || read_ctime(text, ns, grain_ns);
}

/**
 * stamp_names_zone() - does a stamp say where it is that?
 * @text: a stamp that stamp_read() reads
 */
bool stamp_names_zone(const char *text)
{
	const char *time = strchr(text, ':');

	/* seconds since 1970 have no colon and need no zone */
	return !time || strpbrk(time, "Zz+-");
}

/**
 * moment_with_date() - a time that depends on no other
 * @text: a date, with or without a time, or a stamp as logs have it: also "[1795244400.25]" as of
 *	ping -D, and "@1795244400"; local time where it names no zone
 * @ns: the result, since 1970
 *
 * Return: true when @text was one.
 */
bool moment_with_date(const char *text, __u64 *ns)
{
	size_t len = strlen(text);
	char stamp[MOMENT_ROOM];
	__u64 grain_ns;

	if (*text == '[' && text[len - 1] == ']') {
		text++;
		len -= 2;
	} else if (*text == '@') {
		text++;
		len--;
	}
	if (len >= sizeof(stamp))
		return false;
	memcpy(stamp, text, len);
	stamp[len] = 0;
	return read_date(stamp, ns, &grain_ns) || stamp_read(stamp, ns, &grain_ns);
}

/**
 * moment_parse() - a time as people type it
 * @text: as of moment_with_date(); "10m" ago; "07:00", the last one; "now", "today", "yesterday"
 * @now_ns: nanoseconds since 1970, now
 * @ns: the result, likewise
 *
 * Return: true when @text was one.
 */
bool moment_parse(const char *text, __u64 now_ns, __u64 *ns)
{
	__u64 age_ns;

	if (parse_duration(text, &age_ns)) {
		*ns = age_ns < now_ns ? now_ns - age_ns : 0;
		return true;
	}
	return read_word(text, now_ns, ns) || moment_with_date(text, ns) ||
	       read_time_of_day(text, now_ns, ns);
}
