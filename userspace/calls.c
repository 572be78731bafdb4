// SPDX-License-Identifier: GPL-2.0-only
/*
 * A call is known by its return address. Stacks are compared from the outside: as long
 * as the addresses are equal, both were taken in the same calls. At the first difference
 * the function that was called last is the same one, seen at two places in it.
 */
#include <string.h>

#include "calls.h"
#include "frame.h"
#include "roles.h"

/* what a stack was taken in: a task, a softirq or an interrupt on top of it */
#define CONTEXT	(TRACE_IRQOFF_F_USER | TRACE_IRQOFF_F_HARDIRQ | TRACE_IRQOFF_F_SERVING_SOFTIRQ)

/* a sample that speaks for less than one part in so many of a stall says nothing */
#define LEAST_PART	16

static bool same_function(const struct symbol *a, const struct symbol *b)
{
	return !a->unloaded && !b->unloaded && !strcmp(a->name, b->name) &&
	       !strcmp(a->module, b->module);
}

/* passed over: it only does something for its caller */
static bool serves(const struct symbol *symbol)
{
	return symbol_is_core(symbol) &&
	       (role_is_helper(symbol->name) || role_is_plumbing(symbol->name));
}

/* What stands further out was interrupted: it had interrupts or softirqs on. */
static bool own_part_ends(const struct calls *calls, const char *function)
{
	if (calls->sample->flags & TRACE_IRQOFF_F_SERVING_SOFTIRQ &&
	    role_is_softirq_loop(function))
		return true;
	return calls->entry->rec.kind == TRACE_IRQOFF_KIND_HARD && role_is_irq_entry(function);
}

/**
 * calls_own_part() - how far a stack belongs to what holds interrupts or softirqs off
 * @calls: the stacks that it is compared with
 * @sample: a sample of the same context
 *
 * Return: its outermost frame that was not interrupted; -1 where it has no frames.
 */
int calls_own_part(const struct calls *calls, const struct tio_sample *sample)
{
	struct symbol symbol;
	unsigned int i;

	for (i = 0; i < sample->nframes; i++) {
		frame_source(calls->symbols, calls->entry, sample, i, &symbol);
		if (symbol_is_core(&symbol) && own_part_ends(calls, symbol.name))
			return i;
	}
	return (int)i - 1;
}

/**
 * calls_silent() - does a sample say nothing of who had the CPU?
 * @calls: the stacks that it is compared with
 * @sample: a sample of the same context
 *
 * A dispatcher's sample between two calls meets helpers and plumbing alone.
 *
 * Return: true when it does not.
 */
bool calls_silent(const struct calls *calls, const struct tio_sample *sample)
{
	int own = calls_own_part(calls, sample);
	struct symbol symbol;

	for (int i = 0; i <= own; i++) {
		frame_source(calls->symbols, calls->entry, sample, i, &symbol);
		if (!symbol_is_tracer(&symbol) && !serves(&symbol))
			return false;
	}
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
	*calls = (struct calls){ .symbols = symbols, .entry = entry, .sample = sample };
	calls->own = calls_own_part(calls, sample);
	if (sample == &entry->rec.end)
		return;
	for (unsigned int i = 0; i < entry->rec.nsamples; i++) {
		const struct tio_sample *other = &entry->rec.samples[i];

		if (other != sample && other->nframes && other->pid == sample->pid &&
		    !((other->flags ^ sample->flags) & context) &&
		    tio_sample_share(&entry->rec, i) >= entry->rec.min_ns / LEAST_PART &&
		    !calls_silent(calls, other))
			calls->others[calls->nothers++] = other;
	}
}

/**
 * calls_leaf() - the innermost function that works on its own account
 * @calls: the stacks
 * @from: the innermost frame to look at
 *
 * Return: the first frame from there outwards that is neither helper nor plumbing nor
 * the tracer's; NO_FRAME where there is none in the sample's own part.
 */
int calls_leaf(const struct calls *calls, int from)
{
	struct symbol symbol;

	for (int i = from; i <= calls->own; i++) {
		frame_source(calls->symbols, calls->entry, calls->sample, i, &symbol);
		if (symbol_is_tracer(&symbol))
			continue;
		if (!serves(&symbol))
			return i;
	}
	return NO_FRAME;
}

