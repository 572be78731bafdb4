// SPDX-License-Identifier: GPL-2.0-only
/*
 * A call is known by its return address. Stacks are compared from the outside: as long
 * as the addresses are equal, both were taken in the same calls. At the first difference
 * the function that was called last is the same one, seen at two places in it.
 */
#include <string.h>

#include "names/calls.h"

/* what a stack was taken in: a task, a softirq or an interrupt on top of it */
#define CONTEXT	(TRACE_IRQOFF_F_USER | TRACE_IRQOFF_F_HARDIRQ | TRACE_IRQOFF_F_SERVING_SOFTIRQ)

/* a sample that speaks for less than one part in so many of a stall says nothing */
#define LEAST_PART	16

/*
 * The outermost step that was not interrupted, as it had interrupts or softirqs on; -1 where
 * there are no steps
 */
static int own_part(const struct tio_record *rec, const struct tio_sample *sample,
		    const struct trace *trace)
{
	int own = trace->nsteps - 1;

	if (sample->flags & TRACE_IRQOFF_F_SERVING_SOFTIRQ && trace->softirq_loop < own)
		own = trace->softirq_loop;
	if (rec->kind == TRACE_IRQOFF_KIND_HARD && trace->irq_entry < own)
		own = trace->irq_entry;
	return own;
}

static void see(struct seen *seen, const struct calls *calls, const struct tio_sample *sample)
{
	seen->sample = sample;
	trace_of(&seen->trace, calls->symbols, calls->entry, sample);
	seen->own = own_part(&calls->entry->rec, sample, &seen->trace);
	seen->tracer = seen->trace.tracer ? seen->own : NO_FRAME;
	while (seen->tracer >= 0 && !seen->trace.steps[seen->tracer].function->tracer)
		seen->tracer--;
}

/**
 * calls_of_tracer() - is it the tracer that has the CPU?
 * @seen: a sample
 *
 * Its probes run within the code of others, who go on to have the CPU; they are named
 * probe_* (module/detect/tracepoints.c). All else that it does is its own work, with what that
 * calls.
 *
 * Return: true where it is.
 */
bool calls_of_tracer(const struct seen *seen)
{
	return seen->tracer != NO_FRAME &&
	       strncmp(seen->trace.steps[seen->tracer].function->name, "probe_", strlen("probe_"));
}

/**
 * calls_silent() - does a sample say nothing of who had the CPU?
 * @seen: the sample
 *
 * A dispatcher's sample between two calls meets helpers and plumbing alone.
 *
 * Return: true when it does not.
 */
bool calls_silent(const struct seen *seen)
{
	if (calls_of_tracer(seen))
		return true;
	for (int i = seen->tracer + 1; i <= seen->own; i++)
		if (!function_serves(seen->trace.steps[i].function))
			return false;
	return true;
}

/**
 * calls_of() - get ready to compare a sample with the other ones of its stall
 * @calls: the result
 * @symbols: names
 * @entry: a record
 * @sample: one of its samples, or its end
 *
 * Only samples of the same task and context are compared: what another one did says
 * nothing about this one. Nor does what a task did with bottom halves on say why they
 * were off, nor a sample of the last moments, when what took the time may be over, nor one
 * that is silent.
 */
void calls_of(struct calls *calls, const struct symbols *symbols, const struct entry *entry,
	      const struct tio_sample *sample)
{
	__u32 context = CONTEXT;

	if (entry->rec.kind == TRACE_IRQOFF_KIND_SOFT)
		context |= TRACE_IRQOFF_F_BH_OFF;
	calls->symbols = symbols;
	calls->entry = entry;
	calls->nothers = 0;
	see(&calls->sample, calls, sample);
	if (sample == &entry->rec.end)
		return;
	for (unsigned int i = 0; i < entry->rec.nsamples; i++) {
		const struct tio_sample *other = &entry->rec.samples[i];

		if (other == sample || !other->nframes || other->pid != sample->pid ||
		    (other->flags ^ sample->flags) & context ||
		    tio_sample_share(&entry->rec, i) < entry->rec.min_ns / LEAST_PART)
			continue;
		see(&calls->others[calls->nothers], calls, other);
		if (!calls_silent(&calls->others[calls->nothers]))
			calls->nothers++;
	}
}

