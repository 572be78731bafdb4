// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "base/say.h"
#include "judge/culprit.h"
#include "judge/had_cpu.h"
#include "model/labels.h"
#include "names/calls.h"
#include "names/frame.h"

/**
 * culprit_by_name() - the word for what names a culprit
 * @by: what names it
 *
 * Return: the word; NULL where nothing does.
 */
const char *culprit_by_name(enum culprit_by by)
{
	static const char * const names[] = {
		[CULPRIT_BY_END]	= "end",
		[CULPRIT_BY_DISPATCH]	= "dispatch",
		[CULPRIT_BY_SHARED]	= "shared",
		[CULPRIT_BY_INTERRUPT]	= "interrupt",
		[CULPRIT_BY_LEAF]	= "leaf",
	};

	return names[by];
}

/* the frame as a culprit: "name" or "name [module]" */
static char *print_culprit(const struct symbol *symbol)
{
	char text[SYMBOL_TEXT_LEN];

	return copy_text(print_function(text, symbol));
}

/* "(interrupt 24 eth0)"; NULL where the interrupt is not known */
static char *print_interrupt(const struct tio_irq *irq)
{
	if (!*irq->name)
		return NULL;
	if (irq->number == TIO_NO_IRQ)
		return print_text("(interrupt %s)", irq->name);
	return print_text("(interrupt %d %s)", irq->number, irq->name);
}

/* the NMI handler that took longest; NULL where it is not known */
static char *print_nmi_handler(const struct symbols *symbols, const struct entry *entry)
{
	struct symbol symbol;

	if (!entry->rec.nmi_handler)
		return NULL;
	frame_function(symbols, entry, entry->rec.nmi_handler, &symbol);
	return print_culprit(&symbol);
}

/* a task in user mode, of which there is no kernel stack */
static char *print_user(const struct tio_sample *sample)
{
	return print_text("(user %s)", sample->comm);
}

/* "(task threads)", however many there were of that name */
static char *print_task(const struct met *met)
{
	return *met->comm ? print_text("(task %s)", met->comm) : copy_text(CULPRIT_TASK);
}

/* softirqs: the one that ran, or none did just then */
static char *print_softirq(const struct tio_sample *sample)
{
	if (!sample->softirq)
		return copy_text("(softirqs)");
	return print_text("(softirq %s)", softirq_word(sample->softirq - 1) ?: "?");
}

/*
 * Of a stall in which no function works on its own account: the plumbing, or a helper. An
 * interrupt's entry and the loop over softirqs do nothing but call others.
 */
static char *print_rest(const struct calls *calls)
{
	const struct trace *trace = &calls->sample.trace;
	const struct function *first = NULL;

	for (int i = calls->sample.tracer + 1; i <= calls->sample.own; i++) {
		const struct function *function = trace->steps[i].function;

		if (function->irq_entry)
			return copy_text("(interrupts)");
		if (function->softirq_loop)
			return print_softirq(calls->sample.sample);
		if (!function->helper)
			return copy_text(function->text);
		if (!first)
			first = function;
	}
	if (first)
		return copy_text(first->text);
	return calls->sample.own >= 0 ? copy_text(CULPRIT_TRACER) : NULL;
}

static const struct function *function_at(const struct calls *calls, int step)
{
	return calls->sample.trace.steps[step].function;
}

static bool same_softirq(const struct calls *calls)
{
	for (unsigned int i = 0; i < calls->nothers; i++)
		if (calls->others[i].sample->softirq != calls->sample.sample->softirq)
			return false;
	return true;
}

/* what samples have in common that share no function: an interrupt, a softirq, or a task alone */
static char *print_context(const struct calls *calls)
{
	for (int i = calls->sample.tracer + 1; i <= calls->sample.own; i++) {
		const struct function *function = function_at(calls, i);

		if (function->irq_entry)
			return copy_text("(interrupts)");
		if (function->softirq_loop)
			return same_softirq(calls) ? print_softirq(calls->sample.sample) :
						     copy_text("(softirqs)");
	}
	return copy_text(CULPRIT_MANY);
}

static char *print_step(const struct calls *calls, int step, bool many)
{
	const struct function *function = function_at(calls, step);

	return many ? print_text("%s (many)", function->name) : copy_text(function->text);
}

/* does the section belong to whatever was called in it? */
static bool calls_others(const struct calls *calls, int step)
{
	return step != NO_FRAME && function_at(calls, step)->calls_in_section;
}

