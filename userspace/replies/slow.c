// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "base/say.h"
#include "base/units.h"
#include "replies/slow.h"

/* replies of one train come one behind the other, as fast as they are worked off and read */
#define TRAIN_NS	(2 * NSEC_PER_MSEC)

/* of 100 replies that are not slow, so many say what is usual */
#define USUAL		95

/* what a stall may leave of a delay: this, and a tenth for a backlog to be worked off */
#define LEFT_NS		NSEC_PER_MSEC
#define LEFT_SHARE	10

static __u64 latency_ns(const struct reply *reply)
{
	return reply->came_ns - reply->sent_ns;
}

static bool is_slow(const struct reply *reply, __u64 over_ns)
{
	return reply->lost || latency_ns(reply) >= over_ns;
}

/* what a target needs as a rule, and how much more than that is still usual */
struct usual {
	__u64 base_ns;
	__u64 spread_ns;
};

static int by_target(const void *a, const void *b)
{
	const struct reply *const *left = a, *const *right = b;
	__u64 left_ns = latency_ns(*left), right_ns = latency_ns(*right);

	if ((*left)->target != (*right)->target)
		return (*left)->target < (*right)->target ? -1 : 1;
	return (left_ns > right_ns) - (left_ns < right_ns);
}

static struct usual usual_of(const struct reply **quick, size_t count)
{
	__u64 base_ns = latency_ns(quick[count / 2]);

	return (struct usual){
		.base_ns = base_ns,
		.spread_ns = latency_ns(quick[(count - 1) * USUAL / 100]) - base_ns,
	};
}

/* of each target what was not slow; zeroes where all was */
static void find_usual(struct usual *usual, const struct replies *replies, __u64 over_ns)
{
	const struct reply **quick = alloc(replies->count, sizeof(*quick));
	size_t count = 0, first = 0;

	for (size_t i = 0; i < replies->count; i++)
		if (!is_slow(&replies->all[i], over_ns))
			quick[count++] = &replies->all[i];
	if (count)
		qsort(quick, count, sizeof(*quick), by_target);
	for (size_t i = 1; i <= count; i++) {
		if (i < count && quick[i]->target == quick[first]->target)
			continue;
		usual[quick[first]->target] = usual_of(&quick[first], i - first);
		first = i;
	}
	free(quick);
}

static __u64 moment_of(const struct reply *reply)
{
	return reply->lost ? reply->sent_ns : reply->came_ns;
}

static int by_moment(const void *a, const void *b)
{
	const struct slow *left = a, *right = b;
	__u64 left_ns = moment_of(left->reply), right_ns = moment_of(right->reply);

	if (left_ns != right_ns)
		return left_ns < right_ns ? -1 : 1;
	return (left->reply->sent_ns > right->reply->sent_ns) -
	       (left->reply->sent_ns < right->reply->sent_ns);
}

static void find_trains(struct slows *slows)
{
	__u64 last_ns = 0;

	for (size_t i = 0; i < slows->count; i++) {
		struct slow *slow = &slows->all[i];
		struct train *train;

		if (slow->reply->lost)
			continue;
		if (!slows->ntrains || slow->reply->came_ns > last_ns + TRAIN_NS) {
			slows->trains = grow(slows->trains, slows->ntrains,
					     sizeof(*slows->trains));
			slows->trains[slows->ntrains++] = (struct train){
				.came_ns = slow->reply->came_ns,
				.base_ns = slow->base_ns,
			};
		}
		slow->train = slows->ntrains - 1;
		train = &slows->trains[slow->train];
		train->count++;
		if (slow_need_ns(slow) > train->need_ns)
			train->need_ns = slow_need_ns(slow);
		last_ns = slow->reply->came_ns;
	}
}

static void find_span(struct slows *slows, const struct replies *replies)
{
	slows->from_ns = ~0ULL;
	for (size_t i = 0; i < replies->count; i++) {
		const struct reply *reply = &replies->all[i];

		if (reply->sent_ns < slows->from_ns)
			slows->from_ns = reply->sent_ns;
		if (moment_of(reply) > slows->to_ns)
			slows->to_ns = moment_of(reply);
	}
	if (!replies->count)
		slows->from_ns = 0;
}

/**
 * slows_find() - which replies were slow
 * @slows: the result, for slows_free()
 * @replies: the replies, which stay as long
 * @over_ns: those that took as long as that are slow, and those that were lost
 */
void slows_find(struct slows *slows, const struct replies *replies, __u64 over_ns)
{
	struct usual *usual = alloc(replies->ntargets, sizeof(*usual));

	*slows = (struct slows){ .over_ns = over_ns, .base_known = true };
	find_usual(usual, replies, over_ns);
	for (unsigned int i = 0; i < replies->ntargets; i++)
		slows->base_known = slows->base_known && usual[i].base_ns;
	for (size_t i = 0; i < replies->count; i++) {
		const struct reply *reply = &replies->all[i];

		slows->requests = slows->requests || reply->kind == REPLY_REQUEST;
		slows->packets = slows->packets || reply->kind != REPLY_REQUEST;
		if (!is_slow(reply, over_ns))
			continue;
		slows->all = grow(slows->all, slows->count, sizeof(*slows->all));
		slows->all[slows->count++] = (struct slow){
			.reply = reply,
			.base_ns = usual[reply->target].base_ns,
			.spread_ns = usual[reply->target].spread_ns,
		};
	}
	free(usual);
	if (slows->count)
		qsort(slows->all, slows->count, sizeof(*slows->all), by_moment);
	find_trains(slows);
	find_span(slows, replies);
}

/* forgets the slow replies before this one, which were told already */
void slows_keep(struct slows *slows, const struct reply *from)
{
	size_t kept = 0;

	for (size_t i = 0; i < slows->count; i++)
		if (slows->all[i].reply >= from)
			slows->all[kept++] = slows->all[i];
	slows->count = kept;
}

/* by how much a reply was later than usual */
__u64 slow_excess_ns(const struct slow *slow)
{
	__u64 took_ns = slow->reply->lost ? 0 : latency_ns(slow->reply);

	return took_ns > slow->base_ns ? took_ns - slow->base_ns : 0;
}

/**
 * slow_need_ns() - how much of a reply's time stalls have to cover to explain it
 * @slow: the reply
 *
 * Return: the delay less what is usual anyway, but half of the delay at least.
 */
__u64 slow_need_ns(const struct slow *slow)
{
	__u64 excess_ns = slow_excess_ns(slow);
	__u64 left_ns = LEFT_NS + slow->spread_ns + excess_ns / LEFT_SHARE;

	if (left_ns > excess_ns / 2)
		left_ns = excess_ns / 2;
	return excess_ns - left_ns;
}

void slows_free(struct slows *slows)
{
	free(slows->all);
	free(slows->trains);
	*slows = (struct slows){ 0 };
}
