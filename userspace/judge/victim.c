// SPDX-License-Identifier: GPL-2.0-only
/*
 * A CPU that spins for a lock, or for the answer to an IPI, has a stall because another
 * CPU has one. Its samples show that it waited. No record says for whom. That is
 * inferred: it is the stall of another CPU that was going on when the sample was taken,
 * and ended when the wait did. Where no CPU was left to take a sample, the ends of the two
 * say as much.
 */
#include <stdlib.h>
#include <string.h>

#include "base/say.h"
#include "judge/overlap.h"
#include "judge/proof.h"
#include "judge/same_lock.h"
#include "judge/victim.h"
#include "names/lock_name.h"
#include "names/stack_functions.h"

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

/* the function in which a section ended as the CPU released a lock; NULL: in none */
static const struct function *ends_in_unlock(const struct symbols *symbols,
					     const struct entry *entry)
{
	const struct tio_sample *end = &entry->rec.end;
	const struct function *function;
	bool gone;

	if (entry->rec.open || !end->nframes || !(end->flags & TRACE_IRQOFF_F_AT_IRQ_ENABLE))
		return NULL;
	function = trace_frame(symbols, entry, end, 0, &gone);
	return !gone && function->core && function->unlock ? function : NULL;
}

/**
 * victim_look() - find what the CPU waited for in each sample of a record
 * @symbols: names
 * @entry: the record
 *
 * The module tells a lock where it is the slow path that was met, whatever that is called.
 */
void victim_look(const struct symbols *symbols, struct entry *entry)
{
	const struct function *unlock = ends_in_unlock(symbols, entry);

	entry->found.waits_by_end = false;
	entry->found.unlocks = unlock;
	entry->found.rwlock = unlock ? unlock->rwlock : TRACE_IRQOFF_LOCK_NONE;
	for (unsigned int i = 0; i < entry->rec.nsamples; i++) {
		const struct tio_sample *sample = &entry->rec.samples[i];

		entry->found.waits[i] = lock_known(sample) ? WAIT_LOCK :
							     met_in(symbols, entry, sample);
	}
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
	const struct tio_verdict *verdict = &entry->found.verdict;

	if (entry->found.waits_by_end)
		return WAIT_LOCK;
	if (entry->rec.open || !tio_class_blames(verdict->class) ||
	    verdict->evidence != TIO_EVIDENCE_SAMPLE || verdict->storm)
		return WAIT_NONE;
	return entry->found.waits[verdict->sample];
}

/* what is known of a stall's wait */
struct waiter {
	struct entry *entry;
	enum wait wait;
	__u64 met_ns;		/* the deciding sample */
	/*
	 * The wait ended between these two. They allow for the bounds' slack, because a
	 * virtual CPU that its host took away is sampled in a wait that is over already.
	 */
	__u64 from_ns;
	__u64 to_ns;
};

static struct waiter waiter_of(struct entry *entry)
{
	const struct tio_record *rec = &entry->rec;
	struct waiter waiter = { .entry = entry, .wait = victim_wait(entry) };
	unsigned int i = entry->found.verdict.sample;

	/* of a wait that no sample met only the beginning is known */
	waiter.met_ns = entry_start_ns(entry);
	if (entry->found.waits_by_end || waiter.wait == WAIT_NONE)
		return waiter;
	waiter.met_ns = entry_sampled_ns(entry, i);
	while (i + 1 < rec->nsamples && entry->found.waits[i + 1] == waiter.wait)
		i++;
	waiter.from_ns = entry_sampled_ns(entry, i) - entry_slack_ns(entry);
	waiter.to_ns = (i + 1 < rec->nsamples ? entry_sampled_ns(entry, i + 1) : rec->end_ns) +
		       entry_slack_ns(entry);
	return waiter;
}

static bool surely_on(const struct entry *entry, __u64 at_ns)
{
	return entry_start_ns(entry) <= at_ns && at_ns <= entry->rec.end_ns;
}