/*
 * The step of the function to blame, by what names it best. A section is held by the
 * function that it ends in and that all samples were taken in. Where samples share none, one
 * that has most of the time counts; others happened to run when a sample was taken.
 */
static int find_step(struct entry *entry, const struct calls *calls, int busy, bool *many)
{
	const enum tio_class class = entry_class(entry);
	bool section = class == TIO_CLASS_HARDIRQ_OFF || class == TIO_CLASS_SOFTIRQ_OFF;
	int step = NO_FRAME, called = NO_FRAME;

	*many = false;
	entry->found.culprit_by = CULPRIT_BY_END;
	if (section)
		step = calls_shared_with_end(calls);
	if (!section || calls_others(calls, step))
		called = calls_dispatched(calls, many);
	/* dispatchers further out are none of the section's */
	if (called != NO_FRAME && (step == NO_FRAME || called < step)) {
		entry->found.culprit_by = CULPRIT_BY_DISPATCH;
		return called;
	}
	*many = false;
	if (step != NO_FRAME || calls->sample.sample == &entry->rec.end)
		return step != NO_FRAME ? step : busy;
	entry->found.culprit_by = CULPRIT_BY_SHARED;
	if (calls->nothers && busy != NO_FRAME)
		return busy;
	entry->found.culprit_by = CULPRIT_BY_LEAF;
	return calls->nothers ? calls_most(calls) : calls_leaf(calls, 0);
}

/* do the class and what names the culprit so far leave it to a dispatcher's callee? */
static bool blames_callee(const struct entry *entry)
{
	const enum tio_class class = entry_class(entry);

	return (class == TIO_CLASS_HARDIRQ_LONG || class == TIO_CLASS_SOFTIRQ_LONG) &&
	       entry->found.culprit_by != CULPRIT_BY_DISPATCH;
}

/* for struct entry's named_by */
static __u8 name_by(const struct entry *entry, const struct tio_sample *sample)
{
	return 1 + (sample == &entry->rec.end ? TIO_END : sample - entry->rec.samples);
}

/* a call that took most of the time, though the longest sample was not taken in it */
static bool find_most(const struct symbols *symbols, struct entry *entry,
		      const struct calls *calls)
{
	struct calls other;
	int step;
	bool many;

	for (unsigned int i = 0; i < calls->nothers; i++) {
		calls_of(&other, symbols, entry, calls->others[i].sample);
		step = calls_dispatched(&other, &many);
		if (step != NO_FRAME && !many) {
			entry->found.culprit_by = CULPRIT_BY_DISPATCH;
			entry->found.named_by = name_by(entry, calls->others[i].sample);
			entry->found.culprit = print_step(&other, step, false);
			return true;
		}
	}
	return false;
}

/* the sample itself; where it is silent, of the others the one that speaks for longest */
static const struct tio_sample *speaks(const struct calls *calls)
{
	const struct tio_record *rec = &calls->entry->rec;
	const struct tio_sample *best = calls->sample.sample;
	__u64 longest_ns = 0;

	if (best == &rec->end || !calls->nothers || !calls_silent(&calls->sample))
		return best;
	for (unsigned int i = 0; i < calls->nothers; i++) {
		__u64 ns = tio_sample_share(rec, calls->others[i].sample - rec->samples);

		if (ns > longest_ns) {
			longest_ns = ns;
			best = calls->others[i].sample;
		}
	}
	return best;
}

/*
 * May a caller of the culprit be the one that held the section? The calls that samples have
 * in common do not tell which of them holds it. That is all there is of a section that has
 * not ended, or whose end was seen elsewhere. So it is of bottom halves that were disabled
 * while ksoftirqd was awake already: before Linux 6.5, enabling them leaves what waits to
 * ksoftirqd, and the end is seen there.
 */
static bool caller_may_hold(const struct entry *entry, const struct calls *calls, int culprit)
{
	const enum tio_class class = entry_class(entry);

	if (class != TIO_CLASS_HARDIRQ_OFF && class != TIO_CLASS_SOFTIRQ_OFF)
		return false;
	if (entry->found.culprit_by != CULPRIT_BY_SHARED &&
	    entry->found.culprit_by != CULPRIT_BY_LEAF)
		return false;
	return calls->sample.sample->flags & TRACE_IRQOFF_F_TRUNCATED ||
	       calls_leaf(calls, culprit + 1) != NO_FRAME;
}

