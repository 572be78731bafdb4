// SPDX-License-Identifier: GPL-2.0-only
#include <json-c/linkhash.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/lower_bound.h"
#include "base/say.h"
#include "group/ends_fold.h"
#include "group/evidence.h"
#include "group/summary.h"
#include "judge/culprit.h"
#include "model/charge.h"

#define FIRST_SIZE	64

/**
 * summary_evidence_name() - what classes and culprits of a group rest on
 * @group: the group
 *
 * Return: as tio_evidence_name() has it where all records agree, else "both".
 */
const char *summary_evidence_name(const struct group *group)
{
	/* an open stall without evidence does not change the word for the others */
	static const char * const names[] = {
		[TIO_EVIDENCE_NONE]				= "none",
		[TIO_EVIDENCE_END]				= "end",
		[TIO_EVIDENCE_SAMPLE]				= "sample",
		[TIO_EVIDENCE_END | TIO_EVIDENCE_SAMPLE]	= "both",
	};

	return names[group->evidence];
}

/*
 * Is somebody blamed of whom only ends were seen? What ran then may be innocent: a caller of it
 * may have begun the section, or it came by as the CPU was given back. An interrupt's handler
 * is measured.
 */
bool summary_ends_alone(const struct group *group)
{
	return group->best->found.culprit && group->evidence == TIO_EVIDENCE_END &&
	       group->best->found.verdict.class != TIO_CLASS_HARDIRQ_LONG;
}

/**
 * summary_differs() - did the samples of a group meet what has nothing in common but a name?
 * @group: the group
 *
 * Return: true where they met several tasks, or functions of which none stands for the others; a
 * task in user mode is one by itself.
 */
bool summary_differs(const struct group *group)
{
	const struct met_tasks *tasks = group->tasks;
	bool shared = tasks && (tasks->user || *tasks->met_in);

	return (tasks && (tasks->count > 1 || !shared)) || culprit_is_many(group->best);
}

/**
 * summary_busy() - what all stalls of a group that were sampled were busy in
 * @group: the group
 *
 * Return: the function; NULL where they differ, and where it is not known of all of them.
 */
const char *summary_busy(const struct group *group)
{
	const struct name_counts *busy = group->busy;

	if (!busy || busy->count != 1 || busy->all->stalls != group->sampled)
		return NULL;
	return busy->all->name;
}

/* 0 for a group that has victims only */
__u64 summary_mean_ns(const struct group *group)
{
	return group->count ? group->total_ns / group->count : 0;
}

/**
 * summary_regularity() - do a group's stalls come at regular times?
 * @group: the group
 * @regularity: the result; none of several nodes, whose times have nothing to do with each other
 */
void summary_regularity(const struct group *group, struct regularity *regularity)
{
	*regularity = (struct regularity){ 0 };
	if (cpuset_count(&group->places) == 1)
		regularity_find(regularity, &group->occasions);
}

/**
 * summary_apart() - how far apart are a group's stalls, where they are too few to look regular?
 * @group: the group
 *
 * Return: as occasions_apart(), to be freed; NULL of several nodes likewise.
 */
char *summary_apart(const struct group *group)
{
	return cpuset_count(&group->places) == 1 ? occasions_apart(&group->occasions) : NULL;
}

/* a summary that grows */
struct builder {
	struct summary *summary;
	unsigned int place;
};

/* what the records of a group have in common, read off the best of them */
struct group_key {
	const struct entry *entry;
	unsigned int by;
};

static unsigned long hash_key(const void *a)
{
	const struct group_key *key = a;

	return summary_hash(key->entry, key->by);
}

static int same_key(const void *a, const void *b)
{
	const struct group_key *left = a, *right = b;

	return !summary_compare(left->entry, right->entry, left->by);
}

static void free_key(struct lh_entry *entry)
{
	free((void *)lh_entry_k(entry));
}

/* the entry stays while it stands for the group, others may go */
static void set_best(struct group *group, struct entry *entry, unsigned int place)
{
	if (group->best)
		group->best->view.kept = false;
	entry->view.kept = true;
	group->best = entry;
	group->key->entry = entry;
	group->place = place;
}