/* may it be waited for by who waits for this, by the state that its sample @i tells of? */
static bool may_hold(const struct entry *entry, int i, enum wait wait, bool waits)
{
	enum wait own = i < 0 ? WAIT_NONE : entry->found.waits[i];

	/* a CPU that takes interrupts answers */
	if (wait == WAIT_IPI && entry->rec.kind != TRACE_IRQOFF_KIND_HARD)
		return false;
	/* in user mode nobody holds a lock of the kernel */
	if (wait == WAIT_LOCK && i >= 0 && entry_sample(entry, i)->flags & TRACE_IRQOFF_F_USER)
		return false;
	/* a CPU that waits for the same kind of thing waits for a third CPU */
	return waits ? own != WAIT_NONE && own != wait : own == WAIT_NONE;
}

/* from then on a stall may be waited for, or may not */
struct turn {
	__u64 at_ns;
	size_t index;
	bool may;
};

struct turns {
	struct turn *all;
	size_t count;
};

static void add_turn(struct turns *turns, __u64 at_ns, size_t index, bool may)
{
	turns->all = grow(turns->all, turns->count, sizeof(*turns->all));
	turns->all[turns->count++] = (struct turn){ at_ns, index, may };
}

/*
 * A stall is surely on from its latest begin to its end. Its state at a moment is that of the
 * last sample taken by then, or else of the first one.
 */
static void add_turns(struct turns *turns, const struct entry *entry, size_t index,
		      enum wait wait, bool waits)
{
	const struct tio_record *rec = &entry->rec;
	__u64 start_ns = entry_start_ns(entry), behind_ns = rec->end_ns + 1;

	for (int i = (int)rec->nsamples - 1; start_ns < behind_ns; i--) {
		__u64 from_ns = i > 0 && entry_sampled_ns(entry, i) > start_ns ?
				entry_sampled_ns(entry, i) : start_ns;

		if (i > 0 && from_ns >= behind_ns)
			continue;
		if (may_hold(entry, i, wait, waits)) {
			add_turn(turns, from_ns, index, true);
			add_turn(turns, behind_ns, index, false);
		}
		behind_ns = from_ns;
	}
}

static int by_time(const void *a, const void *b)
{
	const struct turn *left = a, *right = b;

	if (left->at_ns != right->at_ns)
		return left->at_ns < right->at_ns ? -1 : 1;
	return left->may - right->may;
}

/* by when they were met */
static int by_met(const void *a, const void *b)
{
	const struct waiter *left = a, *right = b;

	return (left->met_ns > right->met_ns) - (left->met_ns < right->met_ns);
}

/* the index behind the records that had ended by then */
static size_t ended_by(const struct model *model, __u64 at_ns)
{
	return model_ended_from(model, at_ns < ~0ULL ? at_ns + 1 : at_ns);
}

static struct entry *most_with(const struct model *model, const struct overlap *overlap,
			       const struct waiter *waiter)
{
	/* what was going on when the wait was met ended later than that */
	__u64 from_ns = waiter->from_ns > waiter->met_ns ? waiter->from_ns : waiter->met_ns;
	size_t found = overlap_most(overlap, waiter->entry, model_ended_from(model, from_ns),
				    ended_by(model, waiter->to_ns),
				    waiter->entry->rec.min_ns / 2);

	return found == OVERLAP_NONE ? NULL : model->entries[found];
}

/*
 * Goes through time once, and at each moment at which a wait was met looks at the stalls that
 * may be waited for then.
 */
static void find_holders(const struct model *model, struct overlap *overlap,
			 const struct waiter *waiters, size_t count, bool waits)
{
	struct turns turns = { 0 };
	size_t next = 0;

	for (size_t i = 0; i < model->nentries && !model->entries[i]->rec.open; i++)
		add_turns(&turns, model->entries[i], i, waiters->wait, waits);
	if (turns.count)
		qsort(turns.all, turns.count, sizeof(*turns.all), by_time);
	for (size_t i = 0; i < count; i++) {
		for (; next < turns.count && turns.all[next].at_ns <= waiters[i].met_ns; next++)
			overlap_set(overlap, turns.all[next].index, turns.all[next].may);
		if (!waiters[i].entry->found.holder)
			waiters[i].entry->found.holder = most_with(model, overlap, &waiters[i]);
	}
	for (; next < turns.count; next++)
		overlap_set(overlap, turns.all[next].index, turns.all[next].may);
	free(turns.all);
}

