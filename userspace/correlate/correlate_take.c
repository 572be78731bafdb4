// SPDX-License-Identifier: GPL-2.0-only
/* What is kept of a capture: its stalls, and what it says of each slow reply. */
#include <stdlib.h>
#include <string.h>

#include "base/say.h"
#include "correlate/blame.h"
#include "correlate/correlate.h"

/* what a lost packet adds to is counted by then */
#define LOSS_COUNTED_NS	NSEC_PER_MSEC

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

/* the time in which stalls were recorded, by the wall clock of the nodes */
static void take_time(struct correlation *correlation, const struct model *model,
		      const struct watched *watched)
{
	__u64 from_ns = model_realtime_ns(model, watched->from_ns);
	__u64 to_ns = model_realtime_ns(model, watched->to_ns);

	if (!correlation->to_ns || from_ns < correlation->from_ns)
		correlation->from_ns = from_ns;
	if (to_ns > correlation->to_ns)
		correlation->to_ns = to_ns;
}

static void find_gone(struct witness *witness, const struct model *model,
		      const struct rx_cpus *takers)
{
	struct cpuset gone = { 0 };

	for (__u32 cpu = 0; model->config.online && cpu < takers->cpus.nwords * 64; cpu++)
		if (cpuset_has(&takers->cpus, cpu) && cpuset_has(&takers->took, cpu) &&
		    !cpulist_has(model->config.online, cpu, cpu))
			cpuset_add(&gone, cpu);
	cpuset_print(witness->gone, sizeof(witness->gone), &gone);
	cpuset_free(&gone);
}

static void hear(struct correlation *correlation, struct correlate_node *node,
		 const struct collection *collection, const struct rx_cpus *takers)
{
	struct witness witness = { .damaged = collection->model.received.damaged };

	find_gone(&witness, &collection->model, takers);
	alibi_open(&witness.book, &collection->model, &takers->filter);
	take_time(correlation, &collection->model, &witness.book.watched);
	witness.clock_error_ns = correlate_error_ns(correlation);
	for (size_t i = 0; i < correlation->slows.count; i++)
		node_verdict_hear(&node->says[i], &witness, &correlation->slows.all[i],
				  &correlation->clock);
	alibi_close(&witness.book);
}

/* a moment of the log, by the kernel's clock */
static __u64 kernel_ns(const struct correlation *correlation, const struct model *model,
		       __u64 log_ns)
{
	return model_kernel_ns(model, log_clock_node_ns(&correlation->clock, log_ns));
}

/* can it have anything to do with the log, whose clock may be off? */
static bool is_near(const struct taken *taken, const struct tio_record *rec)
{
	return rec->end_ns + CLOCK_FIT_REACH_NS >= taken->from_ns &&
	       rec->end_ns <= taken->to_ns + rec->max_ns + CLOCK_FIT_REACH_NS;
}

static void take_suspects(struct correlation *correlation, unsigned int node,
			  const struct collection *collection, struct entry *const *entries,
			  size_t count, const struct filter *filter,
			  const struct taken *taken)
{
	for (size_t i = 0; i < count; i++)
		if (filter_wants_cpu(filter, entries[i]->rec.cpu) &&
		    is_near(taken, &entries[i]->rec))
			candidates_add(&correlation->suspects, node, collection,
				       correlation->causes, entries[i]);
}

/* may something have been lost? */
static bool may_be_lost(const struct slow *slow)
{
	__u64 excess_ns = slow_excess_ns(slow);

	return slow->reply->lost ||
	       (slow->reply->kind == REPLY_REQUEST &&
		(resend_second(excess_ns, true) || resend_second(excess_ns, false)));
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
			net_drops_hear(&correlation->losses[i], model, cpus,
				       kernel_ns(correlation, model, reply->sent_ns),
				       kernel_ns(correlation, model, behind_ns));
	}
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
	struct rx_cpus takers;
	unsigned int number;
	const struct taken taken = {
		.dev = correlation->dev,
		.by_tasks = slows->requests,
		.from_ns = kernel_ns(correlation, model, slows->from_ns),
		.to_ns = kernel_ns(correlation, model, slows->to_ns),
	};
	int ret = rx_cpus_find(&takers, collection, filter, &taken);

	if (ret) {
		rx_cpus_free(&takers);
		return ret;
	}
	number = node_of(correlation, model);
	node = &correlation->nodes[number];
	correlation->syn_linear = correlation->syn_linear || model->counted.syn_linear;
	free(node->how);
	node->how = takers.how;
	takers.how = NULL;
	take_suspects(correlation, number, collection, model->entries, model->nentries,
		      &takers.filter, &taken);
	take_suspects(correlation, number, collection, model->dropped, model->ndropped,
		      &takers.filter, &taken);
	hear(correlation, node, collection, &takers);
	count_losses(correlation, model, &takers.took);
	rx_cpus_free(&takers);
	return EXIT_DONE;
}