/**
 * calls_leaf() - the innermost function that works on its own account
 * @calls: the stacks
 * @from: the innermost step to look at
 *
 * What the tracer calls is not the caller's account.
 *
 * Return: the first step from there outwards that is neither helper nor plumbing nor
 * the tracer's; NO_FRAME where there is none in the sample's own part.
 */
int calls_leaf(const struct calls *calls, int from)
{
	if (from <= calls->sample.tracer)
		from = calls->sample.tracer + 1;
	for (int i = from; i <= calls->sample.own; i++)
		if (!function_serves(calls->sample.trace.steps[i].function))
			return i;
	return NO_FRAME;
}

static __u64 share_of(const struct calls *calls, const struct seen *seen)
{
	return tio_sample_share(&calls->entry->rec, seen->sample - calls->entry->rec.samples);
}

/* the time that those samples speak for which were taken in a function; NULL: all of them */
static __u64 time_in(const struct calls *calls, const struct function *function)
{
	__u64 ns = share_of(calls, &calls->sample);

	for (unsigned int i = 0; i < calls->nothers; i++) {
		const struct seen *other = &calls->others[i];

		if (!function || trace_has(&other->trace, other->tracer + 1, other->own, function))
			ns += share_of(calls, other);
	}
	return ns;
}

/**
 * calls_most() - the innermost function that over half of the time was spent in
 * @calls: the stacks, of samples
 *
 * Return: its step, helpers and plumbing passed over; NO_FRAME where there is none.
 */
int calls_most(const struct calls *calls)
{
	const struct step *steps = calls->sample.trace.steps;
	int step = calls_leaf(calls, 0);

	while (step != NO_FRAME && time_in(calls, steps[step].function) <= time_in(calls, NULL) / 2)
		step = calls_leaf(calls, step + 1);
	return step;
}

static bool same_call(const struct step *a, const struct step *b)
{
	return a->addr == b->addr && (a->frame == NO_FRAME) == (b->frame == NO_FRAME);
}

/* the innermost call that both stacks have; false where there is none */
static bool align(const struct trace *a, const struct trace *b, int *i, int *j)
{
	for (*i = 1; *i < a->nsteps; ++*i)
		for (*j = 1; *j < b->nsteps; ++*j)
			if (same_call(&a->steps[*i], &b->steps[*j]))
				return true;
	return false;
}

/*
 * The innermost steps up to which two stacks are equal, seen from the outside. Stacks
 * that were cut off, or that the unwinder lost its way in, do not reach the same
 * outermost frame.
 */
static bool part(const struct trace *a, const struct trace *b, int *i, int *j)
{
	*i = a->nsteps;
	*j = b->nsteps;
	while (*i && *j && same_call(&a->steps[*i - 1], &b->steps[*j - 1])) {
		--*i;
		--*j;
	}
	return *i < a->nsteps || align(a, b, i, j);
}

/*
 * The step of the sample whose function both stacks were taken in. Inside of the innermost
 * equal call the functions may differ. Those of two samples are two callees, called at the
 * same place one after the other, so the function further out counts. Those of a sample and
 * the end are one section: the callee has left by a jump to what the end was taken in, and
 * has no frame there any more. So the function that the call instruction names counts.
 */
static int shared_with(const struct calls *calls, const struct seen *other)
{
	const struct trace *ours = &calls->sample.trace, *theirs = &other->trace;
	int i, j;

	if (!part(ours, theirs, &i, &j))
		return NO_FRAME;
	if (!i || !j)
		return i;
	if (function_same(ours->steps[i - 1].function, theirs->steps[j - 1].function))
		return i - 1;
	if (other->sample != &calls->entry->rec.end || ours->steps[i].frame == NO_FRAME)
		return i;
	return i - 1;
}

