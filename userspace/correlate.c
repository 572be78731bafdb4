// SPDX-License-Identifier: GPL-2.0-only
/*
 * A stall that covers a slow reply's time is to blame. That it is not another one by chance
 * is what the moved logs (chance.c) are for. Where no stall covers it, captures are asked
 * whether there can have been one. What they answer rests on the clocks, so where these are
 * not known but by the slow replies themselves, nothing is excluded.
 */
#include <stdlib.h>
#include <string.h>

#include "correlate.h"
#include "resend.h"
#include "say.h"

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
	"give --offset",
};

static const struct doubt fitted = {
	"the clocks differ; only slow replies themselves tell by how much",
	"give --offset",
};

static const struct doubt unkept = {
	"the captured node's clock is not kept right (NTP); the log may be of another time",
	"give --offset, --offset 0 if the log was made on that node",
};

static const struct doubt imprecise = {
	"the captured node's clock may be wrong by more than the delay",
	"give --offset, --offset 0 if the log was made on that node",
};

static const struct doubt partly = {
	"stalls cover only a part of the delay",
	"look for another cause of the rest: the other end, the network",
};

static const struct doubt beside = {
	"a stall was near, and does not cover the delay",
	"irqoff list shows it",
};

static const struct doubt no_capture = { "there is no capture", "give one (-i)" };

/* what a lost packet adds to is counted by then */
#define LOSS_COUNTED_NS	NSEC_PER_MSEC

/* stalls that cover less of a slow reply's time had no part in it */
#define PART	10

static bool is_node(const struct machine *a, const struct machine *b)
{
	return !strcmp(a->host, b->host) && !strcmp(a->boot_id, b->boot_id);
}

static unsigned int node_of(struct correlation *correlation, const struct model *model)
{
	struct correlate_node *node;
	unsigned int i;

	for (i = 0; i < correlation->nnodes; i++)
		if (is_node(&correlation->nodes[i].machine, &model->machine))
			return i;
	correlation->nodes = grow(correlation->nodes, i, sizeof(*correlation->nodes));
	node = &correlation->nodes[i];
	*node = (struct correlate_node){
		.machine = model->machine,
		.says = alloc(correlation->slows.count, sizeof(*node->says)),
	};
	correlation->nnodes++;
	return i;
}

/* how far a log's stamps may be from the node's wall clock; false: nobody knows */
static bool clock_error(const struct correlation *correlation, const struct correlate_node *node,
			__u64 *error_ns)
{
	const struct log_clock *clock = &correlation->clock;

	*error_ns = correlation->replies->grain_ns;
	if (clock->how == LOG_CLOCK_SAME || clock->how == LOG_CLOCK_GIVEN) {
		*error_ns += clock->error_ns;
		return true;
	}
	*error_ns += node->clock_error_ns;
	return node->clock_known;
}

static void hear(struct correlation *correlation, struct correlate_node *node,
		 const struct collection *collection, const struct filter *filter)
{
	struct witness witness = {
		.model = &collection->model, .filter = filter, .damaged = collection->damaged,
	};

	clock_error(correlation, node, &witness.clock_error_ns);
	for (size_t i = 0; i < correlation->slows.count; i++)
		testimony_hear(&node->says[i], &witness, &correlation->slows.all[i],
			       &correlation->clock);
}

static void take_suspects(struct correlation *correlation, unsigned int node,
			  const struct model *model, struct entry *const *entries, size_t count,
			  const struct filter *filter)
{
	for (size_t i = 0; i < count; i++)
		if (filter_wants_cpu(filter, entries[i]->rec.cpu))
			suspects_add(&correlation->suspects, node, model, entries[i]);
}

/* a moment of the log, by the kernel's clock */
static __u64 kernel_ns(const struct correlation *correlation, const struct model *model,
		       __u64 log_ns)
{
	__u64 boot_ns = model->config.realtime_ns - model->config.now_ns;
	__u64 node_ns = log_clock_node_ns(&correlation->clock, log_ns);

	return node_ns > boot_ns ? node_ns - boot_ns : 0;
}

/* may something have been lost? */
static bool may_be_lost(const struct slow *slow)
{
	return slow->reply->lost ||
	       (slow->reply->kind == REPLY_REQUEST && resend_second(slow_excess_ns(slow), true));
}