/* who held them off and what it was busy in, by the functions of a stack */
static void find_functions(const struct symbols *symbols, struct entry *entry,
			   const struct tio_sample *sample)
{
	const struct tio_sample *speaking;
	struct calls calls;
	int culprit, busy;
	bool many;

	calls_of(&calls, symbols, entry, sample);
	speaking = speaks(&calls);
	if (speaking != sample)
		calls_of(&calls, symbols, entry, speaking);
	entry->found.named_by = name_by(entry, speaking);
	if (calls_of_tracer(&calls.sample)) {
		entry->found.culprit_by = CULPRIT_BY_LEAF;
		entry->found.culprit = copy_text(CULPRIT_TRACER);
		return;
	}
	busy = calls_shared(&calls);
	culprit = find_step(entry, &calls, busy, &many);
	if ((many || blames_callee(entry)) && find_most(symbols, entry, &calls))
		return;
	if (culprit == NO_FRAME) {
		/* the interrupt says more than the plumbing, which all handlers share */
		entry->found.culprit_by = CULPRIT_BY_INTERRUPT;
		if (entry_class(entry) == TIO_CLASS_HARDIRQ_LONG)
			entry->found.culprit = print_interrupt(&sample->irq);
		if (entry->found.culprit)
			return;
		entry->found.culprit_by = CULPRIT_BY_LEAF;
		entry->found.culprit = calls.nothers ? print_context(&calls) : print_rest(&calls);
		return;
	}
	entry->found.culprit = print_step(&calls, culprit, many);
	entry->found.or_caller = caller_may_hold(entry, &calls, culprit);
	/* samples may share no more than what called the culprit, or nothing */
	if (sample == &entry->rec.end || many || busy == NO_FRAME || busy > culprit)
		return;
	entry->found.busy_in = print_step(&calls, busy, false);
	entry->found.way_from = culprit;
	entry->found.way_to = busy;
}

/* the stacks of the samples that met the tasks to blame */
struct met_traces {
	struct trace all[TIO_SAMPLES];
	unsigned int count;
};

static void met_traces_of(struct met_traces *traces, const struct symbols *symbols,
			  const struct entry *entry)
{
	traces->count = 0;
	for (unsigned int i = 0; i < entry->rec.nsamples; i++)
		if (entry->found.met & 1U << i)
			trace_of(&traces->all[traces->count++], symbols, entry,
				 &entry->rec.samples[i]);
}

static bool all_have(const struct met_traces *traces, const struct function *function)
{
	for (unsigned int i = 0; i < traces->count; i++)
		if (!trace_has(&traces->all[i], 0, traces->all[i].nsteps - 1, function))
			return false;
	return true;
}

/*
 * The functions that all samples of the tasks were taken in; the innermost one is what they were
 * busy in. Samples are of other tasks, or of one at other times, so the calls on the way there may
 * differ. What calls anybody's work, as a worker's thread does, tells nothing of these.
 */
static void find_busy(const struct symbols *symbols, struct entry *entry,
		      const struct calls *calls)
{
	struct met_traces traces;
	char *wider;

	met_traces_of(&traces, symbols, entry);
	for (int i = calls_leaf(calls, 0); i != NO_FRAME; i = calls_leaf(calls, i + 1)) {
		if (function_at(calls, i)->dispatcher || !all_have(&traces, function_at(calls, i)))
			continue;
		wider = print_text("%s%s;", entry->found.met_in ?: "",
				   function_at(calls, i)->text);
		free(entry->found.met_in);
		entry->found.met_in = wider;
		if (entry->found.busy_in)
			continue;
		entry->found.busy_in = print_step(calls, i, false);
		entry->found.way_from = i;
		entry->found.way_to = i;
	}
}

/*
 * The task that had the CPU while ksoftirqd waited. Which function it was in is chance, and
 * says nothing of why it kept the CPU. The end tells of nobody: ksoftirqd has the CPU by then.
 */
static void find_task(const struct symbols *symbols, struct entry *entry)
{
	const struct met *met;
	struct had_cpu had;
	struct calls calls;

	had_cpu_find(&had, symbols, entry);
	met = had_cpu_most(&had);
	if (!met)
		return;
	entry->found.named_by = name_by(entry, met->sample);
	entry->found.culprit_by = CULPRIT_BY_LEAF;
	if (met->sample->nframes) {
		calls_of(&calls, symbols, entry, met->sample);
		if (calls_of_tracer(&calls.sample)) {
			entry->found.culprit = copy_text(CULPRIT_TRACER);
			return;
		}
	}
	entry->found.met = met->samples;
	if (met->sample->nframes)
		find_busy(symbols, entry, &calls);
	/* more than one bit is set */
	if (met->samples & (met->samples - 1))
		entry->found.culprit_by = CULPRIT_BY_SHARED;
	entry->found.culprit = print_task(met);
}

