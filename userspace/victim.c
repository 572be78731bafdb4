// SPDX-License-Identifier: GPL-2.0-only
/*
 * A CPU that spins for a lock, or for the answer to an IPI, has a stall because another
 * CPU has one. Its samples show that it waited. No record says for whom. That is
 * inferred: it is the stall of another CPU that was going on when the sample was taken,
 * and ended when the wait did. Where no CPU was left to take a sample, the ends of the two
 * say as much.
 */
#include <string.h>

#include "proof.h"
#include "say.h"
#include "trace.h"
#include "victim.h"

/* the longest chain of stalls that wait for one another; a longer one is a circle */
#define LONGEST_CHAIN	8

static enum wait met_in(const struct symbols *symbols, const struct entry *entry,
			const struct tio_sample *sample)
{
	for (unsigned int i = 0; i < sample->nframes; i++) {
		bool gone;
		const struct function *function = trace_frame(symbols, entry, sample, i, &gone);

		if (gone || !function->core)
			return WAIT_NONE;
		if (function->wait != WAIT_NONE || !function->helper)
			return function->wait;
	}
	return WAIT_NONE;
}

/* did the section end as the CPU released a lock? */
static bool ends_in_unlock(const struct symbols *symbols, const struct entry *entry)
{
	const struct tio_sample *end = &entry->rec.end;
	const struct function *function;
	bool gone;

	if (entry->rec.open || !end->nframes || !(end->flags & TRACE_IRQOFF_F_AT_IRQ_ENABLE))
		return false;
	function = trace_frame(symbols, entry, end, 0, &gone);
	return !gone && function->core && function->unlock;
}

/**
 * victim_look() - find what the CPU waited for in each sample of a record
 * @symbols: names
 * @entry: the record
 */
void victim_look(const struct symbols *symbols, struct entry *entry)
{
	entry->waits_by_end = false;
	entry->alone = false;
	entry->unlocks = ends_in_unlock(symbols, entry);
	for (unsigned int i = 0; i < entry->rec.nsamples; i++)
		entry->waits[i] = met_in(symbols, entry, &entry->rec.samples[i]);
}

/**
 * victim_wait() - what a stall waited for
 * @entry: a record, after victim_look(), with its verdict
 *
 * Return: what the CPU waited for in the deciding sample. WAIT_NONE where the end
 * decides, because the wait was over then, and where the sample is there by chance: in a
 * storm, and on a CPU that did not run. After victim_link() it is WAIT_LOCK where the ends
 * alone say that it waited.
 */
enum wait victim_wait(const struct entry *entry)
{
	const struct tio_verdict *verdict = &entry->verdict;

	if (entry->waits_by_end)
		return WAIT_LOCK;
	if (entry->rec.open || verdict->class == TIO_CLASS_UNKNOWN ||
	    verdict->class == TIO_CLASS_STOLEN || verdict->evidence != TIO_EVIDENCE_SAMPLE ||
	    verdict->storm)
		return WAIT_NONE;
	return entry->waits[verdict->sample];
}

/* what is known of a stall's wait */
struct waiter {
	const struct entry *entry;
	enum wait wait;
	__u64 met_ns;		/* the deciding sample */
	/*
	 * The wait ended between these two. They allow for the bounds' slack, because a
	 * virtual CPU that its host took away is sampled in a wait that is over already.
	 */
	__u64 from_ns;
	__u64 to_ns;
};

static __u64 slack_ns(const struct entry *entry)
{
	return entry->rec.period_ns + TIO_BOUNDS_SLACK_NS;
}

static struct waiter waiter_of(const struct entry *entry)
{
	const struct tio_record *rec = &entry->rec;
	struct waiter waiter = { .entry = entry, .wait = victim_wait(entry) };
	unsigned int i = entry->verdict.sample;

	/* of a wait that no sample met only the beginning is known */
	waiter.met_ns = entry_start_ns(entry);
	if (entry->waits_by_end || waiter.wait == WAIT_NONE)
		return waiter;
	waiter.met_ns = rec->samples[i].at_ns;
	while (i + 1 < rec->nsamples && entry->waits[i + 1] == waiter.wait)
		i++;
	waiter.from_ns = rec->samples[i].at_ns - slack_ns(entry);
	waiter.to_ns = (i + 1 < rec->nsamples ? rec->samples[i + 1].at_ns : rec->end_ns) +
		       slack_ns(entry);
	return waiter;
}

/* the last sample taken by @at_ns, or else the first one; -1: there is none */
static int sample_at(const struct entry *entry, __u64 at_ns)
{
	int i = (int)entry->rec.nsamples - 1;

	while (i > 0 && entry->rec.samples[i].at_ns > at_ns)
		i--;
	return i;
}

static enum wait waits_at(const struct entry *entry, __u64 at_ns)
{
	int i = sample_at(entry, at_ns);

	return i < 0 ? WAIT_NONE : entry->waits[i];
}

/* was the CPU in user mode, where nobody holds a lock of the kernel? */
static bool user_at(const struct entry *entry, __u64 at_ns)
{
	int i = sample_at(entry, at_ns);

	return i >= 0 && entry->rec.samples[i].flags & TRACE_IRQOFF_F_USER;
}

static bool surely_on(const struct entry *entry, __u64 at_ns)
{
	return entry_start_ns(entry) <= at_ns && at_ns <= entry->rec.end_ns;
}

