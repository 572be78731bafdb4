// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "base/say.h"
#include "judge/stack_weights.h"
#include "judge/stacks.h"
#include "model/charge.h"

/* a place in the stacks, and what is added on the way there */
struct climb {
	struct stacks *stacks;
	struct branch *at;
	const struct entry *entry;
	__u64 ns;
};

static void count(struct climb *climb)
{
	climb->at->total_ns += climb->ns;
	if (climb->at->newest != climb->entry)
		climb->at->count++;
	climb->at->newest = climb->entry;
}

/* goes on to what the function at the place called */
static void step(struct climb *climb, const char *function)
{
	const char *name = pool_keep(climb->stacks->pool, function, strlen(function) + 1);
	struct branch *at = climb->at;
	size_t i = 0;

	/* the pool keeps equal names once */
	while (i < at->ncalls && at->calls[i].function != name)
		i++;
	if (i == at->ncalls) {
		at->calls = grow(at->calls, at->ncalls, sizeof(*at->calls));
		at->calls[at->ncalls++] = (struct branch){ .function = name };
	}
	climb->at = &at->calls[i];
	count(climb);
}

static struct climb from_root(struct stacks *stacks, const struct entry *entry, __u64 ns)
{
	struct climb climb = { .stacks = stacks, .at = &stacks->root, .entry = entry, .ns = ns };

	count(&climb);
	return climb;
}

static void add_way(const struct stack_weight *way, const struct entry *entry, void *context)
{
	struct climb climb = from_root(context, entry, way->ns);

	for (unsigned int i = 0; i < way->count; i++)
		step(&climb, way->names[i]);
}

static int longer(const void *a, const void *b)
{
	const struct branch *left = a, *right = b;

	if (left->total_ns != right->total_ns)
		return left->total_ns > right->total_ns ? -1 : 1;
	return strcmp(left->function, right->function);
}

static void sort(struct branch *branch)
{
	for (size_t i = 0; i < branch->ncalls; i++)
		sort(&branch->calls[i]);
	if (branch->ncalls)
		qsort(branch->calls, branch->ncalls, sizeof(*branch->calls), longer);
}

/**
 * stacks_merge() - merge the stacks of a model's stalls
 * @stacks: the result; ends with stacks_free()
 * @symbols: names
 * @model: records, with their culprits; must stay as long as @stacks
 *
 * Victims are left out: their time is another stall's doing. So are stalls that nobody is
 * blamed for.
 */
void stacks_merge(struct stacks *stacks, const struct symbols *symbols, const struct model *model)
{
	*stacks = (struct stacks){ .pool = pool_new() };
	for (size_t i = 0; i < model->nentries; i++) {
		struct entry *entry = model->entries[i];

		if (!entry->found.waits_for && charge_blames(entry))
			stack_weights_each(symbols, entry, entry_own_ns(entry), add_way, stacks);
	}
	sort(&stacks->root);
}

static void cut(struct branch *branch)
{
	for (size_t i = 0; i < branch->ncalls; i++)
		cut(&branch->calls[i]);
	free(branch->calls);
}

void stacks_free(struct stacks *stacks)
{
	cut(&stacks->root);
	pool_free(stacks->pool);
	*stacks = (struct stacks){ 0 };
}
