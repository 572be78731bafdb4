// SPDX-License-Identifier: GPL-2.0-only
/*
 * A stall that covers a slow reply's time is to blame. That it is not another one by chance
 * is what the moved logs (chance.c) are for. Where no stall covers it, captures are asked
 * whether there can have been one. What they answer rests on the clocks, so where these are
 * not known but by the slow replies themselves, nothing is excluded.
 */
#include <json-c/linkhash.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/say.h"
#include "correlate/correlate.h"

/* why nobody can tell, and what would tell */
struct doubt {
	const char *why, *remedy;
};

static const struct doubt coarse = {
	"the log's stamps are too coarse",
	"write a log with milliseconds",
};

static const struct doubt ambiguous = {
	"the clocks differ; slow replies and stalls go together by several offsets",
	"give --offset; for a log whose times are those of the end, --time-is end",
};

static const struct doubt fitted = {
	"the clocks differ; only slow replies themselves tell by how much",
	"compare the clocks and give --offset",
};

static const struct doubt doubted = {
	"--offset may be wrong; slow replies go with stalls by another offset",
	"compare the clocks again",
};

static const struct doubt unknown = {
	"nobody says that the log's clock is the captured node's",
	"compare the clocks and give --offset, which is 0 where they are the same",
};

static const struct doubt checked = {
	"slow replies alone tell that the clocks agree",
	"compare the clocks and give --offset, which is 0 where they are the same",
};

static const struct doubt zone = {
	"the log's times name no zone",
	"name it, as in TZ=Europe/Berlin irqoff correlate ..., which is TZ=UTC for UTC",
};

static const struct doubt imprecise = {
	"the offset may be wrong by more than the delay",
	"compare the clocks, and give --offset 840ms+-1ms with the error that is left",
};

static const struct doubt partly = {
	"stalls cover only a part of the delay",
	"look for another cause of the rest: the other end, the network",
};

static const struct doubt no_latency = {
	"the log has no latency of the request",
	"write a log that says how long each request took or waited",
};

/* stalls that cover no more of a delay are not told of */
#define PART	4

/* how far a log's stamps may be off from the node's wall clock */
__u64 correlate_error_ns(const struct correlation *correlation)
{
	return correlation->replies->grain_ns + correlation->clock.error_ns;
}

static void doubt(struct finding *finding, const struct correlate_node *node,
		  const struct doubt *why)
{
	finding->verdict = CORRELATE_CANNOT_TELL;
	finding->node = node;
	finding->why = why->why;
	finding->remedy = why->remedy;
}

/* does what is known of the clocks allow to exclude anything? */
static bool clocks_allow(const struct correlation *correlation, const struct slow *slow,
			 struct finding *finding)
{
	const struct log_clock *clock = &correlation->clock;

	if (clock->doubted || clock->how == LOG_CLOCK_FITTED)
		doubt(finding, NULL, clock->doubted ? &doubted : &fitted);
	else if (!log_clock_stands(clock))
		doubt(finding, NULL, clock->how == LOG_CLOCK_CHECKED ? &checked : &unknown);
	else if (correlation->zone_unknown)
		doubt(finding, NULL, &zone);
	else if (!slow->reply->lost && correlate_error_ns(correlation) > slow_excess_ns(slow))
		doubt(finding, NULL, &imprecise);
	else
		return true;
	return false;
}

static void tell_part(struct finding *finding, const struct blame *blame)
{
	doubt(finding, NULL, &partly);
	finding->suspect = blame->suspect;
	finding->covered_ns = blame->covered_ns;
}

/* no stall covers it: can there have been one? */
static void ask_nodes(struct correlation *correlation, size_t i, const struct blame *blame)
{
	const struct slow *slow = &correlation->slows.all[i];
	struct finding *finding = &correlation->findings[i];

	if (blame->suspect && blame->covered_ns > slow_excess_ns(slow) / PART) {
		tell_part(finding, blame);
		return;
	}
	/* where captures are of another time, or do not tell, no clock helps */
	for (unsigned int k = 0; k < correlation->nnodes; k++) {
		const struct node_verdict *says = &correlation->nodes[k].says[i];
		const struct doubt why = { says->why, says->remedy };

		if (says->verdict == ALIBI_NO_STALL)
			continue;
		doubt(finding, &correlation->nodes[k], &why);
		if (correlation->clock.doubted || correlation->clock.how == LOG_CLOCK_FITTED)
			clocks_allow(correlation, slow, finding);
		return;
	}
	if (!clocks_allow(correlation, slow, finding))
		return;
	finding->verdict = CORRELATE_NO_STALL;
	for (unsigned int k = 0; k < correlation->nnodes; k++) {
		finding->node = &correlation->nodes[k];
		if (correlation->nodes[k].says[i].over_ns > finding->over_ns)
			finding->over_ns = correlation->nodes[k].says[i].over_ns;
	}
}

