// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "log_clock.h"
#include "units.h"

/* clocks that are kept right by NTP in one network agree within that */
#define AGREE_NS	((__s64)NSEC_PER_MSEC)

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

static bool agrees(const struct clock_fit *fit)
{
	return llabs(fit->offset_ns) <= AGREE_NS + (__s64)fit->error_ns;
}

/**
 * log_clock_decide() - take the log's clock as it is, or as slow replies say
 * @clock: how is LOG_CLOCK_SAME or LOG_CLOCK_GIVEN, which stay, or LOG_CLOCK_STAMPED
 * @fit: what slow replies say
 *
 * Where many distances fit, those of regular stalls, the log's own is one of them or wrong.
 */
void log_clock_decide(struct log_clock *clock, const struct clock_fit *fit)
{
	clock->fit = *fit;
	if (clock->how != LOG_CLOCK_STAMPED || fit->state == CLOCK_FIT_NONE)
		return;
	if (fit->state == CLOCK_FIT_UNIQUE && !agrees(fit)) {
		log_clock_take(clock, fit);
	} else if (fit->state == CLOCK_FIT_UNIQUE || fit->at_zero >= NEARLY * fit->matched) {
		clock->how = LOG_CLOCK_CHECKED;
		if (fit->state == CLOCK_FIT_UNIQUE)
			clock->error_ns = llabs(fit->offset_ns) + fit->error_ns;
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

/* does nothing but slow replies themselves say how the clocks are? */
bool log_clock_stands(const struct log_clock *clock)
{
	return clock->how != LOG_CLOCK_FITTED && clock->how != LOG_CLOCK_AMBIGUOUS;
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
