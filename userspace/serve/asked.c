// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>
#include <strings.h>

#include "base/say.h"
#include "base/units.h"
#include "serve/asked.h"

#define OPENMETRICS	"application/openmetrics-text"
#define BLANKS		" \t"
#define Q_MOST		1000

enum asked asked_path(const char *path)
{
	static const struct {
		const char *path;
		enum asked asked;
	} paths[] = {
		{ "/", ASKED_INDEX },
		{ ASKED_METRICS_PATH, ASKED_METRICS },
		{ ASKED_PROFILE_PATH, ASKED_PROFILE },
	};

	for (size_t i = 0; i < ARRAY_SIZE(paths); i++)
		if (!strcmp(paths[i].path, path))
			return paths[i].asked;
	return ASKED_NOTHING;
}

/* is it one of those that change nothing? */
bool asked_method(const char *method)
{
	return !strcmp(method, "GET") || !strcmp(method, "HEAD");
}

/**
 * asked_seconds() - how far back a profile goes
 * @text: from the request; NULL: it does not say
 * @seconds: the result
 *
 * Return: false where it is no such number.
 */
bool asked_seconds(const char *text, unsigned int *seconds)
{
	__u64 number = ASKED_SECONDS;

	if (text && (!parse_number(text, ASKED_SECONDS_MOST, &number) || !number))
		return false;
	*seconds = number;
	return true;
}

/* a media range of an Accept header: "text/plain;version=0.0.4;q=0.3" */
struct range {
	const char *type;
	size_t len;
	const char *version;	/* NULL: any */
	size_t version_len;
	unsigned int q;		/* in thousandths */
};

/* as strpbrk(), but what is quoted ends nothing; the end of the text where nothing does */
static const char *end_of(const char *text, const char *ends)
{
	bool quoted = false;

	for (; *text && (quoted || !strchr(ends, *text)); text++) {
		if (*text == '"')
			quoted = !quoted;
		else if (quoted && *text == '\\' && text[1])
			text++;
	}
	return text;
}

/* leaves blanks out at both ends */
static const char *trim(const char *text, const char *end, size_t *len)
{
	text += strspn(text, BLANKS);
	while (end > text && strchr(BLANKS, end[-1]))
		end--;
	*len = end > text ? end - text : 0;
	return text;
}

/* "0", "0.5", "1.000"; what is none wants nothing */
static unsigned int q_of(const char *text, size_t len)
{
	unsigned int q = 0, unit = Q_MOST;

	if (!len || len > strlen("0.000") || (len > 1 && text[1] != '.'))
		return 0;
	for (size_t i = 0; i < len; i++) {
		if (i == 1)
			continue;
		if (text[i] < '0' || text[i] > '9')
			return 0;
		q += (text[i] - '0') * unit;
		unit /= 10;
	}
	return q > Q_MOST ? 0 : q;
}

static bool is_named(const char *text, size_t len, const char *name)
{
	return len == strlen(name) && !strncasecmp(text, name, len);
}

static void take_parameter(struct range *range, const char *text, size_t len)
{
	const char *equals = memchr(text, '=', len);
	size_t name_len = equals ? (size_t)(equals - text) : len;
	const char *value = equals ? equals + 1 : text + len;
	size_t value_len = text + len - value;

	if (value_len >= 2 && *value == '"' && value[value_len - 1] == '"') {
		value++;
		value_len -= 2;
	}
	if (is_named(text, name_len, "q")) {
		range->q = q_of(value, value_len);
	} else if (is_named(text, name_len, "version")) {
		range->version = value;
		range->version_len = value_len;
	}
}

/* takes the next range of a list; NULL behind the last one */
static const char *next_range(const char *list, struct range *range)
{
	const char *end;
	size_t len;

	if (!*list)
		return NULL;
	*range = (struct range){ .q = Q_MOST };
	end = end_of(list, ",;");
	range->type = trim(list, end, &range->len);
	while (*end == ';') {
		const char *text = end + 1;

		end = end_of(text, ",;");
		text = trim(text, end, &len);
		take_parameter(range, text, len);
	}
	return *end ? end + 1 : end;
}

static bool wants(const struct range *range, const char *type, const char *version)
{
	return is_named(range->type, range->len, type) &&
	       (!range->version || is_named(range->version, range->version_len, version));
}

/**
 * asked_format() - which format of metrics a client likes best
 * @accept: its Accept header; NULL: it has none
 *
 * OpenMetrics has to be named: it is not what is meant by a wildcard, or of a browser. Of two
 * that are liked as much it is the better one. Whoever likes neither gets text, which all know.
 */
enum metrics_format asked_format(const char *accept)
{
	unsigned int openmetrics = 0, text = 0, family = 0, any = 0;
	bool text_named = false, family_named = false;
	struct range range;

	while (accept && (accept = next_range(accept, &range))) {
		if (wants(&range, OPENMETRICS, "1.0.0")) {
			openmetrics = range.q > openmetrics ? range.q : openmetrics;
		} else if (wants(&range, "text/plain", "0.0.4")) {
			text_named = true;
			text = range.q > text ? range.q : text;
		} else if (is_named(range.type, range.len, "text/*")) {
			family_named = true;
			family = range.q;
		} else if (is_named(range.type, range.len, "*/*")) {
			any = range.q;
		}
	}
	/* the range that says most about a type counts */
	if (!text_named)
		text = family_named ? family : any;
	return openmetrics && openmetrics >= text ? METRICS_OPENMETRICS : METRICS_TEXT;
}
