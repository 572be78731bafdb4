// SPDX-License-Identifier: GPL-2.0-only
/*
 * The log is moved against the stalls by a random time, around in a circle, a thousand times.
 * That keeps what makes chance likely: how many slow replies and stalls there are, how long,
 * and how they come in bursts. Where the clock was fitted, each of these logs has a fit of its
 * own, because a fit looks for what agrees.
 */
#include <stdlib.h>
#include <string.h>

#include "chance.h"
#include "say.h"

#define PERCENT_LOWER	95

/* the moved log */
struct moved {
	struct slow *all;
	struct reply *replies;
	struct train *trains;
};

/* a moment of the log, moved; what is moved beyond its end comes at its begin */
static __u64 move(const struct slows *slows, __u64 at_ns, __u64 by_ns)
{
	__u64 span_ns = slows->to_ns - slows->from_ns + 1;

	return slows->from_ns + (at_ns - slows->from_ns + by_ns) % span_ns;
}

static void move_replies(struct moved *moved, const struct slows *slows, __u64 by_ns)
{
	for (size_t i = 0; i < slows->count; i++) {
		struct reply *reply = &moved->replies[i];
		const struct slow *slow = &slows->all[i];
		__u64 took_ns = slow->reply->came_ns - slow->reply->sent_ns;

		*reply = *slow->reply;
		if (reply->lost) {
			reply->sent_ns = move(slows, reply->sent_ns, by_ns);
		} else {
			reply->came_ns = move(slows, reply->came_ns, by_ns);
			reply->sent_ns = reply->came_ns - took_ns;
		}
		moved->all[i] = *slow;
		moved->all[i].reply = reply;
	}
}

/* those that go around the end come first */
static void move_trains(struct moved *moved, const struct slows *slows, __u64 by_ns)
{
	size_t first = 0, n = slows->ntrains;

	while (first < n && move(slows, slows->trains[first].came_ns, by_ns) >=
			    slows->trains[first].came_ns)
		first++;
	for (size_t i = 0; i < n; i++) {
		moved->trains[i] = slows->trains[(first + i) % n];
		moved->trains[i].came_ns = move(slows, moved->trains[i].came_ns, by_ns);
	}
}

static size_t count_explained(const struct moved *moved, const struct slows *slows,
			      const struct suspects *suspects, const struct log_clock *clock,
			      struct cover_room *room)
{
	size_t explained = 0;

	for (size_t i = 0; i < slows->count; i++) {
		const struct slow *slow = &moved->all[i];
		struct blame blame;

		if (slow->reply->lost)
			explained += blame_loss(&blame, suspects, slow, clock, slows->over_ns,
						room);
		else
			explained += blame_wait(&blame, suspects, slow, clock, room);
	}
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
 * @suspects: the stalls, sorted
 * @clock: of the log
 */
void chance_find(struct chance *chance, const struct slows *slows,
		 const struct suspects *suspects, const struct log_clock *clock)
{
	struct moved moved = {
		.all = alloc(slows->count, sizeof(*moved.all)),
		.replies = alloc(slows->count, sizeof(*moved.replies)),
		.trains = alloc(slows->ntrains, sizeof(*moved.trains)),
	};
	size_t *counts = alloc(CHANCE_SHIFTS, sizeof(*counts));
	unsigned short seed[3] = { 0x330e, 0xabcd, 0x1234 };
	struct clock_search *search = clock_search(suspects);
	struct cover_room room = { 0 };

	for (size_t i = 0; i < CHANCE_SHIFTS; i++) {
		__u64 by_ns = erand48(seed) * (slows->to_ns - slows->from_ns);
		struct log_clock own = *clock;

		move_replies(&moved, slows, by_ns);
		if (clock->how == LOG_CLOCK_FITTED) {
			struct clock_fit fit;

			move_trains(&moved, slows, by_ns);
			clock_search_fit(search, &fit, moved.trains, slows->ntrains,
					 slows->base_known);
			if (fit.state != CLOCK_FIT_UNIQUE)
				continue;
			log_clock_take(&own, &fit);
		}
		counts[i] = count_explained(&moved, slows, suspects, &own, &room);
	}
	sum_up(chance, counts);
	clock_search_free(search);
	cover_room_free(&room);
	free(counts);
	free(moved.all);
	free(moved.replies);
	free(moved.trains);
}