/* a counter of dropped packets that grew proves a loss, if no other packet was meant */
static void tell_blame(struct finding *finding, const struct blame *blame,
		       const struct net_drops *losses)
{
	finding->verdict = blame->loss ? CORRELATE_DROPPED : CORRELATE_STALL;
	finding->suspect = blame->suspect;
	finding->covered_ns = blame->covered_ns;
	finding->together = blame->together;
	finding->resent_s = blame->resent_s;
	finding->probable = blame->probable;
	if (!blame->loss)
		return;
	finding->losses = losses;
	finding->probable = !losses->backlog.value;
}

static void tell_lost_syn(struct finding *finding, const struct net_drops *losses,
			  unsigned int second)
{
	finding->verdict = CORRELATE_LOST_SYN;
	finding->losses = losses;
	finding->resent_s = second;
	finding->probable = !losses->net[NET_SYN_RETRANS].value;
}

static void judge(struct correlation *correlation, size_t i, struct blaming *blaming)
{
	const struct slow *slow = &correlation->slows.all[i];
	const struct net_drops *losses = &correlation->losses[i];
	struct finding *finding = &correlation->findings[i];
	bool ambiguous_clock = correlation->clock.how == LOG_CLOCK_AMBIGUOUS;
	unsigned int second = blame_resent(blaming, slow);
	struct blame blame = { 0 };

	if (slow->reply->untold)
		doubt(finding, NULL, &no_latency);
	else if (correlation->replies->grain_ns > correlation->slows.over_ns / 2)
		doubt(finding, NULL, &coarse);
	else if (!ambiguous_clock && blame_find(&blame, blaming, slow))
		tell_blame(finding, &blame, losses);
	else if (second)
		tell_lost_syn(finding, losses, second);
	else if (ambiguous_clock)
		doubt(finding, NULL, &ambiguous);
	else if (slow->reply->lost && slow->reply->kind == REPLY_REQUEST)
		doubt(finding, NULL, &no_latency);
	else
		ask_nodes(correlation, i, &blame);
}

static void find_clock(struct correlation *correlation)
{
	const struct slows *slows = &correlation->slows;
	struct clock_search *search;
	struct clock_fit fit;

	if (correlation->live)
		return;
	search = clock_search(&correlation->suspects);
	clock_search_fit(search, &fit, slows->trains, slows->ntrains, slows->base_known);
	clock_search_free(search);
	log_clock_decide(&correlation->clock, &fit, slows->from_ns, slows->to_ns);
}

/* what was counted is of the wrong time where the clock was fitted afterwards */
static void check_losses(struct correlation *correlation)
{
	const struct slows *slows = &correlation->slows;

	if (!correlation->losses)
		correlation->losses = alloc(slows->count, sizeof(*correlation->losses));
	else if (correlation->clock.how == LOG_CLOCK_FITTED || correlation->clock.doubted)
		memset(correlation->losses, 0, slows->count * sizeof(*correlation->losses));
}

static void judge_all(struct correlation *correlation, struct blaming *blaming)
{
	size_t count = correlation->slows.count;

	correlation->findings = alloc(count, sizeof(*correlation->findings));
	for (size_t i = 0; i < count; i++) {
		struct finding *finding = &correlation->findings[i];

		judge(correlation, i, blaming);
		correlation->counts[finding->verdict]++;
		if (finding->why)
			finding->reason = reasons_add(&correlation->reasons, finding->why,
						      finding->remedy);
	}
}

/**
 * correlate_finish() - work out the verdicts, once all captures are there
 * @correlation: ends with correlate_free()
 */
void correlate_finish(struct correlation *correlation)
{
	const __s64 offset_ns = correlation->clock.offset_ns;
	struct blaming blaming = {
		.suspects = &correlation->suspects,
		.clock = &correlation->clock,
		.over_ns = correlation->slows.over_ns,
		.syn_linear = correlation->syn_linear,
	};

	candidates_sort(&correlation->suspects, correlation->nnodes);
	find_clock(correlation);
	check_losses(correlation);
	judge_all(correlation, &blaming);
	if (correlate_explained(correlation) && !correlation->live)
		chance_find(&correlation->chance, &correlation->slows, &blaming,
			    correlation->from_ns + offset_ns, correlation->to_ns + offset_ns);
	cover_room_free(&blaming.room);
	delays_find(correlation);
}