static int outer(const struct calls *calls, int step, const struct seen *other)
{
	int shared = step == NO_FRAME ? NO_FRAME : shared_with(calls, other);

	return shared == NO_FRAME ? NO_FRAME : shared > step ? shared : step;
}

/**
 * calls_shared() - the innermost function that all samples were taken in
 * @calls: the stacks; one of a single sample shares its innermost function with itself
 *
 * Return: its step, helpers and plumbing passed over; NO_FRAME where they share none.
 */
int calls_shared(const struct calls *calls)
{
	int step = 0;

	for (unsigned int i = 0; i < calls->nothers; i++)
		step = outer(calls, step, &calls->others[i]);
	return step == NO_FRAME ? NO_FRAME : calls_leaf(calls, step);
}

/*
 * Does a step call a function that stands for itself, as dispatchers do? Callees that are
 * everybody's say no more than it does.
 */
static bool is_dispatch(const struct trace *trace, int step)
{
	const struct function *by = trace->steps[step].function;
	const struct function *callee;

	if (!step || !by->dispatcher)
		return false;
	callee = trace->steps[step - 1].function;
	if (callee->core)
		return !function_serves(callee) && !callee->dispatcher && !callee->everybodys;
	return !callee->tracer;
}

/* the same, or does it so by way of a function like it? */
static bool calls_told(const struct trace *trace, int step)
{
	return is_dispatch(trace, step) ||
	       (step && trace->steps[step - 1].function->calls_in_section &&
		is_dispatch(trace, step - 1));
}

/*
 * The function that holds a section which ends in a step: helpers are passed over
 * outwards. Those that call what they are told, for all CPUs or for this one, hold it
 * themselves while they do.
 */
static int section_of(const struct calls *calls, int from)
{
	const struct trace *trace = &calls->sample.trace;

	if (from <= calls->sample.tracer)
		from = calls->sample.tracer + 1;
	for (int i = from; i <= calls->sample.own; i++) {
		const struct function *function = trace->steps[i].function;

		if (!function_serves(function))
			return i;
		if (function->calls_in_section && calls_told(trace, i))
			return i;
	}
	return NO_FRAME;
}

/*
 * The end of a softirq stall shows its section if that one's own enabling ran the softirq. An
 * interrupt runs it before that if it comes just after bottom halves were enabled: then it
 * interrupted the enabling.
 */
static bool enabled_by_section(const struct trace *end)
{
	bool interrupted = false;

	for (int i = 0; i < end->nsteps; i++) {
		const struct function *function = end->steps[i].function;

		if (function->core && !strcmp(function->name, "__local_bh_enable_ip"))
			return true;
		if (interrupted && !function->irq_entry &&
		    strncmp(function->name, "do_softirq", strlen("do_softirq")))
			return false;
		if (function->core && function->irq_entry)
			interrupted = true;
	}
	return false;
}

/* was the end taken in the section itself, in what ended it? */
static bool end_closes(const struct calls *calls, const struct seen *seen)
{
	const struct tio_record *rec = &calls->entry->rec;
	const struct tio_sample *end = seen->sample, *sample = calls->sample.sample;

	if (rec->open || !end->nframes || end->pid != sample->pid)
		return false;
	if (rec->kind == TRACE_IRQOFF_KIND_HARD)
		return end->flags & TRACE_IRQOFF_F_AT_IRQ_ENABLE &&
		       !((end->flags ^ sample->flags) & CONTEXT);
	return rec->end_by == TRACE_IRQOFF_END_SOFTIRQ_ENTRY && enabled_by_section(&seen->trace);
}

/**
 * calls_shared_with_end() - the innermost function that all samples and the end share
 * @calls: the stacks
 *
 * That is the function that holds interrupts or softirqs off: the section ends in it,
 * and all that was seen of it lies in what it calls.
 *
 * Return: its step, helpers and plumbing passed over; NO_FRAME where the end was not
 * taken in the section, or where they share none.
 */
