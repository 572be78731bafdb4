// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "out.h"
#include "testimony.h"

/* a packet that was lost is lost by then, or it would have been slow */
#define LOSS_NS		NSEC_PER_MSEC

/* is what a capture says better to know than what an earlier one said? */
static bool better(const struct testimony *testimony, const struct alibi *alibi)
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
static void tell_stall(struct testimony *testimony, const struct entry *entry)
{
	char name[UNITS_LEN], min[UNITS_LEN];

	testimony->why = print_text("stall %s of %s was near, and does not cover the delay",
				    text_name(name, &entry->rec),
				    print_duration(min, entry->rec.min_ns));
	testimony->remedy = print_text("look at it: irqoff show %s", name);
}

static const char narrower[] = "a shorter period has narrower bounds (irqoff start period=...)";

/* the remedies of the others speak of the length that alibi was asked about */
static bool is_fine(enum alibi_gap gap)
{
	return gap != ALIBI_BOUNDS && gap != ALIBI_NESTED;
}

static void keep(struct testimony *testimony, const struct witness *witness,
		 const struct alibi *alibi)
{
	struct page page = { .model = witness->book.model };

	testimony_free(testimony);
	*testimony = (struct testimony){
		.asked = true,
		.verdict = alibi->verdict,
		.gap = alibi->gap,
		.over_ns = alibi->over_ns,
	};
	if (alibi->verdict == ALIBI_STALLED) {
		tell_stall(testimony, alibi->stalls[0]);
	} else if (alibi->verdict == ALIBI_CANNOT_TELL) {
		testimony->why = alibi_why(&page, alibi);
		testimony->remedy = is_fine(alibi->gap) ? alibi_remedy(alibi) :
						      copy_text(narrower);
	}
}

static void doubt_gone(struct testimony *testimony, const char *cpus)
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
 * testimony_hear() - ask one more capture of a node
 * @testimony: what its captures so far say, which the best one stands for
 * @witness: the capture
 * @slow: the reply that it is asked about
 * @clock: of the log
 *
 * It is asked about stalls of half of what the reply was late by, because shorter ones would
 * have had to be several. Where the settings record no stalls as short as that, it is asked
 * about the shortest that they do record, if one of these could still be to blame.
 */
void testimony_hear(struct testimony *testimony, const struct witness *witness,
		    const struct slow *slow, const struct log_clock *clock)
{
	__u64 excess_ns = slow_excess_ns(slow);
	struct alibi alibi;

	ask(&alibi, witness, slow, clock, excess_ns / 2);
	if (alibi.gap == ALIBI_SHORT && alibi.shortest_ns <= excess_ns) {
		__u64 shortest_ns = alibi.shortest_ns;

		alibi_free(&alibi);
		ask(&alibi, witness, slow, clock, shortest_ns);
	}
	if (better(testimony, &alibi)) {
		keep(testimony, witness, &alibi);
		if (alibi.verdict == ALIBI_NO_STALL && *witness->gone)
			doubt_gone(testimony, witness->gone);
	}
	alibi_free(&alibi);
}

void testimony_free(struct testimony *testimony)
{
	free(testimony->why);
	free(testimony->remedy);
	*testimony = (struct testimony){ 0 };
}