static __u64 overlap_ns(const struct entry *a, const struct entry *b)
{
	__u64 from_a = entry_start_ns(a), from_b = entry_start_ns(b);
	__u64 from_ns = from_a > from_b ? from_a : from_b;
	__u64 to_ns = a->rec.end_ns < b->rec.end_ns ? a->rec.end_ns : b->rec.end_ns;

	return to_ns > from_ns ? to_ns - from_ns : 0;
}

/* can @other, which ended when the wait did, be what was waited for? */
static bool fits(const struct waiter *waiter, const struct entry *other)
{
	const struct tio_record *rec = &waiter->entry->rec;

	/* a CPU that takes interrupts answers */
	if (waiter->wait == WAIT_IPI && other->rec.kind != TRACE_IRQOFF_KIND_HARD)
		return false;
	if (waiter->wait == WAIT_LOCK && user_at(other, waiter->met_ns))
		return false;
	/* a CPU that waits for the same kind of thing waits for a third CPU */
	return other->rec.cpu != rec->cpu && surely_on(other, waiter->met_ns) &&
	       overlap_ns(waiter->entry, other) >= rec->min_ns / 2 &&
	       waits_at(other, waiter->met_ns) != waiter->wait;
}

/* of several, one that waits for nothing; of these, the one with the longest overlap */
static struct entry *holder_of(const struct model *model, const struct waiter *waiter)
{
	struct entry *best = NULL;
	bool best_waits = false;

	if (waiter->wait == WAIT_NONE)
		return NULL;
	for (size_t i = model_ended_from(model, waiter->from_ns); i < model->nentries; i++) {
		struct entry *other = model->entries[i];
		bool waits;

		if (other->rec.open || other->rec.end_ns > waiter->to_ns)
			break;
		if (!fits(waiter, other))
			continue;
		waits = waits_at(other, waiter->met_ns) != WAIT_NONE;
		if (best && (waits > best_waits ||
			     (waits == best_waits && overlap_ns(waiter->entry, other) <=
						     overlap_ns(waiter->entry, best))))
			continue;
		best = other;
		best_waits = waits;
	}
	return best;
}

static bool is_section(const struct entry *entry)
{
	return entry->rec.kind == TRACE_IRQOFF_KIND_HARD && !entry->rec.open &&
	       entry->verdict.class == TIO_CLASS_HARDIRQ_OFF;
}

/* has @other surely begun before @entry may have? */
static bool began_before(const struct entry *other, const struct entry *entry)
{
	return entry_start_ns(other) + entry->rec.max_ns <= entry->rec.end_ns;
}

/*
 * A CPU that spins with interrupts off is sampled unless all others do likewise, or hold the
 * lock. Then its end is all there is: it releases the lock as soon as it has it. What it
 * waited for is a section that also ended in the release of a lock, had begun before, and
 * went on until then. Of several it is the one that began first.
 */
static struct entry *holder_by_end(const struct model *model, const struct entry *entry)
{
	struct entry *best = NULL;

	if (!is_section(entry) || !entry->unlocks || entry->verdict.evidence != TIO_EVIDENCE_END)
		return NULL;
	for (size_t i = model_ended_from(model, entry->rec.end_ns - slack_ns(entry));
	     i < model->nentries; i++) {
		struct entry *other = model->entries[i];

		if (other->rec.open || other->rec.end_ns > entry->rec.end_ns + slack_ns(entry))
			break;
		if (other->rec.cpu != entry->rec.cpu && is_section(other) && other->unlocks &&
		    began_before(other, entry) && (!best || began_before(other, best)))
			best = other;
	}
	return best;
}

/*
 * A CPU that takes interrupts answers an IPI. If a single CPU did not take interrupts
 * when the sample was taken, the wait was for that one.
 */
static bool proved(const struct proof *proof, const struct waiter *waiter,
		   const struct entry *holder)
{
	const struct entry *entry = waiter->entry;

	/* a victim that outlasts the holder may have waited for another one as well */
	if (holder->rec.end_ns + slack_ns(entry) < entry->rec.end_ns)
		return false;
	return waiter->wait == WAIT_IPI &&
	       proof_no_other(proof, entry, waiter->met_ns, holder->rec.cpu);
}

/*
 * Follows the chain of holders to one that was not held up itself when the sample was
 * taken. A true circle would never have ended, so one of its links is wrong. Where none
 * is proved it may be any of them, and no stall of the circle is linked.
 */
static void link_one(const struct proof *proof, struct entry *entry)
{
	const struct waiter first = waiter_of(entry);
	struct entry *holder = entry->holder;
	bool probable = holder && !proved(proof, &first, holder);

	for (unsigned int i = 0; holder && i < LONGEST_CHAIN; i++) {
		struct entry *next = holder->holder;
		bool circle = next && next->rec.cpu == entry->rec.cpu;

		if (!next || !surely_on(next, first.met_ns) || (circle && !probable)) {
			entry->waits_for = holder;
			entry->probable = probable;
			return;
		}
		if (circle)
			return;
		holder = next;
		probable = true;
	}
}

/**
 * victim_link() - find the stall that each one waited for
 * @model: all records, sorted, with their verdicts, after victim_look()
 */
void victim_link(struct model *model)
{
	struct proof *proof = proof_new(model);

	for (size_t i = 0; i < model->nentries; i++) {
		struct entry *entry = model->entries[i];
		const struct waiter waiter = waiter_of(entry);

		entry->holder = holder_of(model, &waiter);
		if (!entry->holder)
			entry->holder = holder_by_end(model, entry);
		entry->waits_by_end = entry->holder && waiter.wait == WAIT_NONE;
	}
	for (size_t i = 0; i < model->nentries; i++)
		link_one(proof, model->entries[i]);
	proof_free(proof);
}