/*
 * What ended when the wait did, went on as it was met, and covers half of the victim may be
 * what was waited for. Of several it is one that waits for nothing; of these, the one with the
 * longest overlap.
 */
static void find_waited_for(const struct model *model, struct overlap *overlap, enum wait wait)
{
	struct waiter *waiters = NULL;
	size_t count = 0;

	for (size_t i = 0; i < model->nentries; i++) {
		const struct waiter waiter = waiter_of(model->entries[i]);

		if (waiter.wait != wait)
			continue;
		waiters = grow(waiters, count, sizeof(*waiters));
		waiters[count++] = waiter;
	}
	if (count) {
		qsort(waiters, count, sizeof(*waiters), by_met);
		find_holders(model, overlap, waiters, count, false);
		find_holders(model, overlap, waiters, count, true);
	}
	free(waiters);
}

/*
 * Until when a wait is known to have lasted: a sample met it, or what had the lock ended. In a file
 * the later of two samples may be the earlier one.
 */
static __u64 waited_until(const struct waiter *waiter)
{
	const struct entry *entry = waiter->entry, *holder = entry->found.holder;
	__u64 met_ns = waiter->from_ns + entry_slack_ns(entry);
	__u64 end_ns = entry->rec.end_ns;

	if (met_ns < waiter->met_ns)
		met_ns = waiter->met_ns;
	if (!holder)
		return met_ns;
	if (holder->rec.end_ns < end_ns)
		end_ns = holder->rec.end_ns;
	return end_ns > met_ns ? end_ns : met_ns;
}

/* who waits for the same lock as a victim waits for the same stall */
static void find_by_lock(const struct model *model)
{
	struct lock_wait *waits = NULL;
	size_t count = 0;

	for (size_t i = 0; i < model->nentries; i++) {
		struct entry *entry = model->entries[i];
		const struct waiter waiter = waiter_of(entry);

		if (waiter.wait != WAIT_LOCK || entry->found.waits_by_end ||
		    !lock_known(entry_deciding_sample(entry)))
			continue;
		waits = grow(waits, count, sizeof(*waits));
		waits[count++] = (struct lock_wait){
			.entry = entry,
			.sample = entry_deciding_sample(entry),
			.from_ns = waiter.met_ns,
			.to_ns = waited_until(&waiter),
		};
	}
	same_lock_share(waits, count);
	free(waits);
}

static bool is_section(const struct entry *entry)
{
	return entry->rec.kind == TRACE_IRQOFF_KIND_HARD && !entry->rec.open &&
	       entry->found.verdict.class == TIO_CLASS_HARDIRQ_OFF;
}

/* did a sample meet it in anything but a wait for a lock, also one that says nothing else? */
static bool met_at_work(const struct entry *entry)
{
	for (unsigned int i = 0; i < entry->rec.nsamples; i++)
		if (entry->found.waits[i] != WAIT_LOCK)
			return true;
	return false;
}

/* may the ends alone say that it waited? */
static bool may_wait_by_end(const struct entry *entry)
{
	return is_section(entry) && entry->found.unlocks && !met_at_work(entry) &&
	       entry->found.verdict.evidence == TIO_EVIDENCE_END;
}

/* when a section may have begun at the earliest */
static __u64 earliest_ns(const struct entry *entry)
{
	return entry->rec.end_ns > entry->rec.max_ns ? entry->rec.end_ns - entry->rec.max_ns : 0;
}

/* of those that ended together, more than have ever begun one before the other */
#define MOST_BEGINS	64

/*
 * A CPU that spins with interrupts off is sampled unless all others do likewise, or hold the
 * lock. Then its end is all there is: it releases the lock as soon as it has it. What it
 * waited for is a section that also ended in the release of a lock, had surely begun before it
 * may have, and went on until then. Of several it is the one that began first.
 */
