// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <string.h>

#include "knobs.h"
#include "say.h"
#include "units.h"

static const struct {
	const char *name;
	enum knob knob;
	bool length;		/* takes a unit */
} names[] = {
	{ "enable", KNOB_ENABLE, false },
	{ "threshold", KNOB_THRESHOLD_US, true },
	{ "threshold_us", KNOB_THRESHOLD_US, false },
	{ "period", KNOB_PERIOD_US, true },
	{ "period_us", KNOB_PERIOD_US, false },
	{ "ring_records", KNOB_RING_RECORDS, false },
	{ "cpus", KNOB_CPUS, false },
};

static int parse_length(struct knobs *knobs, enum knob knob, const char *name, const char *value)
{
	__u64 ns;

	if (!parse_duration(value, &ns))
		return misuse("%s takes a number with ns, us, ms or s, such as 2ms, not '%s'",
			      name, value);
	if (ns % NSEC_PER_USEC || ns / NSEC_PER_USEC > ~0U)
		return misuse("%s takes whole microseconds, at most a minute, not '%s'",
			      name, value);
	knobs->numbers[knob] = ns / NSEC_PER_USEC;
	return EXIT_DONE;
}

/* the words that completion offers; NULL behind the last one */
const char *knob_word(unsigned int i)
{
	static const char * const words[] = { "threshold=", "period=", "cpus=" };

	return i < ARRAY_SIZE(words) ? words[i] : NULL;
}

/* what to type: for "threshold_us" and "5000" it is "threshold=5ms" */
static void suggest(char buf[UNITS_LEN], size_t name, const char *next)
{
	int len = strcspn(names[name].name, "_");
	__u64 number;

	if (names[name].knob == KNOB_CPUS) {
		snprintf(buf, UNITS_LEN, "cpus=%.32s", next ? next : "0-3");
	} else if (names[name].knob == KNOB_ENABLE) {
		snprintf(buf, UNITS_LEN, "enable=%s", next && !strcmp(next, "0") ? next : "1");
	} else if (next && parse_duration(next, &number)) {
		snprintf(buf, UNITS_LEN, "%.*s=%.24s", len, names[name].name, next);
	} else if (next && parse_number(next, ~0U, &number)) {
		/* a bare number is taken for microseconds, as the module's parameters take it */
		bool milli = number && number % 1000 == 0;

		snprintf(buf, UNITS_LEN, "%.*s=%llu%s", len, names[name].name,
			 milli ? number / 1000 : number, milli ? "ms" : "us");
	} else {
		snprintf(buf, UNITS_LEN, "%.*s=2ms", len, names[name].name);
	}
}

static int no_value(const char *word, size_t name, const char *next)
{
	char typed[UNITS_LEN];

	if (name == ARRAY_SIZE(names) || names[name].knob == KNOB_RING_RECORDS)
		return misuse("'%s' is not KNOB=VALUE, such as threshold=2ms", word);
	if (next && strchr(next, '='))
		next = NULL;
	suggest(typed, name, next);
	return misuse("'%s' lacks its value: type %s", word, typed);
}

/**
 * knobs_parse() - take one KNOB=VALUE
 * @knobs: what is to be set; keeps pointers to the word
 * @word: the word
 * @next: the word behind it, which may be meant as its value; NULL: there is none
 *
 * Return: EXIT_DONE, or EXIT_USAGE after saying what is wrong.
 */
int knobs_parse(struct knobs *knobs, const char *word, const char *next)
{
	const char *value = strchr(word, '=');
	size_t len = strcspn(word, "=");
	enum knob knob;
	__u64 number;
	size_t i = 0;

	while (i < ARRAY_SIZE(names) && (strlen(names[i].name) != len ||
					 strncmp(names[i].name, word, len)))
		i++;
	if (!value)
		return no_value(word, i, next);
	if (i == ARRAY_SIZE(names))
		return misuse("there is no knob '%.*s'; use enable, threshold, period or cpus",
			      (int)len, word);
	value++;
	knob = names[i].knob;
	if (knobs->given[knob])
		return misuse("'%s' sets a knob that another word sets already", word);
	knobs->given[knob] = true;
	knobs->words[knob] = word;
	if (knob == KNOB_CPUS) {
		knobs->cpus = value;
		return EXIT_DONE;
	}
	if (names[i].length)
		return parse_length(knobs, knob, names[i].name, value);
	if (!parse_number(value, ~0U, &number) || (knob == KNOB_ENABLE && number > 1))
		return misuse("%s takes %s, not '%s'", names[i].name,
			      knob == KNOB_ENABLE ? "0 or 1" : "a number", value);
	knobs->numbers[knob] = number;
	return EXIT_DONE;
}
