// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/decimal.h"
#include "base/latency.h"
#include "base/say.h"
#include "base/units.h"
#include "core/measure.h"

#define UNIT_ROOM	15	/* longer words are no units */

static const char *skip_blanks(const char *text)
{
	return text + strspn(text, " ");
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
	const char *rest = decimal_read(text, &decimal);

	*ns = 0;
	if (rest && !*rest) {
		if (!unit_ns)
			return LATENCY_NO_UNIT;
		return decimal_scale(&decimal, unit_ns, ns) && *ns <= LATENCY_MOST_NS ?
		       LATENCY_KNOWN : LATENCY_WRONG;
	}
	do {
		if (!rest)
			return LATENCY_WRONG;
		text = read_unit(skip_blanks(rest), &own_ns);
		if (!own_ns || !decimal_scale(&decimal, own_ns, &part_ns) ||
		    part_ns > LATENCY_MOST_NS)
			return LATENCY_WRONG;
		*ns += part_ns;
		rest = *text ? decimal_read(text, &decimal) : text;
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
