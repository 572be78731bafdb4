// SPDX-License-Identifier: GPL-2.0-only
/*
 * The module decides, and its sentence has the names and units of its parameters. Where
 * the broken rule can be found again here, the sentence has what was typed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/say.h"
#include "base/units.h"
#include "source/refusal.h"

#define USEC_PER_SEC	1000000
#define RELOAD		"rmmod trace_irqoff && modprobe trace_irqoff"

/* since this interface: what comes behind ring_records, and memory is given back */
#define INTERFACE_NMI	5

/* "1.5ms" of "1.5 ms", as it can be typed */
static const char *without_space(char *text)
{
	char *space = strchr(text, ' ');

	memmove(space, space + 1, strlen(space));
	return text;
}

/* exact */
static const char *print_length(char buf[UNITS_LEN], __u32 us)
{
	if (us > USEC_PER_SEC && us % USEC_PER_SEC) {
		snprintf(buf, UNITS_LEN, "%uus", us);
		return buf;
	}
	print_duration(buf, us * NSEC_PER_USEC);
	return without_space(buf);
}

static const char *print_value(char buf[UNITS_LEN], enum tio_knob knob, __u32 value)
{
	if (knob != TIO_KNOB_MAX_COST_PPM)
		return print_length(buf, value);
	print_percent(buf, value);
	return without_space(buf);
}

/* of a value that was typed with a unit; NULL: it is in its range */
static char *out_of_range(const struct knobs *knobs, enum tio_knob knob)
{
	const struct tio_knob_desc *desc = &tio_knobs[knob];
	char least[UNITS_LEN], most[UNITS_LEN];
	const char *word = knobs->words[knob];
	int name = word ? strcspn(word, "=") : 0;

	/* threshold_us, period_us and max_cost_ppm are the module's own names and units */
	if (!word || strlen(desc->name) == (size_t)name ||
	    (knobs->numbers[knob] >= desc->min && knobs->numbers[knob] <= desc->max))
		return NULL;
	return print_text("%s is out of range: %.*s takes %s to %s", word, name, word,
			  print_value(least, knob, desc->min),
			  print_value(most, knob, desc->max));
}

/* what an older module does not take; it says that it does not know an attribute */
static char *not_known(const struct knobs *knobs, const struct config *now)
{
	if (!now->version || now->version >= INTERFACE_NMI)
		return NULL;
	for (unsigned int i = TIO_KNOB_NMI; i < TIO_KNOBS; i++)
		if (knobs->words[i])
			return print_text("%s: the loaded module has interface %u and no such knob",
					  knobs->words[i], now->version);
	if (!knobs->free)
		return NULL;
	return print_text("the loaded module has interface %u and gives no memory back",
			  now->version);
}

/* says what to type to have the threshold or the period that was wanted */
static char *not_two_periods(const struct knobs *knobs, const struct config *now)
{
	bool given_threshold = knobs->given[TIO_KNOB_THRESHOLD_US];
	bool given_period = knobs->given[TIO_KNOB_PERIOD_US];
	__u32 threshold = given_threshold ? knobs->numbers[TIO_KNOB_THRESHOLD_US] :
					    now->threshold_us;
	__u32 period = given_period ? knobs->numbers[TIO_KNOB_PERIOD_US] : now->period_us;
	char is[UNITS_LEN], wanted[UNITS_LEN], other[UNITS_LEN];

	if (!threshold || !period || threshold >= 2ULL * period)
		return NULL;
	if (given_threshold && given_period)
		return print_text("%s is less than two times %s",
				  knobs->words[TIO_KNOB_THRESHOLD_US],
				  knobs->words[TIO_KNOB_PERIOD_US]);
	if (given_threshold)
		return print_text("%s is less than two periods of %s; "
				  "type threshold=%s period=%s to change both",
				  knobs->words[TIO_KNOB_THRESHOLD_US],
				  print_length(is, period), print_length(wanted, threshold),
				  print_length(other, threshold / 2));
	if (given_period)
		return print_text("%s is more than half of the threshold of %s; "
				  "type threshold=%s period=%s to change both",
				  knobs->words[TIO_KNOB_PERIOD_US],
				  print_length(is, threshold), print_length(other, 2 * period),
				  print_length(wanted, period));
	return NULL;
}

static char *ring_fixed(const struct knobs *knobs, const struct config *now)
{
	__u32 records = knobs->numbers[TIO_KNOB_RING_RECORDS];

	if (!knobs->given[TIO_KNOB_RING_RECORDS] || records < TIO_RING_RECORDS_MIN ||
	    records > TIO_RING_RECORDS_MAX || records == now->ring_records)
		return NULL;
	return print_text("ring_records is fixed while the module is loaded; "
			  "this loads it again and drops all records: "
			  RELOAD " ring_records=%u", records);
}

/* "threshold=1s period=x: the module's sentence" */
static char *prefixed(const struct knobs *knobs, const char *rule)
{
	char *text = NULL;
	size_t size;
	FILE *out = or_exit(open_memstream(&text, &size));

	for (unsigned int i = 0; i < KNOBS; i++)
		if (knobs->words[i])
			fprintf(out, "%s%s", ftell(out) ? " " : "", knobs->words[i]);
	fprintf(out, "%s%s", ftell(out) ? ": " : "", rule);
	if (fclose(out))
		exit(failed("out of memory"));
	return text;
}

/**
 * refusal_text() - why the module did not take what was typed
 * @knobs: what was typed
 * @model: configuration and machine now; zeros where they are not known
 * @rule: the module's own sentence
 *
 * The rules are tried in the module's order.
 *
 * Return: one sentence without its full stop, to be freed.
 */
char *refusal_text(const struct knobs *knobs, const struct model *model, const char *rule)
{
	static const enum tio_knob with_units[] = {
		TIO_KNOB_THRESHOLD_US, TIO_KNOB_PERIOD_US, TIO_KNOB_MAX_COST_PPM,
	};
	char *text = not_known(knobs, &model->config);

	if (text)
		return text;
	if (!strncmp(rule, "cpus ", 5) && knobs->words[KNOB_CPUS])
		return print_text("%s: cpus takes default, all or a list of CPUs%s%s",
				  knobs->words[KNOB_CPUS], *model->machine.cpus ? " out of " : "",
				  model->machine.cpus);
	for (size_t i = 0; i < ARRAY_SIZE(with_units) && !text; i++)
		text = out_of_range(knobs, with_units[i]);
	if (!text && !strstr(rule, " takes "))
		text = not_two_periods(knobs, &model->config) ?:
		       ring_fixed(knobs, &model->config);
	return text ?: prefixed(knobs, rule);
}