int calls_shared_with_end(const struct calls *calls)
{
	struct seen end;
	int step;

	see(&end, calls, &calls->entry->rec.end);
	if (!end_closes(calls, &end))
		return NO_FRAME;
	step = outer(calls, 0, &end);
	for (unsigned int i = 0; i < calls->nothers; i++)
		step = outer(calls, step, &calls->others[i]);
	return step == NO_FRAME ? NO_FRAME : section_of(calls, step);
}

/* the innermost dispatchers' calls in one stack; more do not nest in real ones */
#define MOST_DISPATCHES	8

struct dispatches {
	struct dispatch {
		int step;	/* the dispatcher's; its callee is the next one inwards */
		const struct function *by;
		const struct function *callee;
	} found[MOST_DISPATCHES];
	unsigned int n;
};

static void find_dispatches(const struct seen *seen, struct dispatches *in)
{
	const struct step *steps = seen->trace.steps;

	in->n = 0;
	for (int i = 1; i <= seen->own && in->n < MOST_DISPATCHES; i++)
		if (is_dispatch(&seen->trace, i))
			in->found[in->n++] = (struct dispatch){
				.step = i,
				.by = steps[i].function,
				.callee = steps[i - 1].function,
			};
}

/* does the same dispatcher call in a stack; @any: whatever it calls */
static bool has_call(const struct dispatches *in, const struct dispatch *call, bool any)
{
	for (unsigned int i = 0; i < in->n; i++)
		if (function_same(in->found[i].by, call->by) &&
		    (any || function_same(in->found[i].callee, call->callee)))
			return true;
	return false;
}

/*
 * Do all other samples have a call? @most: do those that have it, with this one, speak for
 * more than half of the time that all of them do?
 */
static bool all_have(const struct calls *calls, const struct dispatches in[],
		     const struct dispatch *call, bool any, bool *most)
{
	__u64 with_ns = share_of(calls, &calls->sample), all_ns = with_ns;
	bool all = true;

	for (unsigned int i = 0; i < calls->nothers; i++) {
		__u64 ns = share_of(calls, &calls->others[i]);

		all_ns += ns;
		if (has_call(&in[i], call, any))
			with_ns += ns;
		else
			all = false;
	}
	*most = with_ns > all_ns / 2;
	return all;
}

/**
 * calls_dispatched() - the function that a dispatcher called
 * @calls: the stacks, of samples
 * @many: set where the dispatcher called several, none of which took most of the time
 *
 * Dispatchers nest: a softirq's timer may send a packet, which runs the hooks of a
 * filter. The innermost call that all samples were taken in says most; else the
 * innermost one that took more than half of the time.
 *
 * Return: the step of the function, or of the dispatcher where @many is set; NO_FRAME
 * where no dispatcher called for more than half of the time.
 */
int calls_dispatched(const struct calls *calls, bool *many)
{
	struct dispatches own, others[TIO_SAMPLES];
	bool most;

	*many = false;
	if (calls->sample.sample == &calls->entry->rec.end)
		return NO_FRAME;
	find_dispatches(&calls->sample, &own);
	for (unsigned int i = 0; i < calls->nothers; i++)
		find_dispatches(&calls->others[i], &others[i]);
	for (unsigned int i = 0; i < own.n; i++)
		if (all_have(calls, others, &own.found[i], false, &most))
			return own.found[i].step - 1;
	for (unsigned int i = 0; i < own.n; i++) {
		all_have(calls, others, &own.found[i], false, &most);
		if (most)
			return own.found[i].step - 1;
	}
	for (unsigned int i = 0; i < own.n; i++) {
		all_have(calls, others, &own.found[i], true, &most);
		*many = most;
		if (most)
			return own.found[i].step;
	}
	return NO_FRAME;
}
