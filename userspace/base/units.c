// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/say.h"
#include "base/units.h"
#include "core/measure.h"

/**
 * parse_duration() - "500us", "1.5ms", "10m", "1h30m"
 * @text: numbers with a unit of time each, which are added up; there is no default unit
 * @ns: the result
 *
 * Return: true when @text was one.
 */
bool parse_duration(const char *text, __u64 *ns)
{
	static const char digits[] = "0123456789.";
	__u64 sum = 0, part_ns;

	do {
		size_t len = strspn(text, digits);

		len += strcspn(text + len, digits);
		if (!tio_time(text, len, &part_ns) || __builtin_add_overflow(sum, part_ns, &sum))
			return false;
		text += len;
	} while (*text);
	*ns = sum;
	return true;
}

/**
 * parse_length() - "500us", "1.5ms", "2s"
 * @text: a number and a unit of time of a second at most
 * @ns: the result
 *
 * Return: true when @text was one.
 */
bool parse_length(const char *text, __u64 *ns)
{
	return tio_length(text, strlen(text), ns);
}

/**
 * parse_percent() - "6%", "0.25%", "none"
 * @text: a number and a percent sign, or a word for 0
 * @ppm: the result, in parts per million
 *
 * Return: true when @text was one.
 */
bool parse_percent(const char *text, __u32 *ppm)
{
	return tio_share(text, strlen(text), ppm);
}

bool parse_number(const char *text, __u64 max, __u64 *number)
{
	__u64 value = 0;

	if (!*text)
		return false;
	for (; *text; text++) {
		if (!isdigit((unsigned char)*text) ||
		    __builtin_mul_overflow(value, 10, &value) ||
		    __builtin_add_overflow(value, *text - '0', &value) || value > max)
			return false;
	}
	*number = value;
	return true;
}

const char *print_count(char buf[UNITS_LEN], __u64 count)
{
	snprintf(buf, UNITS_LEN, "%llu", count);
	return buf;
}

/* value / scale with up to three decimals, without trailing zeros */
static const char *print_scaled(char buf[UNITS_LEN], __u64 ns, __u64 scale, const char *unit)
{
	__u64 whole = ns / scale, thousandths = ns % scale * 1000 / scale;
	int len = snprintf(buf, UNITS_LEN, "%llu", whole);

	if (thousandths) {
		len += snprintf(buf + len, UNITS_LEN - len, ".%03llu", thousandths);
		while (buf[len - 1] == '0')
			len--;
	}
	snprintf(buf + len, UNITS_LEN - len, " %s", unit);
	return buf;
}

/**
 * print_duration() - a length in the unit that suits it, like "1.5 ms"
 * @buf: room
 * @ns: the length
 *
 * Return: @buf.
 */
const char *print_duration(char buf[UNITS_LEN], __u64 ns)
{
	if (ns < NSEC_PER_USEC)
		return print_scaled(buf, ns, 1, "ns");
	if (ns < NSEC_PER_MSEC)
		return print_scaled(buf, ns, NSEC_PER_USEC, "us");
	if (ns < NSEC_PER_SEC)
		return print_scaled(buf, ns, NSEC_PER_MSEC, "ms");
	return print_scaled(buf, ns, NSEC_PER_SEC, "s");
}

/**
 * print_span() - how long something has gone on, like "2 h 3 min"
 * @buf: room
 * @ns: the length
 *
 * Return: @buf.
 */
const char *print_span(char buf[UNITS_LEN], __u64 ns)
{
	__u64 s = ns / NSEC_PER_SEC;

	if (s < 60)
		snprintf(buf, UNITS_LEN, "%llu s", s);
	else if (s < 3600)
		snprintf(buf, UNITS_LEN, "%llu min %llu s", s / 60, s % 60);
	else if (s < 86400)
		snprintf(buf, UNITS_LEN, "%llu h %llu min", s / 3600, s / 60 % 60);
	else
		snprintf(buf, UNITS_LEN, "%llu d %llu h", s / 86400, s / 3600 % 24);
	return buf;
}

/* "0.25 %" of 2500 parts per million */
const char *print_percent(char buf[UNITS_LEN], __u32 ppm)
{
	snprintf(buf, UNITS_LEN, "%g %%", (double)ppm / PPM_PER_PERCENT);
	return buf;
}

/* milliseconds with three decimals, for columns and ranges */
const char *print_ms(char buf[UNITS_LEN], __u64 ns)
{
	snprintf(buf, UNITS_LEN, "%llu.%03llu", ns / NSEC_PER_MSEC,
		 ns % NSEC_PER_MSEC / NSEC_PER_USEC);
	return buf;
}

static void break_down(__u64 realtime_ns, struct tm *tm, __u64 *us)
{
	time_t seconds = realtime_ns / NSEC_PER_SEC;

	localtime_r(&seconds, tm);
	*us = realtime_ns % NSEC_PER_SEC / NSEC_PER_USEC;
}

/**
 * print_moment() - local wall-clock time, to the microsecond
 * @buf: room
 * @realtime_ns: nanoseconds since 1970
 *
 * Return: @buf.
 */
const char *print_moment(char buf[UNITS_LEN], __u64 realtime_ns)
{
	struct tm tm;
	size_t len;
	__u64 us;

	break_down(realtime_ns, &tm, &us);
	len = strftime(buf, UNITS_LEN, "%Y-%m-%d %H:%M:%S", &tm);
	snprintf(buf + len, UNITS_LEN - len, ".%06llu", us);
	return buf;
}

/**
 * print_clock() - local time, with month and day where it is not today, and the year likewise
 * @buf: room
 * @realtime_ns: nanoseconds since 1970
 * @now_ns: likewise, today
 * @ms: to the millisecond
 *
 * Return: @buf.
 */
const char *print_clock(char buf[UNITS_LEN], __u64 realtime_ns, __u64 now_ns, bool ms)
{
	struct tm tm, now;
	size_t len;
	__u64 us;

	break_down(now_ns, &now, &us);
	break_down(realtime_ns, &tm, &us);
	len = strftime(buf, UNITS_LEN, tm.tm_year != now.tm_year ? "%Y-%m-%d %H:%M:%S" :
		       tm.tm_yday != now.tm_yday ? "%m-%d %H:%M:%S" : "%H:%M:%S", &tm);
	if (ms)
		snprintf(buf + len, UNITS_LEN - len, ".%03llu", us / 1000);
	return buf;
}

/* "CET (+0100)", as it was then */
const char *print_zone(char buf[UNITS_LEN], __u64 realtime_ns)
{
	struct tm tm;
	__u64 us;

	break_down(realtime_ns, &tm, &us);
	strftime(buf, UNITS_LEN, "%Z (%z)", &tm);
	return buf;
}

/* date, time and zone, as ISO 8601 and RFC 3339 have them */
const char *print_iso8601(char buf[UNITS_LEN], __u64 realtime_ns)
{
	struct tm tm;
	size_t len;
	__u64 us;
	long east;

	break_down(realtime_ns, &tm, &us);
	east = tm.tm_gmtoff / 60;
	len = strftime(buf, UNITS_LEN, "%Y-%m-%dT%H:%M:%S", &tm);
	snprintf(buf + len, UNITS_LEN - len, ".%06llu%c%02ld:%02ld", us, east < 0 ? '-' : '+',
		 labs(east) / 60, labs(east) % 60);
	return buf;
}
