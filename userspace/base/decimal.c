// SPDX-License-Identifier: GPL-2.0-only
/* A double holds seconds since 1970 to some 200 ns, so decimals are read as integers. */
#include <ctype.h>
#include <stddef.h>

#include "base/decimal.h"

/* beyond that, digits do not fit */
#define DIGITS_ROOM	(~0ULL / 10 - 1)
#define EXPONENT_MOST	99

/**
 * decimal_add() - one more digit
 * @decimal: the number; a digit that no longer fits counts for nothing
 * @digit: the digit
 * @behind: it stands behind the point
 */
void decimal_add(struct decimal *decimal, char digit, bool behind)
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

/**
 * decimal_read() - a number without a sign, such as "12", "0.25" or "5e-05"
 * @text: begins with it
 * @decimal: the result
 *
 * Return: what follows; NULL: it is no number.
 */
const char *decimal_read(const char *text, struct decimal *decimal)
{
	*decimal = (struct decimal){ 0 };
	if (!isdigit((unsigned char)*text))
		return NULL;
	for (; isdigit((unsigned char)*text); text++)
		decimal_add(decimal, *text, false);
	if (*text == '.' && isdigit((unsigned char)text[1]))
		while (isdigit((unsigned char)*++text))
			decimal_add(decimal, *text, true);
	return read_exponent(text, decimal);
}

/**
 * decimal_scale() - so many units, in nanoseconds
 * @decimal: the number
 * @unit_ns: the unit
 * @ns: the result; what is finer than 1 ns is cut off
 *
 * Return: true where it fits.
 */
bool decimal_scale(const struct decimal *decimal, __u64 unit_ns, __u64 *ns)
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
