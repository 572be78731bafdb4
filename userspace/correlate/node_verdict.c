// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "alibi/alibi_why.h"
#include "base/say.h"
#include "correlate/node_verdict.h"
#include "model/labels.h"

/* a packet that was lost is lost by then, or it would have been slow */
#define LOSS_NS		NSEC_PER_MSEC

/* is what a capture says better to know than what an earlier one said? */
static bool better(const struct node_verdict *testimony, const struct alibi *alibi)
{
	if (!testimony->asked || alibi->verdict == ALIBI_STALLED)
		return true;
	if (testimony->verdict != ALIBI_CANNOT_TELL)
		return false;
	/* one of another time knows nothing of this one */
	return alibi->verdict == ALIBI_NO_STALL || testimony->gap == ALIBI_EARLY ||
	       testimony->gap == ALIBI_LATE;
}

/* one that does not cover the delay, or it would be to blame */
static void tell_stall(struct node_verdict *testimony, const struct entry *entry,
		       const struct slow *slow)
{
	char name[UNITS_LEN];
	const char *times = slow->reply->kind == REPLY_REQUEST ?
			    "check --time-is, and " : "";

	testimony->why = copy_text("a stall was near, and does not cover the delay");
	testimony->remedy = print_text("%slook at the stall: irqoff show %s", times,
				       print_record_name(name, &entry->rec));
}

static const char narrower[] = "a shorter period has narrower bounds (irqoff start period=...)";

/* some remedies speak of the length that alibi was asked about, which nobody named here */
static char *remedy_of(const struct alibi *alibi)
{
	switch (alibi->gap) {
	case ALIBI_BOUNDS:
	case ALIBI_NESTED:
		return copy_text(narrower);
	case ALIBI_SHORT:
		return alibi_settings(alibi);
	default:
		return alibi_remedy(alibi);
	}
}

static void keep(struct node_verdict *testimony, const struct witness *witness,
		 const struct slow *slow, const struct alibi *alibi)
{
	node_verdict_free(testimony);
	*testimony = (struct node_verdict){
		.asked = true,
		.verdict = alibi->verdict,
		.gap = alibi->gap,
		.over_ns = alibi->over_ns,
	};
	if (alibi->verdict == ALIBI_STALLED) {
		tell_stall(testimony, alibi->stalls[0], slow);
	} else if (alibi->verdict == ALIBI_CANNOT_TELL) {
		testimony->why = alibi_why(witness->book.model, alibi);
		testimony->remedy = remedy_of(alibi);
	}
}

static void doubt_gone(struct node_verdict *testimony, const char *cpus)
{
	testimony->verdict = ALIBI_CANNOT_TELL;
	testimony->gap = ALIBI_UNWATCHED;
	testimony->why = print_text("CPU %s took packets, and was offline as the capture was made",
				    cpus);
	testimony->remedy = copy_text("give a capture of the time before (irqoff agent)");
}

static void ask(struct alibi *alibi, const struct witness *witness, const struct slow *slow,
		const struct log_clock *clock, __u64 over_ns)
{
	const struct reply *reply = slow->reply;
	__u64 sent_ns = log_clock_node_ns(clock, reply->sent_ns);
	__u64 error_ns = witness->clock_error_ns + reply->unsure_ns;
	__u64 end_ns = reply->lost ? sent_ns + slow->base_ns + LOSS_NS :
				     log_clock_node_ns(clock, reply->came_ns);

	*alibi = (struct alibi){
		.from_ns = sent_ns - error_ns,
		.to_ns = end_ns + error_ns,
		.over_ns = over_ns,
		.damaged = witness->damaged,
	};
	alibi_ask(alibi, &witness->book);
}

/**
 * node_verdict_hear() - ask one more capture of a node
 * @testimony: what its captures so far say, which the best one stands for
 * @witness: the capture
 * @slow: the reply that it is asked about
 * @clock: of the log
 *
 * It is asked about stalls of half of what the reply was late by, because shorter ones would
 * have had to be several. Where the settings record no stalls as short as that, it is asked
 * about the shortest that they do record, unless a shorter one could be to blame.
 */
void node_verdict_hear(struct node_verdict *testimony, const struct witness *witness,
		       const struct slow *slow, const struct log_clock *clock)
{
	struct alibi alibi;

	ask(&alibi, witness, slow, clock, slow_excess_ns(slow) / 2);
	if (alibi.gap == ALIBI_SHORT && alibi.shortest_ns <= slow_need_ns(slow)) {
		__u64 shortest_ns = alibi.shortest_ns;

		alibi_free(&alibi);
		ask(&alibi, witness, slow, clock, shortest_ns);
	}
	if (better(testimony, &alibi)) {
		keep(testimony, witness, slow, &alibi);
		if (alibi.verdict == ALIBI_NO_STALL && *witness->gone)
			doubt_gone(testimony, witness->gone);
	}
	alibi_free(&alibi);
}

void node_verdict_free(struct node_verdict *testimony)
{
	free(testimony->why);
	free(testimony->remedy);
	*testimony = (struct node_verdict){ 0 };
}
