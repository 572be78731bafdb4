// SPDX-License-Identifier: GPL-2.0-only
/*
 * What was seen only at its end, and is probably the same as what was sampled.
 *
 * The end of a handler tells its interrupt, and not which function had the time: the timer's calls
 * whatever is due. It is the one that was sampled where that was the only one whenever a sample
 * met the interrupt, and where the ends come at its times.
 *
 * A section that ends in the release of a rwlock has had it for a moment, or waited for it. It is a
 * wait where samples met its function waiting for one, likewise for reading or for writing, and
 * none met it having one.
 */
#include <string.h>

#include "group/ends_fold.h"

/* of one part in so many the periods of two series may differ */
#define SAME_PERIOD	64

static bool is_handlers(const struct group *group)
{
	return group->count && group->best->found.verdict.class == TIO_CLASS_HARDIRQ_LONG &&
	       *group->irq.name && !group->irqs;
}

static bool same_irq(const struct group *left, const struct group *right)
{
	return left->irq.number == right->irq.number && !strcmp(left->irq.name, right->irq.name);
}

static bool on_cpus_of(const struct group *group, const struct group *of)
{
	const struct cpuset *cpus = &group->seen.cpus;

	for (size_t cpu = 0; cpu < 64 * cpus->nwords; cpu++)
		if (cpuset_has(cpus, cpu) && !cpuset_has(&of->seen.cpus, cpu))
			return false;
	return true;
}

static bool on_one_node(const struct group *left, const struct group *right)
{
	return cpuset_count(&left->places) == 1 && cpuset_count(&right->places) == 1 &&
	       left->place == right->place;
}

/* has a sample met another one's handler of the same interrupt? */
static bool has_rival(const struct group *groups, size_t count, const struct group *sampled)
{
	for (size_t i = 0; i < count; i++) {
		const struct group *other = &groups[i];

		if (other != sampled && other->sampled &&
		    (other->irqs || (*other->irq.name && same_irq(other, sampled))))
			return true;
	}
	return false;
}

/* is chance no explanation of the ends' times, as it is none of those that were sampled? */
static bool at_its_times(const struct group *ends, const struct group *sampled)
{
	struct occasions occasions = { 0 };
	struct regularity alone, both;
	__u64 apart_ns;

	regularity_find(&alone, &sampled->occasions);
	if (!alone.period_ns)
		return false;
	occasions_merge(&occasions, &sampled->occasions, &ends->occasions);
	regularity_find(&both, &occasions);
	occasions_free(&occasions);
	apart_ns = both.period_ns > alone.period_ns ? both.period_ns - alone.period_ns :
						      alone.period_ns - both.period_ns;
	return apart_ns <= alone.period_ns / SAME_PERIOD &&
	       both.of - both.agree <= alone.of - alone.agree;
}

/* a longer one would have been sampled sooner than these */
static bool is_the_same(const struct group *ends, const struct group *sampled)
{
	return sampled->sampled && is_handlers(sampled) && same_irq(ends, sampled) &&
	       ends->longest_ns <= sampled->longest_ns && on_one_node(ends, sampled) &&
	       on_cpus_of(ends, sampled) && at_its_times(ends, sampled);
}

/* sections of one function that ended as it released a rwlock, the same way each */
static bool is_release(const struct group *group)
{
	return group->count && group->evidence == TIO_EVIDENCE_END &&
	       group->best->found.culprit && !group->best->found.or_caller &&
	       group->best->found.verdict.class == TIO_CLASS_HARDIRQ_OFF &&
	       (group->rwlocks == 1U << TRACE_IRQOFF_LOCK_READ ||
		group->rwlocks == 1U << TRACE_IRQOFF_LOCK_WRITE);
}

/* a longer one may have had the lock itself; bounds are some part of a length apart */
#define LONGER_PART	4

static bool waited_for(const struct group *waits, const struct group *ends)
{
	return waits->best->found.lock && waits->sampled && waits->rwlocks == ends->rwlocks &&
	       waits->best->found.verdict.class == TIO_CLASS_HARDIRQ_OFF &&
	       name_counts_have(waits->waiters, ends->best->found.culprit) &&
	       ends->longest_ns <= waits->longest_ns + waits->longest_ns / LONGER_PART &&
	       on_one_node(ends, waits);
}

static bool was_met_at_work(const struct group *groups, size_t count, const char *function)
{
	for (size_t i = 0; i < count; i++) {
		const char *culprit = groups[i].best ? groups[i].best->found.culprit : NULL;

		if (groups[i].sampled && culprit && !strcmp(culprit, function))
			return true;
	}
	return false;
}

/* the only lock that its function was met waiting for */
static struct group *find_wait(struct group *groups, size_t count, const struct group *ends)
{
	struct group *found = NULL;

	if (was_met_at_work(groups, count, ends->best->found.culprit))
		return NULL;
	for (size_t i = 0; i < count; i++) {
		if (!groups[i].best || !waited_for(&groups[i], ends))
			continue;
		if (found)
			return NULL;
		found = &groups[i];
	}
	return found;
}

static struct group *find_same(struct group *groups, size_t count, const struct group *ends)
{
	if (!ends->best)
		return NULL;
	if (is_release(ends))
		return find_wait(groups, count, ends);
	if (!is_handlers(ends) || ends->evidence != TIO_EVIDENCE_END)
		return NULL;
	for (size_t i = 0; i < count; i++)
		if (groups[i].best && is_the_same(ends, &groups[i]))
			return has_rival(groups, count, &groups[i]) ? NULL : &groups[i];
	return NULL;
}

/**
 * ends_fold() - count what is probably the same, seen only at its end, with what was sampled
 * @groups: by culprit and class; those that are counted with another one go
 * @count: how many there are
 *
 * Return: how many are left.
 */
size_t ends_fold(struct group *groups, size_t count)
{
	size_t left = 0;

	for (size_t i = 0; i < count; i++) {
		struct group *ends = &groups[i], *same = find_same(groups, count, ends);

		if (!same)
			continue;
		if (same->best->found.lock)
			name_counts_add(&same->waiters, ends->best->found.culprit, ends->count);
		group_merge(same, ends);
		same->folded += ends->count;
		group_forget(ends);
		*ends = (struct group){ 0 };
	}
	for (size_t i = 0; i < count; i++)
		if (groups[i].best)
			groups[left++] = groups[i];
	return left;
}