static void find(const struct symbols *symbols, struct entry *entry)
{
	const struct tio_sample *sample = entry_deciding_sample(entry);
	const enum tio_class class = entry_class(entry);

	if (!sample || !tio_class_blames(class))
		return;
	if (class == TIO_CLASS_KSOFTIRQD_WAIT) {
		find_task(symbols, entry);
		return;
	}
	entry->found.culprit_by = CULPRIT_BY_INTERRUPT;
	if (entry->found.verdict.nmi) {
		entry->found.culprit = print_nmi_handler(symbols, entry);
		return;
	}
	/* a task that did not run has them off; the one that was sampled may be innocent */
	if (class == TIO_CLASS_SOFTIRQ_OFF && !(sample->flags & TRACE_IRQOFF_F_BH_OFF))
		return;
	/* an end has no stack of a handler, and a storm's sample hits any of its handlers */
	if (class == TIO_CLASS_HARDIRQ_LONG &&
	    (sample == &entry->rec.end || entry->found.verdict.storm)) {
		entry->found.culprit = print_interrupt(&entry->rec.end.irq);
		return;
	}
	entry->found.culprit_by = CULPRIT_BY_LEAF;
	if (!sample->nframes && sample->flags & TRACE_IRQOFF_F_USER)
		entry->found.culprit = print_user(sample);
	else if (sample->nframes)
		find_functions(symbols, entry, sample);
}

/* nothing proves that the CPU ran */
static void only_suspect(struct entry_found *found)
{
	found->suspect = found->culprit;
	free(found->busy_in);
	free(found->met_in);
	found->culprit = NULL;
	found->busy_in = NULL;
	found->met_in = NULL;
	found->or_caller = false;
}

/**
 * culprit_forget() - blame nobody
 * @entry: a record
 */
void culprit_forget(struct entry *entry)
{
	entry_forget_names(entry);
	entry->found.met = 0;
	entry->found.or_caller = false;
	entry->found.culprit_by = CULPRIT_BY_NOTHING;
}

/**
 * culprit_find() - whom to blame
 * @symbols: names
 * @entry: a record, judged; gets culprit, culprit_by, met, or_caller, and busy_in with the way
 *	to it, or suspect
 *
 * A handler and a softirq are blamed on the function that a dispatcher called. Where
 * neither that nor the end of a section says more, the innermost function is blamed that
 * all samples were taken in and that works on its own account. A stall of which only the
 * end shows that a handler took it, and a storm, blame the interrupt. One that NMI
 * handlers took blames the longest of them. Where ksoftirqd waited, the task is to blame that
 * had the CPU. Samples of which each met another function name none of these.
 */
void culprit_find(const struct symbols *symbols, struct entry *entry)
{
	culprit_forget(entry);
	find(symbols, entry);
	if (entry->found.verdict.suspected)
		only_suspect(&entry->found);
	if (!entry->found.culprit)
		entry->found.culprit_by = CULPRIT_BY_NOTHING;
}

/**
 * culprit_is_many() - did the samples of a section meet a different function each?
 * @entry: a record, after culprit_find()
 *
 * Return: true where they did, so that what a stack shows says nothing of the others.
 */
bool culprit_is_many(const struct entry *entry)
{
	return entry->found.culprit && !strcmp(entry->found.culprit, CULPRIT_MANY);
}

/**
 * culprit_step() - a function on the way from the culprit to what it was busy in
 * @symbols: names
 * @entry: a record, after culprit_find()
 * @step: which one; 0 is the culprit
 * @jumped: set to whether it left by a jump, and has no frame
 *
 * Return: its name as of a culprit; NULL behind the last one, and where no
 * way is known.
 */
const char *culprit_step(const struct symbols *symbols, const struct entry *entry, int step,
			 bool *jumped)
{
	struct trace trace;

	*jumped = false;
	if (!entry->found.busy_in || step > entry->found.way_from - entry->found.way_to)
		return NULL;
	trace_of(&trace, symbols, entry, entry_naming_sample(entry));
	*jumped = trace.steps[entry->found.way_from - step].frame == NO_FRAME;
	return trace.steps[entry->found.way_from - step].function->text;
}
