// SPDX-License-Identifier: GPL-2.0-only
#include <linux/kernel.h>

#include "core/retention_rank.h"

/* the stacks of a stall that are compared */
struct stacks {
	const struct tio_sample *stack[TIO_SAMPLES + 1];
	unsigned int number;
};

/* what another task did says nothing about this one */
static void add(struct stacks *stacks, const struct tio_sample *sample, u32 pid)
{
	if (sample->nframes && sample->pid == pid)
		stacks->stack[stacks->number++] = sample;
}

/* a section ends where it was begun; a handler or a softirq has returned by then */
static bool is_section(enum tio_class class)
{
	return class == TIO_CLASS_HARDIRQ_OFF || class == TIO_CLASS_SOFTIRQ_OFF;
}

/*
 * The deepest return address that all stacks share, seen from the outside; 0 where there
 * is none. The first frame of a stack is the interrupted instruction.
 */
static u64 deepest_shared(const struct stacks *stacks)
{
	u64 shared = 0;
	unsigned int depth, i;

	for (depth = 1; stacks->number; depth++) {
		const struct tio_sample *first = stacks->stack[0];

		for (i = 0; i < stacks->number; i++) {
			const struct tio_sample *other = stacks->stack[i];

			if (other->nframes <= depth ||
			    other->frames[other->nframes - depth] !=
			    first->frames[first->nframes - depth])
				return shared;
		}
		shared = first->frames[first->nframes - depth];
	}
	return shared;
}

/* 0 where nobody is to blame, or no stack says who is */
static u64 cause(const struct tio_record *rec, const struct tio_verdict *verdict)
{
	const struct tio_sample *deciding = tio_deciding_sample(rec, verdict);
	struct stacks stacks = { };
	unsigned int i;

	if (!deciding || !tio_class_blames(verdict->class))
		return 0;
	if (verdict->nmi)
		return rec->nmi_handler;
	/* the end has no stack of a handler, and a storm's sample hits any of its handlers */
	if (verdict->class == TIO_CLASS_HARDIRQ_LONG &&
	    (deciding == &rec->end || verdict->storm))
		return rec->end.irq.number + 2;
	for (i = 0; i < rec->nsamples; i++)
		add(&stacks, &rec->samples[i], deciding->pid);
	if (is_section(verdict->class))
		add(&stacks, &rec->end, deciding->pid);
	return deepest_shared(&stacks);
}

static bool own_alone(const struct tio_sample *sample, bool (*is_own)(u64 addr))
{
	unsigned int i;

	for (i = 0; i < sample->nframes; i++)
		if (!is_own(sample->frames[i]))
			return false;
	return true;
}

/*
 * Does the reader blame the tracer itself, as "(trace_irqoff)"? It does where the stack
 * that decides, and all that it may name somebody by in place of it, have the tracer's
 * own code and nothing else.
 */
static bool blames_tracer(const struct tio_record *rec, const struct tio_verdict *verdict,
			  bool (*is_own)(u64 addr))
{
	const struct tio_sample *deciding = tio_deciding_sample(rec, verdict);
	unsigned int i;

	if (!deciding || !deciding->nframes || !own_alone(deciding, is_own) ||
	    !tio_class_blames(verdict->class) || verdict->nmi)
		return false;
	/* an interrupt is to blame */
	if (verdict->class == TIO_CLASS_HARDIRQ_LONG &&
	    (deciding == &rec->end || verdict->storm || *deciding->irq.name))
		return false;
	/* a task that did not run is */
	if (verdict->class == TIO_CLASS_SOFTIRQ_OFF && !(deciding->flags & TRACE_IRQOFF_F_BH_OFF))
		return false;
	for (i = 0; i < rec->nsamples; i++)
		if (rec->samples[i].pid == deciding->pid && !own_alone(&rec->samples[i], is_own))
			return false;
	return true;
}

/**
 * tio_retention_rank_of() - what a record says about how long it is to be kept
 * @rec: a record, ended
 * @is_own: does an address lie in the tracer's own code?
 * @rank: the result
 *
 * Stalls of one cause have equal keys: the class, and the deepest return address that
 * the samples share, and for a section its end. Stalls of different causes may have
 * equal keys, too, and one cause may have several: a key only spreads what is kept.
 *
 * Context: any.
 */
void tio_retention_rank_of(const struct tio_record *rec, bool (*is_own)(u64 addr),
			   struct tio_retention_rank *rank)
{
	struct tio_verdict verdict;
	u64 shared;

	tio_judge(rec, &verdict);
	/* one of each cause is kept, also of those that are not proved */
	if (verdict.suspected)
		verdict.class = verdict.suspected;
	shared = cause(rec, &verdict);
	rank->min_ns = rec->min_ns;
	rank->class = verdict.class;
	rank->tracer = blames_tracer(rec, &verdict, is_own);
	rank->key = shared ? shared ^ ((u64)verdict.class << 56) : 0;
}
