// SPDX-License-Identifier: GPL-2.0-only
#include <json-c/linkhash.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/pool.h"
#include "base/say.h"
#include "group/evidence.h"
#include "group/summary.h"
#include "judge/culprit.h"
#include "model/charge.h"

#define FIRST_SIZE	64

static const char * const key_names[SUMMARY_KEYS] = {
	[SUMMARY_CULPRIT]	= "culprit",
	[SUMMARY_BUSY]		= "busy",
	[SUMMARY_CLASS]		= "class",
	[SUMMARY_CPU]		= "cpu",
	[SUMMARY_COMM]		= "comm",
	[SUMMARY_CGROUP]	= "cgroup",
	[SUMMARY_POD]		= "pod",
	[SUMMARY_CONTAINER]	= "container",
};

static const char * const sort_names[SUMMARY_SORTS] = {
	[SUMMARY_TOTAL]	= "total",
	[SUMMARY_COUNT]	= "count",
	[SUMMARY_LONGEST]	= "longest",
	[SUMMARY_COST]		= "cost",
};

const char *summary_key_name(enum summary_key key)
{
	return key_names[key];
}

/* the key at a place, NULL behind the last one */
const char *summary_key_word(unsigned int i)
{
	return i < SUMMARY_KEYS ? key_names[i] : NULL;
}

/* what groups are sorted by, at a place; NULL behind the last one */
const char *summary_sort_word(unsigned int i)
{
	return i < SUMMARY_SORTS ? sort_names[i] : NULL;
}

/**
 * summary_take_key() - take the first key off a list
 * @list: "culprit,cpu"; set to the comma behind it, or the end
 *
 * Return: the key; SUMMARY_KEYS where it is none.
 */
enum summary_key summary_take_key(const char **list)
{
	size_t len = strcspn(*list, ",");
	unsigned int key = 0;

	while (key < SUMMARY_KEYS && (strlen(key_names[key]) != len ||
				      strncmp(*list, key_names[key], len)))
		key++;
	*list += len;
	return key;
}

/**
 * summary_parse_by() - "culprit,cpu"
 * @list: names of keys
 * @by: a bit for each
 *
 * Return: true when @list was one.
 */
bool summary_parse_by(const char *list, unsigned int *by)
{
	*by = 0;
	do {
		enum summary_key key = summary_take_key(&list);

		if (key == SUMMARY_KEYS)
			return false;
		*by |= 1U << key;
	} while (*list++);
	return true;
}

bool summary_parse_sort(const char *word, enum summary_sort *sort)
{
	for (unsigned int i = 0; i < SUMMARY_SORTS; i++) {
		if (!strcmp(word, sort_names[i])) {
			*sort = i;
			return true;
		}
	}
	return false;
}

/* a task outside of any container is told from one whose cgroup is not known */
static const char *container_text(const struct cgroup *cgroup, enum summary_key key)
{
	const char *text;

	if (!cgroup || cgroup->state == CGROUP_UNKNOWN)
		return "(unknown)";
	if (cgroup->state == CGROUP_GONE)
		return "(gone)";
	text = key == SUMMARY_POD ? cgroup->container.pod : cgroup->container.id;
	return *text ? text : "(none)";
}

static const char *key_text(const struct entry *entry, enum summary_key key)
{
	const struct tio_sample *task = entry_deciding_sample(entry);
	const struct cgroup *cgroup = sample_cgroup(task);

	switch (key) {
	case SUMMARY_CULPRIT:
		if (entry->found.lock)
			return entry->found.lock;
		return entry->found.culprit ? entry->found.culprit : "(unknown)";
	case SUMMARY_BUSY:
		return entry->found.busy_in ? entry->found.busy_in : "(unknown)";
	case SUMMARY_CLASS:
		return tio_class_name(entry->found.verdict.class);
	case SUMMARY_COMM:
		return task ? task->comm : "(unknown)";
	case SUMMARY_CGROUP:
		return cgroup ? cgroup->text : "(unknown)";
	default:
		return container_text(cgroup, key);
	}
}

/*
 * What tells tasks of one name apart. "" where the culprit is no task, and where the cgroup is
 * not known.
 */
static const char *task_cgroup(const struct entry *entry)
{
	const struct cgroup *cgroup;

	if (!entry->found.met || !entry->found.culprit)
		return "";
	cgroup = sample_cgroup(entry_naming_sample(entry));
	return cgroup ? cgroup->text : "";
}

/**
 * summary_key_text() - what a record has under a key
 * @buf: room
 * @size: of it
 * @entry: the record
 * @key: the key
 *
 * Two groups may have the same text: tasks of one name are a group for each cgroup.
 *
 * Return: the text, in @buf or as long-lived as @entry.
 */
const char *summary_key_text(char *buf, size_t size, const struct entry *entry,
			     enum summary_key key)
{
	if (key == SUMMARY_CPU)
		snprintf(buf, size, "%u", entry->rec.cpu);
	else if (key == SUMMARY_CONTAINER)
		snprintf(buf, size, "%.*s", CONTAINER_SHORT_LEN, key_text(entry, key));
	else
		return key_text(entry, key);
	return buf;
}

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

static int compare_key(const struct entry *left, const struct entry *right, enum summary_key key)
{
	int order;

	if (key == SUMMARY_CPU)
		return (left->rec.cpu > right->rec.cpu) - (left->rec.cpu < right->rec.cpu);
	order = strcmp(key_text(left, key), key_text(right, key));
	if (order || key != SUMMARY_CULPRIT)
		return order;
	return strcmp(task_cgroup(left), task_cgroup(right));
}

