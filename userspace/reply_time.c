// SPDX-License-Identifier: GPL-2.0-only
/*
 * A double holds seconds since 1970 to some 200 ns, so decimals are read as integers. The
 * digits that a stamp has tell how fine it is.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "measure.h"
#include "reply_time.h"
#include "say.h"
#include "units.h"

/* stamps outside of these years are something else */
#define YEAR_1990_NS	(631152000 * NSEC_PER_SEC)
#define YEAR_2200_NS	(7258118400 * NSEC_PER_SEC)

/* beyond that, digits of a decimal do not fit */
#define DIGITS_ROOM	(~0ULL / 10 - 1)
#define EXPONENT_MOST	99

#define UNIT_ROOM	15	/* longer words are no units */

/* digits * 10^exponent */
struct decimal {
	__u64 digits;
	int exponent;
	unsigned int decimals;	/* digits behind the point */
	bool scientific;	/* an exponent is written */
};

static const char *skip_digits(const char *text)
{
	while (isdigit((unsigned char)*text))
		text++;
	return text;
}

static const char *skip_blanks(const char *text)
{
	return text + strspn(text, " ");
}

/* digits that no longer fit count for nothing */
static void add_digit(struct decimal *decimal, char digit, bool behind)
{
	bool fits = decimal->digits <= DIGITS_ROOM;

	if (fits)
		decimal->digits = 10 * decimal->digits + (digit - '0');
	decimal->decimals += behind;
	decimal->exponent += (fits ? 0 : 1) - behind;
}

/* "e-05"; returns what follows, or @text where there is none */
static const char *read_exponent(const char *text, struct decimal *decimal)
{
	const char *at = text;
	int exponent = 0;
	bool minus;

	if (*at != 'e' && *at != 'E')
		return text;
	at++;
	minus = *at == '-';
	if (*at == '-' || *at == '+')
		at++;
	if (!isdigit((unsigned char)*at))
		return text;
	for (; isdigit((unsigned char)*at); at++)
		if (exponent <= EXPONENT_MOST)
			exponent = 10 * exponent + (*at - '0');
	decimal->scientific = true;
	decimal->exponent += minus ? -exponent : exponent;
	return at;
}

/* returns what follows; NULL: it is no number */
static const char *read_decimal(const char *text, struct decimal *decimal)
{
	*decimal = (struct decimal){ 0 };
	if (!isdigit((unsigned char)*text))
		return NULL;
	for (; isdigit((unsigned char)*text); text++)
		add_digit(decimal, *text, false);
	if (*text == '.' && isdigit((unsigned char)text[1]))
		while (isdigit((unsigned char)*++text))
			add_digit(decimal, *text, true);
	return read_exponent(text, decimal);
}

/* what is finer than 1 ns is cut off */
static bool scale(const struct decimal *decimal, __u64 unit_ns, __u64 *ns)
{
	int exponent = decimal->exponent;
	__u64 value = decimal->digits;

	for (; !(unit_ns % 10); unit_ns /= 10)
		exponent++;
	for (; exponent < 0 && value; exponent++)
		value /= 10;
	for (; exponent > 0 && value; exponent--)
		if (__builtin_mul_overflow(value, 10, &value))
			return false;
	return !__builtin_mul_overflow(value, unit_ns, ns);
}

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
	const char *rest = read_decimal(text, &decimal);

	if (!rest || *rest || decimal.scientific)
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(units_ns); i++) {
		if (!scale(&decimal, units_ns[i], ns) || !plausible(*ns))
			continue;
		*grain_ns = grain_of(units_ns[i], decimal.decimals);
		return true;
	}
	return false;
}

/* "Z", "+01:00", "+0100", "+01" or nothing, as parse_moment() takes it */
static bool copy_zone(char *to, size_t size, const char *zone)
{
	size_t digits = *zone ? skip_digits(zone + 1) - (zone + 1) : 0;

	if (!strcmp(zone, "z"))
		zone = "Z";
	if ((*zone != '+' && *zone != '-') || zone[1 + digits])
		snprintf(to, size, "%s", zone);
	else if (digits == 4)
		snprintf(to, size, "%.3s:%s", zone, zone + 3);
	else if (digits == 2)
		snprintf(to, size, "%s:00", zone);
	else
		return false;
	return true;
}

static bool has_shape(const char *text, const char *shape)
{
	for (; *shape; shape++, text++)
		if (*shape == '0' ? !isdigit((unsigned char)*text) : *text != *shape)
			return false;
	return true;
}

/* ISO 8601 and RFC 3339 */
static bool read_iso(const char *text, __u64 *ns, __u64 *grain_ns)
{
	static const char shape[] = "0000-00-00T00:00:00";
	const size_t len = strlen(shape);
	struct decimal decimal = { 0 };
	__u64 fraction_ns = 0;
	char moment[64];
	const char *rest;

	if (!has_shape(text, shape) && !has_shape(text, "0000-00-00 00:00:00"))
		return false;
	rest = text + len;
	if ((*rest == '.' || *rest == ',') && isdigit((unsigned char)rest[1]))
		while (isdigit((unsigned char)*++rest))
			add_digit(&decimal, *rest, true);
	snprintf(moment, sizeof(moment), "%.*s", (int)len, text);
	if (!copy_zone(moment + len, sizeof(moment) - len, skip_blanks(rest)) ||
	    !parse_moment(moment, 0, ns) || !scale(&decimal, NSEC_PER_SEC, &fraction_ns) ||
	    __builtin_add_overflow(*ns, fraction_ns, ns))
		return false;
	*grain_ns = grain_of(NSEC_PER_SEC, decimal.decimals);
	return plausible(*ns);
}