static struct group *group_of(struct builder *builder, struct entry *entry)
{
	struct summary *summary = builder->summary;
	const struct group_key wanted = { .entry = entry, .by = summary->by };
	struct group_key *key;
	struct group *group;
	void *index;

	if (lh_table_lookup_ex(summary->index, &wanted, &index)) {
		group = &summary->groups[(uintptr_t)index];
		cpuset_add(&group->places, builder->place);
		return group;
	}
	key = alloc(1, sizeof(*key));
	*key = wanted;
	if (lh_table_insert(summary->index, key, (void *)(uintptr_t)summary->ngroups))
		exit(failed("out of memory"));
	summary->groups = grow(summary->groups, summary->ngroups, sizeof(*group));
	group = &summary->groups[summary->ngroups++];
	*group = (struct group){ .key = key };
	set_best(group, entry, builder->place);
	cpuset_add(&group->places, builder->place);
	return group;
}

static void keep_best(struct group *group, struct entry *entry, unsigned int place)
{
	if (evidence_better(entry, group->best))
		set_best(group, entry, place);
}

/* packets that waited or were dropped because of a victim count for its culprit as well */
static void add_packets(struct group *group, const struct entry *entry)
{
	struct tio_record room;
	const struct tio_softnet *net = &entry_record(&room, entry)->net;

	group->packets_waited += net->waited;
	group->packets_dropped += net->dropped;
}

/* a filter may have dropped the stall that it waited for */
static void add_victim(struct builder *builder, struct entry *entry)
{
	struct group *group = group_of(builder, entry->found.waits_for);
	struct victims *victims = group_add_victims(group);

	sighting_add(&victims->seen, entry);
	if (!group->count) {
		keep_best(group, entry->found.waits_for, builder->place);
		sighting_add(&group->seen, entry->found.waits_for);
	}
	group->evidence |= entry->found.waits_for->found.verdict.evidence;
	victims->probable += entry->found.probable;
	victims->ns += entry_own_ns(entry);
	cost_add(&group->cost, entry);
	if (entry->view.early) {
		victims->early++;
		victims->early_ns += entry_own_ns(entry);
	}
	add_packets(group, entry);
	builder->summary->victims = true;
}

/* the interrupt whose handler a sample met, or that an end names as the one that took longest */
static void add_irq(struct group *group, const struct entry *entry)
{
	const struct tio_sample *sample = entry_deciding_sample(entry);
	const struct tio_verdict *verdict = &entry->found.verdict;
	const struct tio_irq *irq;

	if (verdict->class != TIO_CLASS_HARDIRQ_LONG || !sample)
		return;
	irq = &sample->irq;
	if (!*group->irq.name)
		group->irq = *irq;
	group->irqs |= verdict->storm || verdict->nmi || !*irq->name ||
		       irq->number != group->irq.number || strcmp(irq->name, group->irq.name);
}

static void add(struct builder *builder, struct entry *entry)
{
	struct group *group = group_of(builder, entry);

	/* what stood for the group may be a stall that a filter dropped */
	if (!group->count) {
		set_best(group, entry, builder->place);
		sighting_free(&group->seen);
	}
	keep_best(group, entry, builder->place);
	sighting_add(&group->seen, entry);
	occasions_add(&group->occasions, entry_start_ns(entry));
	behalf_add(&group->behalves, entry, builder->place);
	group->rwlocks |= 1U << entry->found.rwlock;
	if (entry->found.waiter)
		name_counts_add(&group->waiters, entry->found.waiter, 1);
	if (entry->found.candidate)
		name_counts_add(&group->candidates, entry->found.candidate, 1);
	/* others may have several culprits */
	if (builder->summary->by & 1U << SUMMARY_CULPRIT)
		met_tasks_add(&group->tasks, entry, builder->place);
	group->evidence |= entry->found.verdict.evidence;
	group->count++;
	add_irq(group, entry);
	if (entry->found.verdict.evidence == TIO_EVIDENCE_SAMPLE) {
		group->sampled++;
		if (entry->found.busy_in)
			name_counts_add(&group->busy, entry->found.busy_in, 1);
	}
	group->suspected += !!entry->found.verdict.suspected;
	if (entry->found.suspect)
		name_counts_add(&group->suspects, entry->found.suspect, 1);
	add_packets(group, entry);
	group->total_ns += entry_own_ns(entry);
	cost_add(&group->cost, entry);
	if (entry->view.early) {
		group->early++;
		group->early_ns += entry_own_ns(entry);
	}
	if (entry->rec.min_ns > group->longest_ns)
		group->longest_ns = entry->rec.min_ns;
}