/* the innermost return address that both stacks have; false where there is none */
static bool align(const struct tio_sample *a, const struct tio_sample *b, int *i, int *j)
{
	for (*i = 1; *i < (int)a->nframes; ++*i)
		for (*j = 1; *j < (int)b->nframes; ++*j)
			if (a->frames[*i] == b->frames[*j])
				return true;
	return false;
}

/*
 * The innermost frames up to which two stacks are equal, seen from the outside. Stacks
 * that were cut off, or that the unwinder lost its way in, do not reach the same
 * outermost frame.
 */
static bool part(const struct tio_sample *a, const struct tio_sample *b, int *i, int *j)
{
	*i = a->nframes;
	*j = b->nframes;
	while (*i && *j && a->frames[*i - 1] == b->frames[*j - 1]) {
		--*i;
		--*j;
	}
	return *i < (int)a->nframes || align(a, b, i, j);
}

/*
 * The frame of the sample whose function both stacks were taken in. Where the functions
 * behind an equal return address differ, two callees were called at the same place, one
 * after the other, by the function further out. An end is of the same section: the callee
 * has left by a jump to what the end was taken in, and has no frame there any more.
 */
static int shared_with(const struct calls *calls, const struct tio_sample *other)
{
	struct symbol ours, theirs;
	int i, j;

	if (!part(calls->sample, other, &i, &j))
		return NO_FRAME;
	if (!i || !j)
		return i;
	frame_source(calls->symbols, calls->entry, calls->sample, i - 1, &ours);
	frame_source(calls->symbols, calls->entry, other, j - 1, &theirs);
	if (same_function(&ours, &theirs))
		return i - 1;
	return other == &calls->entry->rec.end ? i - 1 : i;
}

static int outer(const struct calls *calls, int frame, const struct tio_sample *other)
{
	int shared = frame == NO_FRAME ? NO_FRAME : shared_with(calls, other);

	return shared == NO_FRAME ? NO_FRAME : shared > frame ? shared : frame;
}

/**
 * calls_shared() - the innermost function that all samples were taken in
 * @calls: the stacks; one of a single sample shares its innermost function with itself
 *
 * Return: its frame, helpers and plumbing passed over; NO_FRAME where they share none.
 */
int calls_shared(const struct calls *calls)
{
	int frame = 0;

	for (unsigned int i = 0; i < calls->nothers; i++)
		frame = outer(calls, frame, calls->others[i]);
	return frame == NO_FRAME ? NO_FRAME : calls_leaf(calls, frame);
}

/* the end of a softirq stall shows its section if that one's own enabling ran the softirq */
static bool enabled_by_section(const struct calls *calls, const struct tio_sample *end)
{
	struct symbol symbol;

	for (unsigned int i = 0; i < end->nframes; i++) {
		frame_source(calls->symbols, calls->entry, end, i, &symbol);
		if (!symbol_is_core(&symbol))
			continue;
		if (role_is_irq_entry(symbol.name))
			return false;
		if (!strcmp(symbol.name, "__local_bh_enable_ip"))
			return true;
	}
	return false;
}

/* was the end taken in the section itself, in what ended it? */
static bool end_closes(const struct calls *calls)
{
	const struct tio_record *rec = &calls->entry->rec;
	const struct tio_sample *end = &rec->end;

	if (rec->open || !end->nframes || end->pid != calls->sample->pid)
		return false;
	if (rec->kind == TRACE_IRQOFF_KIND_HARD)
		return end->flags & TRACE_IRQOFF_F_AT_IRQ_ENABLE &&
		       !((end->flags ^ calls->sample->flags) & CONTEXT);
	return rec->end_by == TRACE_IRQOFF_END_SOFTIRQ_ENTRY && enabled_by_section(calls, end);
}

/**
 * calls_shared_with_end() - the innermost function that all samples and the end share
 * @calls: the stacks
 *
 * That is the function that holds interrupts or softirqs off: the section ends in it,
 * and all that was seen of it lies in what it calls.
 *
 * Return: its frame, helpers and plumbing passed over; NO_FRAME where the end was not
 * taken in the section, or where they share none.
 */
