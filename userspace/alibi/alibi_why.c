// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "alibi/alibi_why.h"
#include "base/say.h"
#include "base/units.h"
#include "model/cpuset.h"
#include "model/knob_words.h"
#include "model/labels.h"

/* a period is a fourth of the length at most, and no longer than by default */
#define PERIODS_IN_LENGTH	4

/**
 * alibi_settings() - settings under which stalls of the length that was asked about have records
 * @alibi: a verdict
 *
 * Return: half a sentence, to be freed.
 */
char *alibi_settings(const struct alibi *alibi)
{
	__u64 over_us = alibi->over_ns / NSEC_PER_USEC;
	__u64 slack_us = TIO_BOUNDS_SLACK_NS / NSEC_PER_USEC;
	__u64 period_us = over_us > slack_us ? (over_us - slack_us) / PERIODS_IN_LENGTH : 0;

	if (period_us > TIO_PERIOD_US_DEFAULT)
		period_us = TIO_PERIOD_US_DEFAULT;
	if (period_us < TIO_PERIOD_US_MIN)
		return copy_text("no settings are fine enough");
	return print_text("from now on: irqoff start threshold=%lluus period=%lluus; "
			  "irqoff status tells what that costs",
			  over_us - slack_us - period_us, period_us);
}

/* and what can be told now */
static char *other_length(const struct alibi *alibi)
{
	__u64 shortest_us = (alibi->shortest_ns + NSEC_PER_USEC - 1) / NSEC_PER_USEC;
	char *settings = alibi_settings(alibi);
	char *all = print_text("ask with --min %lluus; for shorter ones, %s", shortest_us,
			       settings);

	free(settings);
	return all;
}

/* a time of a verdict, by the wall clock */
const char *alibi_clock(char buf[UNITS_LEN], const struct model *model, __u64 at_ns)
{
	return print_clock(buf, at_ns, model->config.realtime_ns, true);
}

/* from when on something is known: who asks about the time that is printed is told */
static const char *clock_from(char buf[UNITS_LEN], const struct model *model, __u64 at_ns)
{
	__u64 ms = (at_ns + NSEC_PER_MSEC - 1) / NSEC_PER_MSEC;

	return alibi_clock(buf, model, ms * NSEC_PER_MSEC);
}

/* of entry, which may be open */
static char *bounds_why(const struct alibi *alibi)
{
	char name[UNITS_LEN], min[UNITS_LEN], max[UNITS_LEN];
	const struct tio_record *rec = &alibi->entry->rec;

	print_record_name(name, rec);
	print_duration(min, rec->min_ns);
	print_duration(max, rec->max_ns);
	if (alibi->gap == ALIBI_NESTED)
		return print_text("stall %s of %s to %s may be part of an unrecorded softirq stall",
				  name, min, max);
	return print_text("stall %s lasted at least %s and at most %s%s", name, min, max,
			  rec->open ? " so far" : "");
}

/**
 * alibi_why() - why nobody can tell
 * @model: what it is of
 * @alibi: a verdict with a gap
 *
 * Return: half a sentence, to be freed.
 */
char *alibi_why(const struct model *model, const struct alibi *alibi)
{
	char at[UNITS_LEN], shortest[UNITS_LEN];

	switch (alibi->gap) {
	case ALIBI_DAMAGED:
		return copy_text("the capture is cut off or damaged");
	case ALIBI_GROWING:
		return copy_text("the capture is still written, and ends in its counters");
	case ALIBI_NO_CPU:
		return print_text("none of the CPUs of --%s is online", alibi->dev ? "dev" : "cpu");
	case ALIBI_UNWATCHED:
		return print_text("%s %s %s not watched", cpulist_noun(alibi->cpus), alibi->cpus,
				  strpbrk(alibi->cpus, ",-") ? "are" : "is");
	case ALIBI_EARLY:
		return print_text("records may be missing of the time before %s",
				  clock_from(at, model, alibi->at_ns));
	case ALIBI_LATE:
		return print_text("what came after %s is not known",
				  alibi_clock(at, model, alibi->at_ns));
	case ALIBI_CLEARED:
		return copy_text("records were dropped (irqoff clear), and when is not known");
	case ALIBI_LOST:
		return print_text("%llu %s missing", alibi->count,
				  alibi->count == 1 ? "record is" : "records are");
	case ALIBI_SHORT:
		return print_text("under these settings a stall shorter than %s may have no record",
				  print_duration(shortest, alibi->shortest_ns));
	case ALIBI_SETTINGS:
		return print_text("CPU %u has its present settings only since %s", alibi->cpu,
				  clock_from(at, model, alibi->at_ns));
	case ALIBI_BEHIND:
		return print_text("%s %s took up no settings yet, so it may be stuck",
				  cpulist_noun(alibi->cpus), alibi->cpus);
	case ALIBI_BUSY:
		return print_text("a record of CPU %u was being written", alibi->cpu);
	case ALIBI_BOUNDS:
	case ALIBI_NESTED:
		return bounds_why(alibi);
	default:
		return copy_text("the module is too old to say how it watched, or it never did");
	}
}

/**
 * alibi_remedy() - what tells after all, or would tell the next time
 * @alibi: a verdict with a gap
 *
 * Return: half a sentence, to be freed.
 */
char *alibi_remedy(const struct alibi *alibi)
{
	switch (alibi->gap) {
	case ALIBI_DAMAGED:
		return copy_text("ask for a time that another capture has");
	case ALIBI_NO_CPU:
		return copy_text("name CPUs that are online");
	case ALIBI_UNWATCHED:
		return copy_text("irqoff set cpus=all watches them, or --cpu leaves them out");
	case ALIBI_EARLY:
	case ALIBI_CLEARED:
	case ALIBI_LOST:
		return copy_text("read the captures of irqoff agent, if it ran (-i); "
				 "it keeps more than the module, and so do more ring_records");
	case ALIBI_LATE:
		return copy_text("watch for all of the time, and ask or save after it");
	case ALIBI_SHORT:
		return other_length(alibi);
	case ALIBI_SETTINGS:
		return copy_text("ask about a time from then on");
	case ALIBI_BEHIND:
		return copy_text("ask again; irqoff list shows a stall that goes on as open");
	case ALIBI_GROWING:
	case ALIBI_BUSY:
		return copy_text("ask again");
	case ALIBI_BOUNDS:
	case ALIBI_NESTED:
		return copy_text("ask about another length; "
				 "a shorter period makes bounds narrower");
	default:
		return copy_text("load the module that was built with this irqoff, enabled");
	}
}
