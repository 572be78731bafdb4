// SPDX-License-Identifier: GPL-2.0-only
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
		return misuse("%s takes whole microseconds, at most a minute of them, not '%s'",
			      name, value);
	knobs->numbers[knob] = ns / NSEC_PER_USEC;
	return EXIT_DONE;
}

/**
 * knobs_parse() - take one KNOB=VALUE
 * @knobs: what is to be set
 * @word: the word; "cpus" keeps a pointer to it
 *
 * Return: EXIT_DONE, or EXIT_USAGE after saying what is wrong.
 */
int knobs_parse(struct knobs *knobs, const char *word)
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
		return misuse("'%s' is no KNOB=VALUE such as threshold=2ms", word);
	if (i == ARRAY_SIZE(names))
		return misuse("there is no knob '%.*s'; there are enable, threshold, period, cpus",
			      (int)len, word);
	value++;
	knob = names[i].knob;
	if (knobs->given[knob])
		return misuse("'%s' sets what another word sets already", word);
	knobs->given[knob] = true;
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