static struct entry *holder_by_end(const struct model *model, const struct overlap *sections,
				   const struct entry *entry)
{
	struct overlap_wish wish = {
		.not_cpu = entry->rec.cpu,
		.began_ns = earliest_ns(entry),
	};
	struct entry *best = NULL;

	if (!may_wait_by_end(entry))
		return NULL;
	wish.from = model_ended_from(model, entry->rec.end_ns - entry_slack_ns(entry));
	wish.to = ended_by(model, entry->rec.end_ns + entry_slack_ns(entry));
	for (unsigned int i = 0; i < MOST_BEGINS; i++) {
		size_t found = overlap_first(sections, &wish);

		if (found == OVERLAP_NONE)
			break;
		best = model->entries[found];
		wish.from = found + 1;
		if (earliest_ns(best) < wish.began_ns)
			wish.began_ns = earliest_ns(best);
	}
	return best;
}

static void find_by_ends(const struct model *model, struct overlap *overlap)
{
	for (size_t i = 0; i < model->nentries; i++)
		if (is_section(model->entries[i]) && model->entries[i]->found.unlocks)
			overlap_set(overlap, i, true);
	for (size_t i = 0; i < model->nentries; i++) {
		struct entry *entry = model->entries[i];

		if (!entry->found.holder)
			entry->found.holder = holder_by_end(model, overlap, entry);
		entry->found.waits_by_end = entry->found.holder && victim_wait(entry) == WAIT_NONE;
	}
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
	if (holder->rec.end_ns + entry_slack_ns(entry) < entry->rec.end_ns)
		return false;
	return waiter->wait == WAIT_IPI &&
	       proof_no_other(proof, entry, waiter->met_ns, holder->rec.cpu);
}

/* does it wait itself for the lock that is waited for? */
static bool holds_not(const struct entry *holder, const struct waiter *waiter)
{
	return waiter->wait == WAIT_LOCK && !waiter->entry->found.waits_by_end &&
	       same_lock_waits(holder, entry_deciding_sample(waiter->entry), waiter->met_ns);
}

/*
 * Follows the chain of holders to one that was not held up itself when the sample was
 * taken. A true circle would never have ended, so one of its links is wrong. Where none
 * is proved it may be any of them, and no stall of the circle is linked.
 */
static void link_one(const struct proof *proof, struct entry *entry)
{
	const struct waiter first = waiter_of(entry);
	struct entry *holder = entry->found.holder;
	bool probable = holder && !proved(proof, &first, holder);

	for (unsigned int i = 0; holder && i < WAITS_LONGEST_CHAIN; i++) {
		struct entry *next = holder->found.holder;
		bool circle = next && next->rec.cpu == entry->rec.cpu;

		if (!next || !surely_on(next, first.met_ns) || (circle && !probable)) {
			if (holds_not(holder, &first))
				return;
			entry->found.waits_for = holder;
			entry->found.probable = probable;
			return;
		}
		if (circle)
			return;
		holder = next;
		probable = true;
	}
}

static bool any_holder(const struct model *model)
{
	for (size_t i = 0; i < model->nentries; i++)
		if (model->entries[i]->found.holder)
			return true;
	return false;
}

/* bits: what stalls waited for; WAIT_NONE: one may have waited, by the ends */
static unsigned int forget_holders(struct model *model)
{
	unsigned int waits = 0;

	for (size_t i = 0; i < model->nentries; i++) {
		struct entry *entry = model->entries[i];
		enum wait wait = victim_wait(entry);

		entry->found.holder = NULL;
		if (wait != WAIT_NONE || may_wait_by_end(entry))
			waits |= 1U << wait;
	}
	return waits;
}

/**
 * victim_link() - find the stall that each one waited for
 * @model: all records, sorted, with their verdicts, after victim_look()
 */
void victim_link(struct model *model)
{
	unsigned int waits = forget_holders(model);
	struct overlap *overlap;
	struct proof *proof;

	if (!waits)
		return;
	overlap = overlap_new(model);
	for (enum wait wait = WAIT_LOCK; wait <= WAIT_STOP; wait++)
		if (waits & 1U << wait)
			find_waited_for(model, overlap, wait);
	if (waits & 1U << WAIT_LOCK)
		find_by_lock(model);
	find_by_ends(model, overlap);
	overlap_free(overlap);
	if (!any_holder(model))
		return;
	proof = proof_new(model);
	for (size_t i = 0; i < model->nentries; i++)
		link_one(proof, model->entries[i]);
	proof_free(proof);
}