static void count_losses(struct correlation *correlation, const struct model *model,
			 const struct cpuset *cpus)
{
	const struct slows *slows = &correlation->slows;

	if (!correlation->losses)
		correlation->losses = alloc(slows->count, sizeof(*correlation->losses));
	for (size_t i = 0; i < slows->count; i++) {
		const struct reply *reply = slows->all[i].reply;
		__u64 behind_ns = reply->lost ? reply->sent_ns + LOSS_COUNTED_NS : reply->came_ns;

		if (may_be_lost(&slows->all[i]))
			losses_add(&correlation->losses[i], model, cpus,
				   kernel_ns(correlation, model, reply->sent_ns),
				   kernel_ns(correlation, model, behind_ns));
	}
}

static void take_clock(struct correlate_node *node, const struct model *model)
{
	if (model->clock_known && model->clock_error_ns > node->clock_error_ns)
		node->clock_error_ns = model->clock_error_ns;
	node->clock_known = node->clock_known || model->clock_known;
}

/**
 * correlate_take() - one more capture, or the module
 * @correlation: replies, slow replies and clock are set
 * @collection: all that is there
 * @filter: names the CPUs that took the packets, or none
 *
 * Return: an exit status.
 */
int correlate_take(struct correlation *correlation, const struct collection *collection,
		   const struct filter *filter)
{
	const struct slows *slows = &correlation->slows;
	const struct model *model = &collection->model;
	struct correlate_node *node;
	struct takers takers;
	unsigned int number;
	int ret = takers_find(&takers, collection, filter, correlation->dev,
			      kernel_ns(correlation, model, slows->from_ns),
			      kernel_ns(correlation, model, slows->to_ns));

	if (ret)
		return ret;
	number = node_of(correlation, model);
	node = &correlation->nodes[number];
	take_clock(node, model);
	correlation->syn_linear = correlation->syn_linear || model->counted.syn_linear;
	free(node->how);
	node->how = takers.how;
	takers.how = NULL;
	take_suspects(correlation, number, model, model->entries, model->nentries, &takers.filter);
	take_suspects(correlation, number, model, model->dropped, model->ndropped, &takers.filter);
	hear(correlation, node, collection, &takers.filter);
	count_losses(correlation, model, &takers.cpus);
	takers_free(&takers);
	return EXIT_DONE;
}

static void doubt(struct finding *finding, const struct correlate_node *node,
		  const struct doubt *why)
{
	finding->verdict = CORRELATE_CANNOT_TELL;
	finding->node = node;
	finding->why = why->why;
	finding->remedy = why->remedy;
}

/* does the node's clock allow to exclude anything? */
static bool clock_allows(const struct correlation *correlation,
			 const struct correlate_node *node, const struct slow *slow,
			 struct finding *finding)
{
	__u64 error_ns;

	if (!log_clock_stands(&correlation->clock))
		doubt(finding, node, &fitted);
	else if (!clock_error(correlation, node, &error_ns))
		doubt(finding, node, &unkept);
	else if (!slow->reply->lost && error_ns > slow_excess_ns(slow))
		doubt(finding, node, &imprecise);
	else
		return true;
	return false;
}

static void tell_part(struct finding *finding, const struct correlate_node *node,
		      const struct blame *blame)
{
	doubt(finding, node, &partly);
	finding->suspect = blame->suspect;
	finding->covered_ns = blame->covered_ns;
}

/* no stall covers it: can there have been one? */
static void ask_nodes(struct correlation *correlation, size_t i, const struct blame *blame)
{
	const struct slow *slow = &correlation->slows.all[i];
	struct finding *finding = &correlation->findings[i];

	finding->verdict = CORRELATE_NO_STALL;
	for (unsigned int k = 0; k < correlation->nnodes; k++) {
		const struct correlate_node *node = &correlation->nodes[k];
		const struct testimony *says = &node->says[i];

		if (says->verdict == ALIBI_STALLED && blame->suspect &&
		    blame->covered_ns > slow_excess_ns(slow) / PART) {
			tell_part(finding, node, blame);
			return;
		}
		if (!clock_allows(correlation, node, slow, finding))
			return;
		if (says->verdict != ALIBI_NO_STALL) {
			const struct doubt why = { says->why, says->remedy };

			doubt(finding, node, says->why ? &why : &beside);
			return;
		}
		finding->node = node;
		if (says->over_ns > finding->over_ns)
			finding->over_ns = says->over_ns;
	}
	if (!correlation->nnodes)
		doubt(finding, NULL, &no_capture);
}