/* slow replies that stalls explain */
size_t correlate_explained(const struct correlation *correlation)
{
	return correlation->counts[CORRELATE_STALL] + correlation->counts[CORRELATE_DROPPED];
}

/* would chance explain as many? */
bool correlate_by_chance(const struct correlation *correlation)
{
	return correlation->chance.known &&
	       correlate_explained(correlation) <= correlation->chance.most;
}

/* for programs */
const char *correlate_word(enum correlate_verdict verdict)
{
	static const char * const words[CORRELATE_VERDICTS] = {
		[CORRELATE_STALL] = "stall",
		[CORRELATE_DROPPED] = "dropped-in-stall",
		[CORRELATE_LOST_SYN] = "lost-syn",
		[CORRELATE_NO_STALL] = "no-stall",
		[CORRELATE_CANNOT_TELL] = "cannot-tell",
	};

	return words[verdict];
}

void correlate_free(struct correlation *correlation)
{
	for (unsigned int k = 0; k < correlation->nnodes; k++) {
		struct correlate_node *node = &correlation->nodes[k];

		for (size_t i = 0; i < correlation->slows.count; i++)
			node_verdict_free(&node->says[i]);
		free(node->says);
		free(node->how);
	}
	free(correlation->nodes);
	free(correlation->findings);
	free(correlation->losses);
	free(correlation->delays);
	reasons_free(&correlation->reasons);
	candidates_free(&correlation->suspects);
	slows_free(&correlation->slows);
}

#define FIRST_ROOM	64

/**
 * reasons_add() - count a reason
 * @reasons: zeroed at first, for reasons_free()
 * @why: the reason, which stays
 * @remedy: what would tell, which stays
 *
 * Return: its index.
 */
size_t reasons_add(struct reasons *reasons, const char *why, const char *remedy)
{
	void *index;

	if (!reasons->by_why)
		reasons->by_why = or_exit(lh_kchar_table_new(FIRST_ROOM, NULL));
	if (!lh_table_lookup_ex(reasons->by_why, why, &index)) {
		index = (void *)(uintptr_t)reasons->count;
		if (lh_table_insert(reasons->by_why, why, index))
			or_exit(NULL);
		reasons->all = grow(reasons->all, reasons->count, sizeof(*reasons->all));
		reasons->all[reasons->count++] = (struct reason){ .why = why, .remedy = remedy };
	}
	reasons->all[(uintptr_t)index].count++;
	return (uintptr_t)index;
}

void reasons_free(struct reasons *reasons)
{
	if (reasons->by_why)
		lh_table_free(reasons->by_why);
	free(reasons->all);
	*reasons = (struct reasons){ 0 };
}

/* The culprits, by the delay that they caused. */

static bool same_text(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

static struct delay *delay_of(struct correlation *correlation, const struct candidate *suspect)
{
	struct delay *delay;

	for (size_t i = 0; i < correlation->ndelays; i++) {
		const struct candidate *other = correlation->delays[i].suspect;

		if (other->node == suspect->node && other->class == suspect->class &&
		    same_text(other->culprit, suspect->culprit) &&
		    same_text(other->lock, suspect->lock))
			return &correlation->delays[i];
	}
	correlation->delays = grow(correlation->delays, correlation->ndelays, sizeof(*delay));
	delay = &correlation->delays[correlation->ndelays++];
	*delay = (struct delay){ .suspect = suspect };
	return delay;
}

static int by_delay(const void *a, const void *b)
{
	const struct delay *left = a, *right = b;

	if (left->all_ns != right->all_ns)
		return left->all_ns < right->all_ns ? 1 : -1;
	return (left->replies < right->replies) - (left->replies > right->replies);
}

/**
 * delays_find() - sum up what each culprit did
 * @correlation: has verdicts
 *
 * A lost reply counts, and has no delay.
 */
void delays_find(struct correlation *correlation)
{
	for (size_t i = 0; i < correlation->slows.count; i++) {
		const struct finding *finding = &correlation->findings[i];
		__u64 excess_ns = slow_excess_ns(&correlation->slows.all[i]);
		struct delay *delay;

		if (finding->verdict != CORRELATE_STALL && finding->verdict != CORRELATE_DROPPED)
			continue;
		delay = delay_of(correlation, finding->suspect);
		delay->replies++;
		delay->all_ns += excess_ns;
		if (excess_ns > delay->longest_ns)
			delay->longest_ns = excess_ns;
	}
	if (correlation->ndelays)
		qsort(correlation->delays, correlation->ndelays, sizeof(*correlation->delays),
		      by_delay);
}
