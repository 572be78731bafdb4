// SPDX-License-Identifier: GPL-2.0-only
/*
 * The end of a handler tells its interrupt, and not which function had the time: the timer's calls
 * whatever is due. It is the one that was sampled where that was the only one whenever a sample
 * met the interrupt, and where the ends come at its times.
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

static struct group *find_same(struct group *groups, size_t count, const struct group *ends)
{
	if (!is_handlers(ends) || ends->evidence != TIO_EVIDENCE_END)
		return NULL;
	for (size_t i = 0; i < count; i++)
		if (is_the_same(ends, &groups[i]))
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