/* "Sat Nov 21 07:00:05 2026", as ctime() has it */
static bool read_ctime(const char *text, __u64 *ns, __u64 *grain_ns)
{
	struct tm tm = { .tm_isdst = -1 };
	const char *rest = strptime(text, "%a %b %e %H:%M:%S %Y", &tm);
	time_t at;

	if (!rest || *rest)
		return false;
	tm.tm_isdst = -1;
	at = mktime(&tm);
	if (at < 0 || __builtin_mul_overflow((__u64)at, NSEC_PER_SEC, ns))
		return false;
	*grain_ns = NSEC_PER_SEC;
	return plausible(*ns);
}

/**
 * stamp_read() - a time of day
 * @text: the stamp: since 1970 in s, ms, us or ns, ISO 8601, RFC 3339, or as of ctime();
 *	local time where it names no zone
 * @ns: the result, since 1970
 * @grain_ns: how fine it is
 *
 * Return: true when @text was one of the years 1990 to 2199.
 */
bool stamp_read(const char *text, __u64 *ns, __u64 *grain_ns)
{
	return read_epoch(text, ns, grain_ns) || read_iso(text, ns, grain_ns) ||
	       read_ctime(text, ns, grain_ns);
}

/**
 * stamp_names_zone() - does a time of day say where it is that?
 * @text: a stamp that stamp_read() reads
 */
bool stamp_names_zone(const char *text)
{
	const char *time = strchr(text, ':');

	/* seconds since 1970 have no colon and need no zone */
	return !time || strpbrk(time, "Zz+-");
}

/* in small or capital letters; 0: it is no unit */
__u64 latency_unit(const char *word)
{
	char small[UNIT_ROOM];
	size_t len = 0;

	for (; word[len] && len < sizeof(small); len++)
		small[len] = tolower((unsigned char)word[len]);
	return word[len] ? 0 : tio_unit(small, len);
}

/* the unit that @text begins with, up to a digit or the end; returns what follows */
static const char *read_unit(const char *text, __u64 *unit_ns)
{
	char word[UNIT_ROOM + 1];
	size_t len = strcspn(text, "0123456789. ");

	snprintf(word, sizeof(word), "%.*s", (int)(len < sizeof(word) ? len : 0), text);
	*unit_ns = latency_unit(word);
	return text + len;
}

/*
 * What programs write in the place of a latency, and perhaps a unit behind that. Many have an
 * empty field in lines that are of no request, or of one that they had nobody to ask about.
 */
static enum latency read_word(const char *text)
{
	static const struct {
		const char *word;
		enum latency means;
	} words[] = {
		{ "", LATENCY_UNTOLD },
		{ "-", LATENCY_UNTOLD },
		{ "null", LATENCY_UNTOLD },
		{ "none", LATENCY_UNTOLD },
		{ "n/a", LATENCY_UNTOLD },
		{ "*", LATENCY_NONE },
		{ "nan", LATENCY_NONE },
		{ "inf", LATENCY_NONE },
		{ "timeout", LATENCY_NONE },
		{ "timed out", LATENCY_NONE },
	};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		const char *rest = text + strlen(words[i].word);

		if (!strncasecmp(text, words[i].word, strlen(words[i].word)) &&
		    (!*rest || (*rest == ' ' && latency_unit(skip_blanks(rest)))))
			return words[i].means;
	}
	return LATENCY_WRONG;
}

static enum latency read_latency(const char *text, __u64 unit_ns, __u64 *ns)
{
	__u64 part_ns, own_ns;
	struct decimal decimal;
	const char *rest = read_decimal(text, &decimal);

	*ns = 0;
	if (rest && !*rest) {
		if (!unit_ns)
			return LATENCY_NO_UNIT;
		return scale(&decimal, unit_ns, ns) && *ns <= LATENCY_MOST_NS ? LATENCY_KNOWN :
										LATENCY_WRONG;
	}
	do {
		if (!rest)
			return LATENCY_WRONG;
		text = read_unit(skip_blanks(rest), &own_ns);
		if (!own_ns || !scale(&decimal, own_ns, &part_ns) || part_ns > LATENCY_MOST_NS)
			return LATENCY_WRONG;
		*ns += part_ns;
		rest = *text ? read_decimal(text, &decimal) : text;
	} while (*text && *ns <= LATENCY_MOST_NS);
	return *ns <= LATENCY_MOST_NS ? LATENCY_KNOWN : LATENCY_WRONG;
}

/**
 * latency_read() - how long a reply took
 * @text: "12.3", "12.3ms", "12.3 ms", "1m2.5s"; "nan", "-1", "timeout": no reply came; "", "-"
 * @unit_ns: the unit where @text has none; 0: none is known
 * @ns: the result; 0 where there is none
 *
 * Return: whether @text was a latency, of a day at most, or what it is in the place of one.
 */
enum latency latency_read(const char *text, __u64 unit_ns, __u64 *ns)
{
	const char *positive = text + (*text == '-');
	enum latency ret = read_latency(positive, unit_ns, ns);

	if (ret == LATENCY_WRONG)
		ret = read_word(positive);
	else if (positive != text)
		ret = LATENCY_NONE;
	if (ret == LATENCY_NONE || ret == LATENCY_UNTOLD)
		*ns = 0;
	return ret;
}
