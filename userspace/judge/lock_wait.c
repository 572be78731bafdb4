// SPDX-License-Identifier: GPL-2.0-only
/*
 * Who waits for a lock with interrupts off is not to blame. Whoever had the lock is, and may have
 * no stall of its own. So the lock stands in the culprit's place, also one that is not known: where
 * the module could not read its address, the slow path still tells that the CPU waited.
 */
#include <stdlib.h>

#include "base/say.h"
#include "judge/culprit.h"
#include "judge/lock_wait.h"
#include "judge/on_behalf.h"
#include "model/labels.h"
#include "names/lock_name.h"
#include "names/stack_functions.h"

/*
 * Does the section end as the CPU releases a lock, and did the first sample wait for one? A sample
 * that another CPU requested late, in the last moment, says nothing else of the stall.
 */
static bool may_wait_at_the_end(const struct entry *entry)
{
	const struct tio_verdict *verdict = &entry->found.verdict;

	return entry_class(entry) == TIO_CLASS_HARDIRQ_OFF && !verdict->nmi &&
	       verdict->evidence == TIO_EVIDENCE_END && entry->found.unlocks &&
	       entry->found.waits[0] == WAIT_LOCK;
}

/* does the sample that decides wait for a lock, and stand for the stall? */
static bool is_waiting(const struct entry *entry)
{
	const struct tio_verdict *verdict = &entry->found.verdict;

	if (may_wait_at_the_end(entry))
		return true;
	return tio_class_blames(entry_class(entry)) && verdict->evidence == TIO_EVIDENCE_SAMPLE &&
	       !verdict->storm && !verdict->nmi &&
	       entry->found.waits[verdict->sample] == WAIT_LOCK;
}

/*
 * Did it wait for this lock for half of the time at least that its samples speak for? One that is
 * not known may be this one.
 */
static bool mostly_waits(const struct entry *whole, const struct tio_sample *sample)
{
	__u64 all_ns = 0, waits_ns = 0;

	for (unsigned int i = 0; i < whole->rec.nsamples; i++) {
		const struct tio_sample *other = &whole->rec.samples[i];
		__u64 ns = tio_sample_share(&whole->rec, i);
		bool both = lock_known(other) && lock_known(sample);
		bool waits = both ? lock_same(other, sample) :
				    whole->found.waits[i] == WAIT_LOCK;

		all_ns += ns;
		if (waits)
			waits_ns += ns;
	}
	return waits_ns >= all_ns - waits_ns;
}

static bool function_waits(const struct function *function)
{
	return function->helper || function->wait == WAIT_LOCK;
}

/*
 * How a sample wants a rwlock: as the module tells, or else by the slow path. That of a rwlock may
 * wait in that of the spinlock inside.
 */
static enum trace_irqoff_lock rwlock_of(const struct symbols *symbols, const struct entry *whole,
					const struct tio_sample *sample)
{
	struct trace trace;

	if (lock_known(sample))
		return sample->lock_kind == TRACE_IRQOFF_LOCK_SPIN ? TRACE_IRQOFF_LOCK_NONE :
								     sample->lock_kind;
	trace_of(&trace, symbols, whole, sample);
	for (int i = 0; i < trace.nsteps && function_waits(trace.steps[i].function); i++)
		if (trace.steps[i].function->rwlock)
			return trace.steps[i].function->rwlock;
	return TRACE_IRQOFF_LOCK_NONE;
}

/* "(waits for tasklist_lock, write)"; reports show no addresses */
static char *print_wait(const struct symbols *symbols, const struct entry *whole,
			const struct tio_sample *sample, enum trace_irqoff_lock rwlock,
			const char *waiter)
{
	const char *kind = rwlock ? lock_word(rwlock) : "", *comma = rwlock ? ", " : "";
	char buf[LOCK_NAME_LEN];
	const char *name = lock_name(buf, symbols, whole, sample);

	if (name)
		return print_text("(waits for %s%s%s)", name, comma, kind);
	return print_text("(waits for a lock%s%s%s%s)", waiter ? " of " : "", waiter ?: "", comma,
			  kind);
}

/*
 * "cleaner (kill)", or "worker_fn in kworker/0:1": what the one CPU did that may have had the
 * lock. Where several may, none is named.
 */
static char *print_candidate(const struct symbols *symbols, struct entry *whole)
{
	const struct tio_meanwhile *meanwhile = &whole->rec.meanwhile;
	const char *call;
	struct trace trace;
	int i = 0;

	if (!meanwhile->sample || meanwhile->candidates != 1)
		return NULL;
	trace_of(&trace, symbols, whole, meanwhile->sample);
	while (i < trace.nsteps && function_serves(trace.steps[i].function))
		i++;
	if (i == trace.nsteps)
		return NULL;
	call = behalf_operation(&trace);
	/* all that a system call does under the lock is one candidate */
	if (call)
		return print_text("%s (%s)", meanwhile->sample->comm, call);
	return print_text("%s in %s", trace.steps[i].function->text, meanwhile->sample->comm);
}

/* who waits is no suspect either */
static void suspect_lock(const struct symbols *symbols, struct entry *entry,
			 const struct tio_sample *sample)
{
	enum trace_irqoff_lock rwlock = rwlock_of(symbols, entry, sample);
	char *text = print_wait(symbols, entry, sample, rwlock, entry->found.suspect);

	culprit_forget(entry);
	entry->found.suspect = text;
}

static void blame_nobody(const struct symbols *symbols, struct entry *entry,
			 const struct tio_sample *sample)
{
	char *waiter = entry->found.culprit ? copy_text(entry->found.culprit) : NULL;
	enum trace_irqoff_lock rwlock = rwlock_of(symbols, entry, sample);
	char *text = print_wait(symbols, entry, sample, rwlock, waiter);
	char *candidate = print_candidate(symbols, entry);

	culprit_forget(entry);
	entry->found.lock_by = may_wait_at_the_end(entry);
	entry->found.rwlock = rwlock;
	entry->found.lock = text;
	entry->found.waiter = waiter;
	entry->found.candidate = candidate;
}

/**
 * lock_wait_find() - blame nobody for a wait of which the holder is not known
 * @symbols: names
 * @model: the record's
 * @packed: a record, after victim_link(); gets lock, waiter and candidate in place of culprit, or
 *	the lock in place of a suspect
 */
void lock_wait_find(const struct symbols *symbols, struct model *model, struct entry *packed)
{
	struct entry room, *entry;
	const struct tio_sample *sample;

	if (packed->found.waits_for || !is_waiting(packed))
		return;
	entry = entry_open(&room, packed);
	sample = may_wait_at_the_end(entry) ? &entry->rec.samples[0] :
					      entry_deciding_sample(entry);
	if (!mostly_waits(entry, sample))
		return;
	if (entry->found.verdict.suspected)
		suspect_lock(symbols, entry, sample);
	else
		blame_nobody(symbols, entry, sample);
	entry_share_names(entry, model_pool(model));
	entry_close(packed, entry);
}
