// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "agent/health.h"
#include "base/say.h"
#include "base/units.h"
#include "core/classify.h"

static __printf(3, 4) enum health say(char text[HEALTH_LEN], enum health health,
				       const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(text, HEALTH_LEN, format, args);
	va_end(args);
	return health;
}

/* when the time that is asked about begins */
static __u64 begin_of(const struct health_question *question)
{
	return question->now_ns > question->since_ns ? question->now_ns - question->since_ns : 0;
}

static bool asked(const struct health_question *question, enum tio_class class)
{
	return !question->classes || question->classes & 1U << class;
}

/* the longest stall of that time, of the classes that are asked about */
static const struct longest_stall *find(const struct tally *tally,
					const struct health_question *question,
					enum tio_class *class)
{
	const struct longest_stall *longest = NULL;

	for (unsigned int i = 0; i < TIO_CLASSES; i++) {
		const struct longest_stall *stall;

		if (!asked(question, i))
			continue;
		stall = longest_since(&tally->classes[i].longest, begin_of(question));
		if (!stall || (longest && longest->ns >= stall->ns))
			continue;
		longest = stall;
		*class = i;
	}
	return longest;
}

/* the longest one that goes on, as far as an agent that is alive knows */
static const struct tally_open *find_open(const struct tally *tally,
					  const struct health_question *question)
{
	const struct tally_open *longest = NULL;

	for (size_t i = 0; i < tally->nopen && tally_up(tally, question->now_ns); i++) {
		const struct tally_open *open = &tally->open[i];

		if (asked(question, open->class) &&
		    (!longest || open->start_ns < longest->start_ns))
			longest = open;
	}
	return longest;
}

/* since then; 0 where that is yet to come */
static __u64 ago(const struct health_question *question, __u64 at_ns)
{
	return question->now_ns > at_ns ? question->now_ns - at_ns : 0;
}

/* is there one that is longer than it may be? */
static bool stalled(const struct tally *tally, const struct health_question *question,
		    char text[HEALTH_LEN])
{
	const struct tally_open *open = find_open(tally, question);
	enum tio_class class = TIO_CLASS_UNKNOWN;
	const struct longest_stall *stall = find(tally, question, &class);
	char lasted[UNITS_LEN], since[UNITS_LEN];

	if (open && ago(question, open->start_ns) > question->max_ns) {
		say(text, HEALTH_STALLED, "stall of %s goes on, %s, record %u:open",
		    print_span(lasted, ago(question, open->start_ns)),
		    tio_class_name(open->class), open->cpu);
		return true;
	}
	if (!stall || stall->ns <= question->max_ns)
		return false;
	say(text, HEALTH_STALLED, "stall of %s, %s, %s ago, record %u:%llu",
	    print_duration(lasted, stall->ns), tio_class_name(class),
	    print_span(since, ago(question, stall->end_ns)), stall->cpu, stall->seq);
	return true;
}

/* has somebody looked for all of that time, at all that is asked about? */
static enum health covered(const struct tally *tally, const struct health_question *question,
			   char text[HEALTH_LEN])
{
	const struct tally_module *module = &tally->module;
	char one[UNITS_LEN], other[UNITS_LEN];
	__u64 begin_ns = begin_of(question);

	if (!tally->running)
		return say(text, HEALTH_UNKNOWN, "irqoff agent has ended");
	if (!module->loaded)
		return say(text, HEALTH_UNKNOWN, "the module trace_irqoff is not loaded");
	if (!module->enabled)
		return say(text, HEALTH_UNKNOWN, "the module trace_irqoff is not enabled");
	if (!tally_up(tally, question->now_ns))
		return say(text, HEALTH_UNKNOWN, "irqoff agent has written nothing for %s",
			   print_span(one, question->now_ns - tally->updated_ns));
	if (!module->watched_cpus)
		return say(text, HEALTH_UNKNOWN, "no CPU is watched");
	if (module->threshold_ns > question->max_ns)
		return say(text, HEALTH_UNKNOWN, "the threshold %s is above the length %s",
			   print_duration(one, module->threshold_ns),
			   print_duration(other, question->max_ns));
	if (!module->watched_ns)
		return say(text, HEALTH_UNKNOWN, "it is not known since when all CPUs are watched");
	if (module->watched_ns > begin_ns)
		return say(text, HEALTH_UNKNOWN,
			   "watching began or changed %s ago, and --since asks about %s",
			   print_span(one, ago(question, module->watched_ns)),
			   print_span(other, question->since_ns));
	if (tally->lost_ns && tally->lost_ns >= begin_ns)
		return say(text, HEALTH_UNKNOWN, "records were lost %s ago",
			   print_span(one, ago(question, tally->lost_ns)));
	for (unsigned int i = 0; i < TIO_CLASSES; i++)
		if (asked(question, i) && tally->classes[i].longest.from_ns > begin_ns)
			return say(text, HEALTH_UNKNOWN,
				   "there were too many stalls: only those of the last %s are known",
				   print_span(one, ago(question,
						       tally->classes[i].longest.from_ns)));
	return HEALTH_GOOD;
}

/**
 * health_ask() - did a node stall lately?
 * @tally: an agent's counters
 * @question: what is asked
 * @text: gets a line without its end
 *
 * Return: HEALTH_GOOD only where somebody looked all the time.
 */
enum health health_ask(const struct tally *tally, const struct health_question *question,
		       char text[HEALTH_LEN])
{
	const struct tally_module *module = &tally->module;
	char max[UNITS_LEN], since[UNITS_LEN];

	if (strcmp(tally->boot_id, question->boot_id))
		return say(text, HEALTH_UNKNOWN, "the counters are of another boot");
	if (tally->updated_ns > question->now_ns)
		return say(text, HEALTH_UNKNOWN, "the counters are of a time that is yet to come");
	if (stalled(tally, question, text))
		return HEALTH_STALLED;
	if (covered(tally, question, text) != HEALTH_GOOD)
		return HEALTH_UNKNOWN;
	print_duration(max, question->max_ns);
	print_span(since, question->since_ns);
	if (module->watched_cpus < tally->online_cpus)
		return say(text, HEALTH_GOOD, "no stall over %s in %s on %u of %u CPUs", max, since,
			   module->watched_cpus, tally->online_cpus);
	return say(text, HEALTH_GOOD, "no stall over %s in %s on %u CPU%s", max, since,
		   module->watched_cpus, module->watched_cpus == 1 ? "" : "s");
}

/**
 * health_unread() - what is said where the counters could not be read
 * @error: of tally_read()
 * @text: gets a line without its end
 *
 * Return: HEALTH_UNKNOWN.
 */
enum health health_unread(int error, char text[HEALTH_LEN])
{
	if (error == -ENOENT)
		return say(text, HEALTH_UNKNOWN,
			   "irqoff: no agent has run since boot: start one, or name its --state");
	if (error == -EINVAL)
		return say(text, HEALTH_UNKNOWN,
			   "irqoff: the file is no state of an agent of this version");
	return say(text, HEALTH_UNKNOWN, "irqoff: the state of irqoff agent cannot be read: %s",
		   strerror(-error));
}
