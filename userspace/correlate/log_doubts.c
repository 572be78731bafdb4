// SPDX-License-Identifier: GPL-2.0-only
#include "base/say.h"
#include "correlate/log_doubts.h"

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