struct order {
	enum summary_sort sort;
	unsigned int by;
};

/*
 * A short stall that held up many CPUs comes before a longer one of one CPU, and one that was
 * sampled before one of which only the end was seen, unless that has ten times the time.
 */
static __u64 weight(const struct group *group, unsigned int by)
{
	bool light = by & 1U << SUMMARY_CULPRIT && summary_ends_alone(group);

	return (group->total_ns + group_victims(group)->ns) / (light ? 10 : 1);
}

/*
 * Did samples meet code that holds interrupts or softirqs off, or a wait for a lock, and agree on
 * it?
 */
static bool holds(const struct group *group)
{
	const struct entry *best = group->best;

	if (group->sampled && best->found.lock)
		return true;
	return group->sampled && charge_blames(best) && best->found.culprit && !best->found.met &&
	       !summary_differs(group) && !group_is_tracer(group);
}

static int by_size(const void *a, const void *b)
{
	const __u64 *left = a, *right = b;

	return (*left > *right) - (*left < *right);
}

/* the weights of all code that holds, to be freed; the least one first */
static __u64 *weights_that_hold(const struct summary *summary, size_t *count)
{
	__u64 *all = alloc(summary->ngroups + 1, sizeof(*all));

	*count = 0;
	for (size_t i = 0; i < summary->ngroups; i++)
		if (holds(&summary->groups[i]))
			all[(*count)++] = weight(&summary->groups[i], summary->by);
	if (*count)
		qsort(all, *count, sizeof(*all), by_size);
	return all;
}

/* so many times the time of code that holds is not explained by it */
#define FAR_MORE	16

/*
 * A group whose samples differ stands behind all code that holds, but for that of which it has
 * far more time.
 */
static void rank_groups(struct summary *summary)
{
	size_t count;
	__u64 *held = weights_that_hold(summary, &count);

	for (size_t i = 0; i < summary->ngroups; i++) {
		struct group *group = &summary->groups[i];
		__u64 ns = weight(group, summary->by);
		size_t least = summary_differs(group) ?
			       lower_bound(0, count, k, held[k] < ns / FAR_MORE) : count;

		group->rank_ns = least < count && held[least] < ns ? held[least] : ns;
	}
	free(held);
}

static int descending(__u64 left, __u64 right)
{
	return (left < right) - (left > right);
}

static int by_time(const struct group *left, const struct group *right, const struct order *order)
{
	int ret = descending(left->rank_ns, right->rank_ns);

	if (!ret)
		ret = summary_differs(left) - summary_differs(right);
	return ret ?: descending(weight(left, order->by), weight(right, order->by));
}

static int compare(const void *a, const void *b, void *context)
{
	const struct group *left = a, *right = b;
	const struct order *order = context;
	int ret;

	switch (order->sort) {
	case SUMMARY_COUNT:
		ret = descending(left->count, right->count);
		break;
	case SUMMARY_LONGEST:
		ret = descending(left->longest_ns, right->longest_ns);
		break;
	case SUMMARY_COST:
		ret = descending(cost_sum(&left->cost).min_ns, cost_sum(&right->cost).min_ns);
		break;
	default:
		ret = by_time(left, right, order);
	}
	return ret ?: summary_compare(left->best, right->best, order->by);
}

static void sort_groups(struct summary *summary, enum summary_sort sort)
{
	struct order order = { .sort = sort, .by = summary->by };

	if (!summary->ngroups)
		return;
	rank_groups(summary);
	qsort_r(summary->groups, summary->ngroups, sizeof(*summary->groups), compare, &order);
}

/**
 * summary_begin() - a summary that models are added to
 * @summary: the result; ends with summary_free()
 * @by: keys whose values make a group
 */
void summary_begin(struct summary *summary, unsigned int by)
{
	*summary = (struct summary){
		.by = by,
		.index = or_exit(lh_table_new(FIRST_SIZE, free_key, hash_key, same_key)),
	};
}

