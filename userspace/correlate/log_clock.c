// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "base/say.h"
#include "base/units.h"
#include "correlate/log_clock.h"

/* clocks that are kept right by NTP in one network agree within that */
#define AGREE_NS	NSEC_PER_MSEC

/* of the trains that vote, so few may be missing for the clocks to be as they are stamped */
#define NEARLY		0.9

/* lets the clock be what a unique fit says */
void log_clock_take(struct log_clock *clock, const struct clock_fit *fit)
{
	clock->how = LOG_CLOCK_FITTED;
	clock->offset_ns = fit->offset_ns;
	clock->drift = fit->drift;
	clock->middle_ns = fit->middle_ns;
	clock->error_ns = fit->error_ns;
}

static __s64 offset_at(const struct clock_fit *fit, __u64 log_ns)
{
	return fit->offset_ns +
	       (__s64)(fit->drift * (double)((__s64)log_ns - (__s64)fit->middle_ns));
}

/* by how much a fit is off from an offset, at the log's begin or end */
static __u64 apart_ns(const struct clock_fit *fit, __s64 offset_ns, __u64 from_ns, __u64 to_ns)
{
	__u64 first_ns = llabs(offset_at(fit, from_ns) - offset_ns);
	__u64 last_ns = llabs(offset_at(fit, to_ns) - offset_ns);

	return first_ns > last_ns ? first_ns : last_ns;
}

/**
 * log_clock_decide() - take the log's clock as it is, or as slow replies say
 * @clock: how is LOG_CLOCK_SAME or LOG_CLOCK_GIVEN, which stay, or LOG_CLOCK_STAMPED
 * @fit: what slow replies say
 * @from_ns: when the log begins, by its own clock
 * @to_ns: when it ends
 *
 * Where many distances fit, those of regular stalls, the log's own is one of them or wrong.
 */
void log_clock_decide(struct log_clock *clock, const struct clock_fit *fit, __u64 from_ns,
		      __u64 to_ns)
{
	__u64 off_ns = 0;

	clock->fit = *fit;
	if (fit->state == CLOCK_FIT_UNIQUE)
		off_ns = apart_ns(fit, clock->offset_ns, from_ns, to_ns);
	clock->doubted = clock->how == LOG_CLOCK_GIVEN &&
			 off_ns > AGREE_NS + fit->error_ns + clock->error_ns;
	if (clock->how != LOG_CLOCK_STAMPED || fit->state == CLOCK_FIT_NONE)
		return;
	if (off_ns > AGREE_NS + fit->error_ns) {
		log_clock_take(clock, fit);
	} else if (fit->state == CLOCK_FIT_UNIQUE || fit->at_zero >= NEARLY * fit->matched) {
		clock->how = LOG_CLOCK_CHECKED;
		if (fit->state == CLOCK_FIT_UNIQUE)
			clock->error_ns = off_ns + fit->error_ns;
	} else {
		clock->how = LOG_CLOCK_AMBIGUOUS;
	}
}

/* the node's clock at a moment of the log */
__u64 log_clock_node_ns(const struct log_clock *clock, __u64 log_ns)
{
	double since_ns = clock->drift ? (double)((__s64)log_ns - (__s64)clock->middle_ns) : 0;

	return log_ns - clock->offset_ns - (__s64)(clock->drift * since_ns);
}

/* is it known how the clocks are, and not from slow replies themselves? */
bool log_clock_stands(const struct log_clock *clock)
{
	return !clock->doubted &&
	       (clock->how == LOG_CLOCK_SAME || clock->how == LOG_CLOCK_GIVEN);
}

/* for programs */
const char *log_clock_word(enum log_clock_how how)
{
	static const char * const words[LOG_CLOCK_HOWS] = {
		[LOG_CLOCK_SAME] = "same",
		[LOG_CLOCK_GIVEN] = "given",
		[LOG_CLOCK_STAMPED] = "stamped",
		[LOG_CLOCK_CHECKED] = "checked",
		[LOG_CLOCK_FITTED] = "fitted",
		[LOG_CLOCK_AMBIGUOUS] = "ambiguous",
	};

	return words[how];
}

/**
 * log_names_add() - a log that was read
 * @names: the logs
 * @name: its name, which stays
 * @behind: the number of replies of all logs so far
 */
void log_names_add(struct log_names *names, const char *name, size_t behind)
{
	names->names = grow(names->names, names->count, sizeof(*names->names));
	names->behind = grow(names->behind, names->count, sizeof(*names->behind));
	names->names[names->count] = name;
	names->behind[names->count++] = behind;
}

/* the name of the log that has the reply with this index */
const char *log_name(const struct log_names *names, size_t reply)
{
	for (size_t i = 0; i < names->count; i++)
		if (reply < names->behind[i])
			return names->names[i];
	return NULL;
}

void log_names_free(struct log_names *names)
{
	free(names->names);
	free(names->behind);
	*names = (struct log_names){ 0 };
}

/* of fewer replies all may be slow */
#define SLOW_MOST	20

/* says how many lines were not understood; the caller says what follows from that */
void log_doubts_ignored(const struct replies *replies)
{
	if (replies->ignored)
		note("%zu %s not understood; the first is line %u of %s: '%s'", replies->ignored,
		     replies->ignored == 1 ? "line was" : "lines were", replies->first_ignored,
		     replies->ignored_log, replies->ignored_text);
}

/**
 * log_doubts() - say what looks as if logs or options were not meant so
 * @replies: what was read
 * @slows: which of them are slow
 */
void log_doubts(const struct replies *replies, const struct slows *slows)
{
	size_t slow = slows->count - replies->untold;

	/* lines that somebody left out look like lost packets */
	if (2 * replies->lost > replies->count)
		note("%zu of %zu replies are missing; give the whole log, if lines were left out",
		     replies->lost, replies->count);
	else if (2 * slow > replies->count && replies->count >= SLOW_MOST)
		note("%zu of %zu replies are slow; if they were not, look at --over and --unit",
		     slow, replies->count);
	log_doubts_ignored(replies);
	if (slows->requests && slows->packets)
		note("pings are asked of all CPUs here, because requests are; "
		     "ask about each log alone for the CPUs that took its packets");
}
