// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "base/lower_bound.h"
#include "base/say.h"
#include "correlate/candidates.h"
#include "model/labels.h"

static char *copy_or_null(const char *text)
{
	return text ? copy_text(text) : NULL;
}

/* the culprit of a victim is whoever it waited for */
static const struct entry *to_blame(const struct entry *entry)
{
	return entry->found.waits_for ? entry->found.waits_for : entry;
}

static char *behalf_of(const struct entry *entry)
{
	const struct tio_sample *sample = entry_naming_sample(entry);

	if (entry->found.runs_for == RUNS_FOR_NOBODY || !sample)
		return NULL;
	return copy_text(sample->comm);
}

/**
 * candidates_add() - one more stall
 * @suspects: the stalls
 * @node: number of its node
 * @collection: of its capture
 * @causes: that are known, which stay as long; or NULL
 * @entry: its record, judged
 */
void candidates_add(struct candidates *suspects, unsigned int node,
		    const struct collection *collection, const struct causes *causes,
		    const struct entry *entry)
{
	const struct entry *blamed = to_blame(entry);
	const struct cause *cause = causes ? cause_find(causes, collection->symbols, blamed) : NULL;
	struct candidate *suspect;

	suspects->all = grow(suspects->all, suspects->count, sizeof(*suspects->all));
	suspect = &suspects->all[suspects->count++];
	*suspect = (struct candidate){
		.node = node,
		.cpu = entry->rec.cpu,
		.soft = entry->rec.kind == TRACE_IRQOFF_KIND_SOFT,
		.end_ns = model_realtime_ns(&collection->model, entry->rec.end_ns),
		.min_ns = entry->rec.min_ns,
		.max_ns = entry->rec.max_ns,
		.class = entry->found.verdict.class,
		.culprit = copy_or_null(blamed->found.culprit),
		.lock = copy_or_null(blamed->found.lock),
		.busy_in = copy_or_null(blamed->found.busy_in),
		.behalf = behalf_of(blamed),
		.cause = cause ? cause->id : NULL,
	};
	print_record_name(suspect->name, &entry->rec);
	if (suspect->max_ns > suspects->longest_ns)
		suspects->longest_ns = suspect->max_ns;
}

static int by_node_and_end(const void *a, const void *b)
{
	const struct candidate *left = a, *right = b;

	if (left->node != right->node)
		return left->node < right->node ? -1 : 1;
	return (left->end_ns > right->end_ns) - (left->end_ns < right->end_ns);
}

/**
 * candidates_sort() - once all are there, which candidates_from() needs
 * @suspects: the stalls
 * @nnodes: the number of nodes
 */
void candidates_sort(struct candidates *suspects, unsigned int nnodes)
{
	size_t i = 0;

	if (suspects->count)
		qsort(suspects->all, suspects->count, sizeof(*suspects->all), by_node_and_end);
	suspects->nnodes = nnodes;
	suspects->firsts = alloc(nnodes + 1, sizeof(*suspects->firsts));
	for (unsigned int node = 0; node <= nnodes; node++) {
		while (i < suspects->count && suspects->all[i].node < node)
			i++;
		suspects->firsts[node] = i;
	}
}

/* the index of a node's first stall that ended then or later */
size_t candidates_from(const struct candidates *suspects, unsigned int node, __u64 end_ns)
{
	return lower_bound(suspects->firsts[node], suspects->firsts[node + 1], i,
			   suspects->all[i].end_ns < end_ns);
}

void candidates_free(struct candidates *suspects)
{
	for (size_t i = 0; i < suspects->count; i++) {
		free(suspects->all[i].culprit);
		free(suspects->all[i].lock);
		free(suspects->all[i].busy_in);
		free(suspects->all[i].behalf);
	}
	free(suspects->all);
	free(suspects->firsts);
	*suspects = (struct candidates){ 0 };
}
