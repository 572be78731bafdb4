// SPDX-License-Identifier: GPL-2.0-only
#include "judge/stack_weights.h"
#include "model/charge.h"
#include "names/calls.h"

static void name_way(struct stack_weight *way, const char *name, __u64 ns)
{
	way->names[0] = name;
	way->count = 1;
	way->ns = ns;
}

static void stack_way(struct stack_weight *way, const struct seen *seen, __u64 ns)
{
	way->count = 0;
	way->ns = ns;
	for (int i = seen->own; i >= 0; i--)
		if (!seen->trace.steps[i].function->tracer)
			way->names[way->count++] = seen->trace.steps[i].function->text;
	if (!seen->sample->nframes)
		name_way(way, "(user mode)", ns);
}

/* where nobody or an interrupt is blamed, the stacks are those of what was interrupted */
static bool has_stack(const struct entry *entry)
{
	return entry->found.culprit && entry_deciding_sample(entry) &&
	       entry->found.culprit_by != CULPRIT_BY_INTERRUPT &&
	       tio_class_blames(entry->found.verdict.class);
}

static __u64 part_of(__u64 ns, __u64 share, __u64 all)
{
	return all ? (double)share / all * ns : 0;
}

/*
 * The samples that are compared for the culprit share the time as they speak for it. @entry: the
 * record itself, which may be packed
 */
static void samples_each(const struct calls *calls, const struct entry *entry, __u64 ns,
			 stack_weight_call *call, void *context)
{
	const struct tio_record *rec = &calls->entry->rec;
	__u64 left_ns = ns, all_ns = 0, shares[TIO_SAMPLES];
	struct stack_weight way;

	for (unsigned int i = 0; i < calls->nothers; i++) {
		const struct tio_sample *other = calls->others[i].sample;

		shares[i] = tio_sample_share(rec, other - rec->samples);
		all_ns += shares[i];
	}
	all_ns += tio_sample_share(rec, calls->sample.sample - rec->samples);
	for (unsigned int i = 0; i < calls->nothers; i++) {
		stack_way(&way, &calls->others[i], part_of(ns, shares[i], all_ns));
		left_ns -= way.ns;
		call(&way, entry, context);
	}
	stack_way(&way, &calls->sample, left_ns);
	call(&way, entry, context);
}

/**
 * stack_weights_each() - go through the stacks that share a time
 * @symbols: names
 * @entry: the stall whose stacks they are
 * @ns: the time
 * @call: called with each and @entry; the times add up to @ns
 * @context: for @call
 */
void stack_weights_each(const struct symbols *symbols, struct entry *entry, __u64 ns,
			stack_weight_call *call, void *context)
{
	struct entry room, *whole;
	const struct tio_sample *sample;
	struct stack_weight way;
	struct calls calls;

	if (!has_stack(entry)) {
		name_way(&way, charge_culprit(entry), ns);
		call(&way, entry, context);
		return;
	}
	whole = entry_open(&room, entry);
	sample = entry_deciding_sample(whole);
	calls_of(&calls, symbols, whole, sample);
	if (sample != &whole->rec.end) {
		samples_each(&calls, entry, ns, call, context);
		return;
	}
	stack_way(&way, &calls.sample, ns);
	call(&way, entry, context);
}

/**
 * stack_weight_main() - the stack that shows the culprit, for the whole of a time
 * @way: the result; it has a function at least
 * @symbols: names
 * @entry: the stall whose stack it is
 * @ns: the time
 */
void stack_weight_main(struct stack_weight *way, const struct symbols *symbols,
		       struct entry *entry, __u64 ns)
{
	struct entry room, *whole;
	struct calls calls;

	way->count = 0;
	if (has_stack(entry)) {
		whole = entry_open(&room, entry);
		calls_of(&calls, symbols, whole, entry_naming_sample(whole));
		stack_way(way, &calls.sample, ns);
	}
	if (!way->count)
		name_way(way, charge_culprit(entry), ns);
}