static int compare_keys(const struct entry *left, const struct entry *right, unsigned int by)
{
	int order = 0;

	for (unsigned int key = 0; key < SUMMARY_KEYS && !order; key++)
		if (by & 1U << key)
			order = compare_key(left, right, key);
	return order;
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
	unsigned long sum = key->by;

	for (unsigned int i = 0; i < SUMMARY_KEYS; i++) {
		const char *text;

		if (!(key->by & 1U << i))
			continue;
		if (i == SUMMARY_CPU) {
			sum = hash_bytes(&key->entry->rec.cpu, sizeof(key->entry->rec.cpu), sum);
			continue;
		}
		text = key_text(key->entry, i);
		sum = hash_bytes(text, strlen(text), sum);
		text = i == SUMMARY_CULPRIT ? task_cgroup(key->entry) : "";
		if (*text)
			sum = hash_bytes(text, strlen(text), sum);
	}
	return sum;
}

static int same_key(const void *a, const void *b)
{
	const struct group_key *left = a, *right = b;

	return !compare_keys(left->entry, right->entry, left->by);
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

	sighting_add(&group->victims_seen, entry);
	if (!group->count) {
		keep_best(group, entry->found.waits_for, builder->place);
		sighting_add(&group->seen, entry->found.waits_for);
	}
	group->evidence |= entry->found.waits_for->found.verdict.evidence;
	group->victims++;
	group->probable += entry->found.probable;
	group->victims_ns += entry_own_ns(entry);
	cost_add(&group->cost, entry);
	if (entry->view.early) {
		group->victims_early++;
		group->victims_early_ns += entry_own_ns(entry);
	}
	add_packets(group, entry);
	builder->summary->victims = true;
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
	behalf_add(&group->behalves, entry);
	if (entry->found.waiter)
		lock_waiters_add(&group->waiters, entry->found.waiter);
	if (entry->found.candidate)
		lock_waiters_add(&group->candidates, entry->found.candidate);
	/* others may have several culprits */
	if (builder->summary->by & 1U << SUMMARY_CULPRIT)
		met_tasks_add(&group->tasks, entry, builder->place);
	group->evidence |= entry->found.verdict.evidence;
	group->count++;
	group->suspected += !!entry->found.verdict.suspected;
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

/*
 * A short stall that held up many CPUs comes before a longer one of one CPU, and one that was
 * sampled before one of which only the end was seen, unless that has ten times the time.
 */
static __u64 weight(const struct group *group, unsigned int by)
{
	bool light = by & 1U << SUMMARY_CULPRIT && summary_ends_alone(group);

	return (group->total_ns + group->victims_ns) / (light ? 10 : 1);
}

struct order {
	enum summary_sort sort;
	unsigned int by;
};

static int compare_groups(const void *a, const void *b, void *context)
{
	const struct group *left = a, *right = b;
	const struct order *order = context;
	const __u64 keys[SUMMARY_SORTS][2] = {
		[SUMMARY_TOTAL] = { weight(left, order->by),
				    weight(right, order->by) },
		[SUMMARY_COUNT] = { left->count, right->count },
		[SUMMARY_LONGEST] = { left->longest_ns, right->longest_ns },
		[SUMMARY_COST] = { cost_sum(&left->cost).min_ns,
				   cost_sum(&right->cost).min_ns },
	};
	const __u64 *key = keys[order->sort];

	if (key[0] != key[1])
		return key[0] > key[1] ? -1 : 1;
	return compare_keys(left->best, right->best, order->by);
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
 * summary_end() - put the groups into order
 * @summary: all models were added
 * @sort: what the groups are sorted by, the largest first
 */
void summary_end(struct summary *summary, enum summary_sort sort)
{
	struct order order = { .sort = sort, .by = summary->by };

	lh_table_free(summary->index);
	summary->index = NULL;
	for (size_t i = 0; i < summary->ngroups; i++) {
		lock_waiters_sort(&summary->groups[i].waiters);
		lock_waiters_sort(&summary->groups[i].candidates);
	}
	if (summary->ngroups)
		qsort_r(summary->groups, summary->ngroups, sizeof(*summary->groups),
			compare_groups, &order);
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

static void group_free(struct group *group)
{
	sighting_free(&group->seen);
	sighting_free(&group->victims_seen);
	behalf_free(&group->behalves);
	lock_waiters_free(&group->waiters);
	lock_waiters_free(&group->candidates);
	met_tasks_free(&group->tasks);
	occasions_free(&group->occasions);
	cpuset_free(&group->places);
}

/* was nothing but the tracer's own code met? */
bool group_is_tracer(const struct group *group)
{
	const char *culprit = group->best->found.culprit;

	return culprit && !strcmp(culprit, CULPRIT_TRACER);
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
			group_free(group);
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
		group_free(&summary->groups[i]);
	free(summary->groups);
	if (summary->index)
		lh_table_free(summary->index);
	*summary = (struct summary){ 0 };
}

void sighting_add(struct sighting *sighting, const struct entry *entry)
{
	bool first = !sighting->count++;

	if (first || entry_start_ns(entry) < sighting->first_ns)
		sighting->first_ns = entry_start_ns(entry);
	if (first || entry->rec.end_ns > sighting->last_ns)
		sighting->last_ns = entry->rec.end_ns;
	if (entry->rec.min_ns > sighting->longest_ns)
		sighting->longest_ns = entry->rec.min_ns;
	cpuset_add(&sighting->cpus, entry->rec.cpu);
}

void sighting_free(struct sighting *sighting)
{
	cpuset_free(&sighting->cpus);
	*sighting = (struct sighting){ 0 };
}
