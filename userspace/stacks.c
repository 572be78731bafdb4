// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "calls.h"
#include "say.h"
#include "stacks.h"

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

static void add_name(struct stacks *stacks, const struct entry *entry, const char *name)
{
	struct climb climb = from_root(stacks, entry, entry_own_ns(entry));

	step(&climb, name);
}

/* a stack's own part: what stands further out was interrupted, and holds nothing off */
static void add_stack(struct stacks *stacks, const struct calls *calls, const struct seen *seen,
		      __u64 ns)
{
	struct climb climb = from_root(stacks, calls->entry, ns);

	for (int i = seen->own; i >= 0; i--)
		if (!seen->trace.steps[i].function->tracer)
			step(&climb, seen->trace.steps[i].function->text);
	if (!seen->sample->nframes)
		step(&climb, "(user mode)");
}

static __u64 part_of(__u64 ns, __u64 share, __u64 all)
{
	return all ? (double)share / all * ns : 0;
}

/* the samples that are compared for the culprit share the time as they speak for it */
static void add_samples(struct stacks *stacks, const struct calls *calls)
{
	const struct entry *entry = calls->entry;
	__u64 own_ns = entry_own_ns(entry), left_ns = own_ns, all_ns = 0;
	__u64 shares[TIO_SAMPLES];

	for (unsigned int i = 0; i < calls->nothers; i++) {
		const struct tio_sample *other = calls->others[i].sample;

		shares[i] = tio_sample_share(&entry->rec, other - entry->rec.samples);
		all_ns += shares[i];
	}
	all_ns += tio_sample_share(&entry->rec, calls->sample.sample - entry->rec.samples);
	for (unsigned int i = 0; i < calls->nothers; i++) {
		__u64 ns = part_of(own_ns, shares[i], all_ns);

		add_stack(stacks, calls, &calls->others[i], ns);
		left_ns -= ns;
	}
	add_stack(stacks, calls, &calls->sample, left_ns);
}

static void add(struct stacks *stacks, const struct symbols *symbols, const struct entry *entry)
{
	const struct tio_sample *sample = entry_deciding_sample(entry);
	struct calls calls;

	/* without a culprit, or where an interrupt is the culprit, stacks are others' */
	if (!entry->culprit || !sample || entry->culprit_by == CULPRIT_BY_INTERRUPT) {
		add_name(stacks, entry, entry->culprit ? entry->culprit : "(unknown)");
		return;
	}
	calls_of(&calls, symbols, entry, sample);
	if (sample == &entry->rec.end)
		add_stack(stacks, &calls, &calls.sample, entry_own_ns(entry));
	else
		add_samples(stacks, &calls);
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
 * Victims are left out: their time is another stall's doing. So are the classes that
 * blame nobody.
 */
void stacks_merge(struct stacks *stacks, const struct symbols *symbols, const struct model *model)
{
	*stacks = (struct stacks){ .pool = pool_new() };
	for (size_t i = 0; i < model->nentries; i++) {
		const struct entry *entry = model->entries[i];
		enum tio_class class = entry->verdict.class;

		if (!entry->waits_for && class != TIO_CLASS_STOLEN && class != TIO_CLASS_UNKNOWN)
			add(stacks, symbols, entry);
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
