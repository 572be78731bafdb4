// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/say.h"
#include "base/units.h"
#include "model/knob_words.h"

/* how a value is typed */
enum form {
	FORM_NUMBER,
	FORM_LENGTH,		/* with a unit of time */
	FORM_PERCENT,
	FORM_WORD,		/* one of the knob's words */
	FORM_CPUS,
};

static const struct {
	const char *name;
	unsigned int knob;
	enum form form;
	const char *example;
} names[] = {
	{ "enable", TIO_KNOB_ENABLE, FORM_NUMBER, "enable=1" },
	{ "threshold", TIO_KNOB_THRESHOLD_US, FORM_LENGTH, "threshold=2ms" },
	{ "threshold_us", TIO_KNOB_THRESHOLD_US, FORM_NUMBER, "threshold=2ms" },
	{ "period", TIO_KNOB_PERIOD_US, FORM_LENGTH, "period=2ms" },
	{ "period_us", TIO_KNOB_PERIOD_US, FORM_NUMBER, "period=2ms" },
	{ "ring_records", TIO_KNOB_RING_RECORDS, FORM_NUMBER, NULL },
	{ "cpus", KNOB_CPUS, FORM_CPUS, "cpus=0-3" },
	{ "nmi", TIO_KNOB_NMI, FORM_WORD, "nmi=auto" },
	{ "nmi_cpu_rate", TIO_KNOB_NMI_CPU_RATE, FORM_NUMBER, "nmi_cpu_rate=8" },
	{ "nmi_rate", TIO_KNOB_NMI_RATE, FORM_NUMBER, "nmi_rate=64" },
	{ "guard", TIO_KNOB_GUARD, FORM_WORD, "guard=auto" },
	{ "max_cost", TIO_KNOB_MAX_COST_PPM, FORM_PERCENT, "max_cost=6%" },
	{ "max_cost_ppm", TIO_KNOB_MAX_COST_PPM, FORM_NUMBER, "max_cost_ppm=60000" },
};

/* the words that completion offers; NULL behind the last one */
const char *knob_word(unsigned int i)
{
	static const char * const words[] = {
		"threshold=", "period=", "cpus=", "nmi=", "nmi_cpu_rate=", "nmi_rate=", "guard=",
		"max_cost=",
	};

	return i < ARRAY_SIZE(words) ? words[i] : NULL;
}

/**
 * knob_value_name() - what a value is called
 * @knob: the knob
 * @value: its value
 *
 * Return: the word; NULL: it is a number.
 */
const char *knob_value_name(enum tio_knob knob, __u32 value)
{
	const struct tio_knob_desc *desc = &tio_knobs[knob];

	return desc->words && value <= desc->max ? desc->words[value] : NULL;
}

/* where a knob's name stands in the table; ARRAY_SIZE(names): nowhere */
static size_t find(const char *name, size_t len)
{
	size_t i = 0;

	while (i < ARRAY_SIZE(names) && (strlen(names[i].name) != len ||
					 strncmp(names[i].name, name, len)))
		i++;
	return i;
}

/* is the word up to its "=" the name of a knob? */
bool knob_known(const char *word)
{
	return find(word, strcspn(word, "=")) < ARRAY_SIZE(names);
}

/**
 * knob_value() - the words that a knob takes
 * @word: the knob, such as "nmi="
 * @i: counts from 0
 *
 * Return: the word; NULL behind the last one, or where the knob takes other values.
 */
const char *knob_value(const char *word, unsigned int i)
{
	size_t name = find(word, strcspn(word, "="));

	if (name == ARRAY_SIZE(names) || names[name].form != FORM_WORD)
		return NULL;
	return knob_value_name(names[name].knob, i);
}

static bool parse_word(enum tio_knob knob, const char *text, __u32 *value)
{
	const char *name;

	for (*value = 0; (name = knob_value_name(knob, *value)); ++*value)
		if (!strcmp(name, text))
			return true;
	return false;
}

static int take_length(const char *name, const char *value, __u32 *us)
{
	__u64 ns;

	if (!parse_length(value, &ns))
		return misuse("%s takes a number with ns, us, ms or s, such as 2ms, not '%s'",
			      name, value);
	if (ns % NSEC_PER_USEC)
		return misuse("%s takes whole microseconds, not '%s'", name, value);
	ns /= NSEC_PER_USEC;
	/* more is out of range as well */
	*us = ns < ~0U ? ns : ~0U;
	return EXIT_DONE;
}

/* a word, a percentage or a number */
static int parse_value(size_t name, const char *value, __u32 *result)
{
	enum tio_knob knob = names[name].knob;
	__u64 number;

	switch (names[name].form) {
	case FORM_LENGTH:
		return take_length(names[name].name, value, result);
	case FORM_WORD:
		if (parse_word(knob, value, result))
			return EXIT_DONE;
		return misuse("%s, not '%s'", tio_knobs[knob].rule, value);
	case FORM_PERCENT:
		if (parse_percent(value, result))
			return EXIT_DONE;
		return misuse("%s takes a percentage such as 6%%, or none, not '%s'",
			      names[name].name, value);
	default:
		/* a byte holds no more than it may be */
		if (!parse_number(value, tio_knobs[knob].byte ? tio_knobs[knob].max : ~0U, &number))
			return misuse("%s, not '%s'", tio_knobs[knob].rule, value);
		*result = number;
		return EXIT_DONE;
	}
}

/* "threshold=5ms" for "threshold_us" and "5000": a bare number is in microseconds */
static char *suggest_length(const char *name, const char *next)
{
	int len = strcspn(name, "_");
	__u64 number;
	bool milli;

	if (parse_length(next, &number))
		return print_text("%.*s=%s", len, name, next);
	if (!parse_number(next, ~0U, &number))
		return NULL;
	milli = number && number % 1000 == 0;
	return print_text("%.*s=%llu%s", len, name, milli ? number / 1000 : number,
			  milli ? "ms" : "us");
}

/* the knob with the next word as its value; NULL: it takes no such value */
static char *suggest(size_t name, const char *next)
{
	enum tio_knob knob = names[name].knob;
	const char *word = names[name].name;
	bool takes = false;
	__u64 number;
	__u32 value;

	if (names[name].form == FORM_LENGTH || strstr(word, "_us"))
		return suggest_length(word, next);
	switch (names[name].form) {
	case FORM_CPUS:
		return print_text("%s=%.32s", word, next);
	case FORM_WORD:
		takes = parse_word(knob, next, &value);
		break;
	case FORM_PERCENT:
		takes = parse_percent(next, &value);
		break;
	default:
		takes = parse_number(next, tio_knobs[knob].max, &number);
	}
	return takes ? print_text("%s=%s", word, next) : NULL;
}

static int no_value(const char *word, size_t name, const char *next)
{
	char *typed = NULL;
	int ret;

	if (name == ARRAY_SIZE(names) || !names[name].example)
		return misuse("'%s' is not KNOB=VALUE, such as threshold=2ms", word);
	if (next && !strchr(next, '='))
		typed = suggest(name, next);
	ret = misuse("'%s' lacks its value: type %s", word,
		     typed ? typed : names[name].example);
	free(typed);
	return ret;
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
	size_t len = strcspn(word, "="), i = find(word, len);
	unsigned int knob;

	if (!value)
		return no_value(word, i, next);
	if (i == ARRAY_SIZE(names))
		return misuse("there is no knob '%.*s'; "
			      "use enable, threshold, period, cpus, nmi, nmi_cpu_rate, nmi_rate, guard or max_cost",
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
	return parse_value(i, value, &knobs->numbers[knob]);
}
