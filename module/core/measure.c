// SPDX-License-Identifier: GPL-2.0-only
#ifdef __KERNEL__
#include <linux/kernel.h>
#include <linux/string.h>
#else
#include <string.h>
#endif

#include "core/measure.h"

/* parts per million */
#define PPM_OF_PERCENT	10000

#define NS_OF_SECOND	1000000000

static const struct unit {
	const char *name;
	__u64 ns;
} units[] = {
	{ "ns", 1 }, { "nanoseconds", 1 },
	{ "us", 1000 }, { "usec", 1000 }, { "microseconds", 1000 },
	/* the micro sign, and the letter mu, which looks the same */
	{ "\302\265s", 1000 }, { "\316\274s", 1000 },
	{ "ms", 1000000 }, { "msec", 1000000 }, { "milliseconds", 1000000 },
	{ "s", NS_OF_SECOND }, { "sec", NS_OF_SECOND }, { "seconds", NS_OF_SECOND },
	{ "m", 60000000000ULL }, { "h", 3600000000000ULL }, { "d", 86400000000000ULL }, { }
};

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/**
 * tio_scaled() - a decimal number, times a scale
 * @text: digits with at most one point between them
 * @len: its length
 * @scale: what 1 is
 * @result: the number; unchanged on failure
 *
 * Context: any.
 * Return: false for anything else, a result that does not fit, and one that is no whole number.
 */
bool tio_scaled(const char *text, size_t len, __u64 scale, __u64 *result)
{
	const char *end = text + len;
	__u64 value = 0;

	if (!len || !is_digit(*text) || !is_digit(end[-1]))
		return false;
	for (; text < end && *text != '.'; text++)
		if (!is_digit(*text) || __builtin_mul_overflow(value, 10, &value) ||
		    __builtin_add_overflow(value, *text - '0', &value))
			return false;
	if (__builtin_mul_overflow(value, scale, &value))
		return false;
	while (++text < end) {
		if (!is_digit(*text) || ((scale % 10 || !scale) && *text != '0'))
			return false;
		scale /= 10;
		if (__builtin_add_overflow(value, (*text - '0') * scale, &value))
			return false;
	}
	*result = value;
	return true;
}

/* the length of the number that a text begins with */
static size_t number_len(const char *text, size_t len)
{
	size_t i = 0;

	while (i < len && (is_digit(text[i]) || text[i] == '.'))
		i++;
	return i;
}

static bool is_word(const char *text, size_t len, const char *word)
{
	return len == strlen(word) && !memcmp(text, word, len);
}

/**
 * tio_unit() - "us", "msec", "m"
 * @word: a unit of time
 * @len: its length
 *
 * Context: any.
 * Return: the unit in nanoseconds, 0 where there is no such one.
 */
__u64 tio_unit(const char *word, size_t len)
{
	const struct unit *unit;

	for (unit = units; unit->name; unit++)
		if (is_word(word, len, unit->name))
			return unit->ns;
	return 0;
}

/**
 * tio_time() - "500us", "1.5ms", "10m"
 * @text: a number and a unit of tio_unit(); there is no default one
 * @len: its length
 * @ns: the result; unchanged on failure
 *
 * Context: any.
 * Return: whether the text is one.
 */
bool tio_time(const char *text, size_t len, __u64 *ns)
{
	size_t number = number_len(text, len);
	__u64 unit_ns = tio_unit(text + number, len - number);

	return unit_ns && tio_scaled(text, number, unit_ns, ns);
}

/**
 * tio_length() - "500us", "1.5ms", "2s"
 * @text: a number and a unit of a second at most: in a length, "m" is a slip for "ms"
 * @len: its length
 * @ns: the result; unchanged on failure
 *
 * Context: any.
 * Return: whether the text is one.
 */
bool tio_length(const char *text, size_t len, __u64 *ns)
{
	size_t number = number_len(text, len);

	return tio_unit(text + number, len - number) <= NS_OF_SECOND && tio_time(text, len, ns);
}

/**
 * tio_share() - "6%", "0.25%", "none"
 * @text: a number and a percent sign, or a word for 0
 * @len: its length
 * @ppm: the result, in parts per million; unchanged on failure
 *
 * Context: any.
 * Return: whether the text is one.
 */
bool tio_share(const char *text, size_t len, __u32 *ppm)
{
	size_t number = number_len(text, len);
	__u64 value = 0;

	if (!is_word(text, len, "none") && !is_word(text, len, "0") &&
	    (!is_word(text + number, len - number, "%") ||
	     !tio_scaled(text, number, PPM_OF_PERCENT, &value) || value > ~0U))
		return false;
	*ppm = value;
	return true;
}
