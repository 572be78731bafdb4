// SPDX-License-Identifier: GPL-2.0-only
/*
 * The log is moved against the stalls by a random time, around in a circle, a thousand times.
 * The circle is the time in which stalls were recorded; in another one there is no chance.
 * That keeps what makes chance likely: how many slow replies and stalls there are, how long,
 * and how they come in bursts. Where the clock was fitted, each of these logs has a fit of its
 * own, because a fit looks for what agrees.
 */
#include <stdlib.h>
#include <string.h>

#include "base/say.h"
#include "correlate/chance.h"

#define PERCENT_LOWER	95

/* a fit finds the true offset from so far away, and a train that is moved by less is the same */
#define REACH_NS	(CLOCK_FIT_REACH_NS + NSEC_PER_SEC / 2)

/* the moved log: what came while stalls were recorded */
struct moved {
	const struct slows *slows;
	__u64 from_ns, span_ns;
	struct slow *all;
	struct reply *replies;
	size_t count;
	struct train *trains;
	size_t ntrains;
};

static bool is_within(const struct moved *moved, __u64 at_ns)
{
	return at_ns >= moved->from_ns && at_ns < moved->from_ns + moved->span_ns;
}

/* what is moved beyond the end comes at the begin */
static __u64 move(const struct moved *moved, __u64 at_ns, __u64 by_ns)
{
	return moved->from_ns + (at_ns - moved->from_ns + by_ns) % moved->span_ns;
}

static void move_replies(struct moved *moved, __u64 by_ns)
{
	moved->count = 0;
	for (size_t i = 0; i < moved->slows->count; i++) {
		const struct slow *slow = &moved->slows->all[i];
		__u64 at_ns = slow->reply->lost ? slow->reply->sent_ns : slow->reply->came_ns;
		struct reply *reply = &moved->replies[moved->count];

		if (!is_within(moved, at_ns))
			continue;
		*reply = *slow->reply;
		reply->sent_ns += move(moved, at_ns, by_ns) - at_ns;
		reply->came_ns += move(moved, at_ns, by_ns) - at_ns;
		moved->all[moved->count] = *slow;
		moved->all[moved->count++].reply = reply;
	}
}

static int by_came(const void *a, const void *b)
{
	const struct train *left = a, *right = b;

	return (left->came_ns > right->came_ns) - (left->came_ns < right->came_ns);
}

static void move_trains(struct moved *moved, __u64 by_ns)
{
	moved->ntrains = 0;
	for (size_t i = 0; i < moved->slows->ntrains; i++) {
		const struct train *train = &moved->slows->trains[i];

		if (!is_within(moved, train->came_ns))
			continue;
		moved->trains[moved->ntrains] = *train;
		moved->trains[moved->ntrains++].came_ns = move(moved, train->came_ns, by_ns);
	}
	if (moved->ntrains)
		qsort(moved->trains, moved->ntrains, sizeof(*moved->trains), by_came);
}

static size_t count_explained(const struct moved *moved, struct blaming *blaming)
{
	size_t explained = 0;

	for (size_t i = 0; i < moved->count; i++) {
		struct blame blame;

		explained += blame_find(&blame, blaming, &moved->all[i]);
	}
	return explained;
}

/* would a fit of the log that is moved by that find the true offset again? */
static bool finds_truth(const struct moved *moved, const struct log_clock *clock, __u64 by_ns)
{
	__s64 moved_ns = clock->offset_ns + (__s64)by_ns;
	__s64 back_ns = moved_ns - (__s64)moved->span_ns;

	return clock->how == LOG_CLOCK_FITTED &&
	       (llabs(moved_ns) < (__s64)REACH_NS || llabs(back_ns) < (__s64)REACH_NS);
}

/* by how much the log is moved next */
static __u64 choose(const struct moved *moved, const struct log_clock *clock,
		    unsigned short *seed)
{
	__u64 by_ns;

	do {
		by_ns = erand48(seed) * moved->span_ns;
	} while (finds_truth(moved, clock, by_ns));
	return by_ns;
}

/* how many slow replies stalls explain once the log is moved by that */
static size_t try(struct moved *moved, struct blaming *blaming, struct clock_search *search,
		  __u64 by_ns)
{
	const struct log_clock *clock = blaming->clock;
	struct log_clock own = *clock;
	struct clock_fit fit;
	size_t explained;

	move_replies(moved, by_ns);
	if (clock->how == LOG_CLOCK_FITTED) {
		move_trains(moved, by_ns);
		clock_search_fit(search, &fit, moved->trains, moved->ntrains,
				 moved->slows->base_known);
		if (fit.state != CLOCK_FIT_UNIQUE)
			return 0;
		log_clock_take(&own, &fit);
	}
	blaming->clock = &own;
	explained = count_explained(moved, blaming);
	blaming->clock = clock;
	return explained;
}

static int by_value(const void *a, const void *b)
{
	const size_t *left = a, *right = b;

	return (*left > *right) - (*left < *right);
}

static void sum_up(struct chance *chance, size_t *counts)
{
	__u64 sum = 0;

	for (size_t i = 0; i < CHANCE_SHIFTS; i++)
		sum += counts[i];
	qsort(counts, CHANCE_SHIFTS, sizeof(*counts), by_value);
	chance->mean = (double)sum / CHANCE_SHIFTS;
	chance->most = counts[CHANCE_SHIFTS * PERCENT_LOWER / 100 - 1];
}

/**
 * chance_find() - how many slow replies would stalls explain by chance?
 * @chance: the result; the same for the same log and stalls
 * @slows: the slow replies
 * @blaming: the stalls and the rest
 * @from_ns: since when stalls are recorded, by the log's clock
 * @to_ns: until when
 */
void chance_find(struct chance *chance, const struct slows *slows, struct blaming *blaming,
		 __u64 from_ns, __u64 to_ns)
{
	size_t *counts = alloc(CHANCE_SHIFTS, sizeof(*counts));
	unsigned short seed[3] = { 0x330e, 0xabcd, 0x1234 };
	struct clock_search *search = clock_search(blaming->suspects);
	struct moved moved = {
		.slows = slows,
		.from_ns = from_ns > slows->from_ns ? from_ns : slows->from_ns,
		.all = alloc(slows->count, sizeof(*moved.all)),
		.replies = alloc(slows->count, sizeof(*moved.replies)),
		.trains = alloc(slows->ntrains, sizeof(*moved.trains)),
	};

	if (to_ns > slows->to_ns)
		to_ns = slows->to_ns;
	moved.span_ns = to_ns > moved.from_ns ? to_ns + 1 - moved.from_ns : 0;
	/* so that the moved logs are others, a third of all or more is left to choose from */
	chance->known = moved.span_ns &&
			(blaming->clock->how != LOG_CLOCK_FITTED || moved.span_ns >= 3 * REACH_NS);
	for (size_t i = 0; chance->known && i < CHANCE_SHIFTS; i++)
		counts[i] = try(&moved, blaming, search, choose(&moved, blaming->clock, seed));
	sum_up(chance, counts);
	clock_search_free(search);
	free(counts);
	free(moved.all);
	free(moved.replies);
	free(moved.trains);
}