static void add_charge(const struct charge *charge, void *context)
{
	if (charge_is_victims(charge))
		add_victim(context, charge->entry);
	else
		add(context, charge->entry);
}

/**
 * summary_add() - sum up the records of a model, and their victims
 * @summary: from summary_begin()
 * @model: sorted records; those that are kept then must stay as long as @summary
 * @place: the node that they come from (places.h)
 */
void summary_add(struct summary *summary, const struct model *model, unsigned int place)
{
	struct builder builder = { .summary = summary, .place = place };

	charges_each(model, add_charge, &builder);
}

/**
 * summary_group() - the group that a record is in
 * @summary: not summary_end()ed
 * @entry: a record
 *
 * Return: the group; NULL where none has these keys.
 */
const struct group *summary_group(const struct summary *summary, const struct entry *entry)
{
	const struct group_key wanted = { .entry = entry, .by = summary->by };
	void *index;

	return lh_table_lookup_ex(summary->index, &wanted, &index) ?
	       &summary->groups[(uintptr_t)index] : NULL;
}

/**
 * summary_end() - put the groups into order
 * @summary: all models were added
 * @sort: what the groups are sorted by, the largest first
 */
void summary_end(struct summary *summary, enum summary_sort sort)
{
	lh_table_free(summary->index);
	summary->index = NULL;
	if (summary->by == SUMMARY_BY_DEFAULT)
		summary->ngroups = ends_fold(summary->groups, summary->ngroups);
	for (size_t i = 0; i < summary->ngroups; i++) {
		name_counts_sort(summary->groups[i].busy);
		name_counts_sort(summary->groups[i].waiters);
		name_counts_sort(summary->groups[i].candidates);
		name_counts_sort(summary->groups[i].suspects);
	}
	sort_groups(summary, sort);
}

/**
 * summary_build() - sum up the records of a model, and their victims
 * @summary: the result; ends with summary_free()
 * @model: sorted records; must stay as long as @summary
 * @by: keys whose values make a group
 * @sort: what the groups are sorted by, the largest first
 */
void summary_build(struct summary *summary, const struct model *model, unsigned int by,
		   enum summary_sort sort)
{
	summary_begin(summary, by);
	summary_add(summary, model, 0);
	summary_end(summary, sort);
}

/**
 * summary_blames() - does a group blame somebody, so that it is a row of the table?
 * @summary: the summary
 * @group: one of its groups
 *
 * A lock that was waited for is a row as well: it is what to look for.
 *
 * Return: false for the classes stolen and unknown and for the tracer itself, unless the groups
 * have other keys than culprit and class.
 */
bool summary_blames(const struct summary *summary, const struct group *group)
{
	const unsigned int blame = 1U << SUMMARY_CULPRIT | 1U << SUMMARY_CLASS;

	return !(summary->by & 1U << SUMMARY_CLASS) || summary->by & ~blame ||
	       group->best->found.lock ||
	       (charge_blames(group->best) && !group_is_tracer(group));
}

/* did packets wait, or were any dropped? */
bool summary_packets(const struct summary *summary)
{
	for (size_t i = 0; i < summary->ngroups; i++)
		if (summary->groups[i].packets_waited || summary->groups[i].packets_dropped)
			return true;
	return false;
}

/**
 * summary_top() - keep the first groups
 * @summary: sorted groups
 * @most: how many of those that blame somebody are kept; the others stay. 0: all
 */
void summary_top(struct summary *summary, size_t most)
{
	size_t kept = 0, blamed = 0;

	for (size_t i = 0; i < summary->ngroups; i++) {
		struct group *group = &summary->groups[i];

		if (most && summary_blames(summary, group) && blamed++ >= most) {
			group_forget(group);
			summary->left_out++;
		} else {
			summary->groups[kept++] = *group;
		}
	}
	summary->ngroups = kept;
}

void summary_free(struct summary *summary)
{
	for (size_t i = 0; i < summary->ngroups; i++)
		group_forget(&summary->groups[i]);
	free(summary->groups);
	if (summary->index)
		lh_table_free(summary->index);
	*summary = (struct summary){ 0 };
}