/* a counter that grew proves it, if no other packet was meant */
static void tell_loss(struct finding *finding, const struct blame *blame,
		      const struct losses *losses, unsigned int resent_s)
{
	finding->verdict = CORRELATE_DROPPED;
	finding->suspect = blame->suspect;
	finding->covered_ns = blame->covered_ns;
	finding->losses = losses;
	finding->resent_s = resent_s;
	finding->probable = !losses->backlog.value;
}

/* a connect or request that took as long as a SYN that was lost */
static bool judge_resent(struct correlation *correlation, size_t i, struct cover_room *room)
{
	const struct slow *slow = &correlation->slows.all[i];
	struct finding *finding = &correlation->findings[i];
	const struct losses *losses = &correlation->losses[i];
	unsigned int second = resend_second(slow_excess_ns(slow), correlation->syn_linear);
	struct blame blame;

	if (slow->reply->kind != REPLY_REQUEST || !second)
		return false;
	if (log_clock_stands(&correlation->clock) &&
	    blame_loss(&blame, &correlation->suspects, slow, &correlation->clock,
		       correlation->slows.over_ns, room)) {
		tell_loss(finding, &blame, losses, second);
	} else {
		finding->verdict = CORRELATE_LOST_SYN;
		finding->losses = losses;
		finding->resent_s = second;
		finding->probable = !losses->net[NET_SYN_RETRANS].value;
	}
	return true;
}

static void judge(struct correlation *correlation, size_t i, struct cover_room *room)
{
	const struct slow *slow = &correlation->slows.all[i];
	const struct suspects *suspects = &correlation->suspects;
	const struct log_clock *clock = &correlation->clock;
	struct finding *finding = &correlation->findings[i];
	struct blame blame = { 0 };

	if (correlation->replies->grain_ns > correlation->slows.over_ns / 2) {
		if (!judge_resent(correlation, i, room))
			doubt(finding, NULL, &coarse);
	} else if (clock->how == LOG_CLOCK_AMBIGUOUS) {
		if (!judge_resent(correlation, i, room))
			doubt(finding, NULL, &ambiguous);
	} else if (slow->reply->lost) {
		if (blame_loss(&blame, suspects, slow, clock, correlation->slows.over_ns, room))
			tell_loss(finding, &blame, &correlation->losses[i], 0);
		else
			ask_nodes(correlation, i, &blame);
	} else if (blame_wait(&blame, suspects, slow, clock, room)) {
		finding->verdict = CORRELATE_STALL;
		finding->suspect = blame.suspect;
		finding->covered_ns = blame.covered_ns;
		finding->together = blame.together;
	} else if (!judge_resent(correlation, i, room)) {
		ask_nodes(correlation, i, &blame);
	}
}

static void find_clock(struct correlation *correlation)
{
	const struct slows *slows = &correlation->slows;
	struct clock_search *search = clock_search(&correlation->suspects);
	struct clock_fit fit;

	clock_search_fit(search, &fit, slows->trains, slows->ntrains, slows->base_known);
	clock_search_free(search);
	log_clock_decide(&correlation->clock, &fit);
}

/**
 * correlate_finish() - work out the verdicts, once all captures are there
 * @correlation: ends with correlate_free()
 */
void correlate_finish(struct correlation *correlation)
{
	const struct slows *slows = &correlation->slows;
	struct cover_room room = { 0 };

	suspects_sort(&correlation->suspects, correlation->nnodes);
	if (!correlation->losses)
		correlation->losses = alloc(slows->count, sizeof(*correlation->losses));
	find_clock(correlation);
	correlation->findings = alloc(slows->count, sizeof(*correlation->findings));
	for (size_t i = 0; i < slows->count; i++) {
		judge(correlation, i, &room);
		correlation->counts[correlation->findings[i].verdict]++;
	}
	cover_room_free(&room);
	if (correlate_explained(correlation))
		chance_find(&correlation->chance, slows, &correlation->suspects,
			    &correlation->clock);
	delays_find(correlation);
}

/* slow replies that stalls explain */
size_t correlate_explained(const struct correlation *correlation)
{
	return correlation->counts[CORRELATE_STALL] + correlation->counts[CORRELATE_DROPPED];
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
			testimony_free(&node->says[i]);
		free(node->says);
		free(node->how);
	}
	free(correlation->nodes);
	free(correlation->findings);
	free(correlation->losses);
	free(correlation->delays);
	suspects_free(&correlation->suspects);
	slows_free(&correlation->slows);
}