int calls_shared_with_end(const struct calls *calls)
{
	int frame;

	if (!end_closes(calls))
		return NO_FRAME;
	frame = outer(calls, 0, &calls->entry->rec.end);
	for (unsigned int i = 0; i < calls->nothers; i++)
		frame = outer(calls, frame, calls->others[i]);
	return frame == NO_FRAME ? NO_FRAME : calls_leaf(calls, frame);
}

/* a call by which a dispatcher gets to a function that stands for itself */
struct dispatch {
	int frame;	/* the dispatcher's; its callee's is the next one inwards */
	struct symbol by;
	struct symbol callee;
};

/* the innermost dispatchers' calls in one stack; more do not nest in real ones */
#define MOST_DISPATCHES	8

struct dispatches {
	struct dispatch found[MOST_DISPATCHES];
	unsigned int n;
};

static bool is_dispatch(const struct calls *calls, const struct tio_sample *sample, int frame,
			struct dispatch *found)
{
	const struct symbol *callee = &found->callee;

	found->frame = frame;
	frame_source(calls->symbols, calls->entry, sample, frame, &found->by);
	if (!symbol_is_core(&found->by) || !role_is_dispatcher(found->by.name))
		return false;
	frame_source(calls->symbols, calls->entry, sample, frame - 1, &found->callee);
	if (symbol_is_core(callee))
		return !role_is_helper(callee->name) && !role_is_plumbing(callee->name) &&
		       !role_is_dispatcher(callee->name) && !role_is_everybodys(callee->name);
	return !symbol_is_tracer(callee);
}

static void find_dispatches(const struct calls *calls, const struct tio_sample *sample, int own,
			    struct dispatches *in)
{
	in->n = 0;
	for (int i = 1; i <= own && in->n < MOST_DISPATCHES; i++)
		if (is_dispatch(calls, sample, i, &in->found[in->n]))
			in->n++;
}

/* does the same dispatcher call in a stack; @any: whatever it calls */
static bool has_call(const struct dispatches *in, const struct dispatch *call, bool any)
{
	for (unsigned int i = 0; i < in->n; i++)
		if (same_function(&in->found[i].by, &call->by) &&
		    (any || same_function(&in->found[i].callee, &call->callee)))
			return true;
	return false;
}

static __u64 share_of(const struct calls *calls, const struct tio_sample *sample)
{
	return tio_sample_share(&calls->entry->rec, sample - calls->entry->rec.samples);
}

/*
 * Do all other samples have a call? @most: do those that have it, with this one, speak for
 * more than half of the time that all of them do?
 */
static bool all_have(const struct calls *calls, const struct dispatches in[],
		     const struct dispatch *call, bool any, bool *most)
{
	__u64 with_ns = share_of(calls, calls->sample), all_ns = with_ns;
	bool all = true;

	for (unsigned int i = 0; i < calls->nothers; i++) {
		__u64 ns = share_of(calls, calls->others[i]);

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
 * Return: the frame of the function, or of the dispatcher where @many is set; NO_FRAME
 * where no dispatcher called for more than half of the time.
 */
int calls_dispatched(const struct calls *calls, bool *many)
{
	struct dispatches own, others[TIO_SAMPLES];
	bool most;

	*many = false;
	if (calls->sample == &calls->entry->rec.end)
		return NO_FRAME;
	find_dispatches(calls, calls->sample, calls->own, &own);
	for (unsigned int i = 0; i < calls->nothers; i++)
		find_dispatches(calls, calls->others[i], calls_own_part(calls, calls->others[i]),
				&others[i]);
	for (unsigned int i = 0; i < own.n; i++)
		if (all_have(calls, others, &own.found[i], false, &most))
			return own.found[i].frame - 1;
	for (unsigned int i = 0; i < own.n; i++) {
		all_have(calls, others, &own.found[i], false, &most);
		if (most)
			return own.found[i].frame - 1;
	}
	for (unsigned int i = 0; i < own.n; i++) {
		all_have(calls, others, &own.found[i], true, &most);
		*many = most;
		if (most)
			return own.found[i].frame;
	}
	return NO_FRAME;
}
