// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <string.h>

#include "base/pool.h"
#include "group/summary_keys.h"

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
	const struct container *container = cgroup_container(cgroup);
	const char *text;

	if (!cgroup || cgroup->state == CGROUP_UNKNOWN)
		return "(unknown)";
	if (cgroup->state == CGROUP_GONE)
		return "(gone)";
	text = key == SUMMARY_POD ? container->pod : container->id;
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

/**
 * summary_compare() - the order of two records by keys
 * @left: a record
 * @right: another one
 * @by: the keys
 *
 * Return: below, above or 0, where both are of one group.
 */
int summary_compare(const struct entry *left, const struct entry *right, unsigned int by)
{
	int order = 0;

	for (unsigned int key = 0; key < SUMMARY_KEYS && !order; key++)
		if (by & 1U << key)
			order = compare_key(left, right, key);
	return order;
}

/**
 * summary_hash() - a number that the records of a group have in common
 * @entry: a record
 * @by: the keys
 */
unsigned long summary_hash(const struct entry *entry, unsigned int by)
{
	unsigned long sum = by;

	for (unsigned int i = 0; i < SUMMARY_KEYS; i++) {
		const char *text;

		if (!(by & 1U << i))
			continue;
		if (i == SUMMARY_CPU) {
			sum = hash_bytes(&entry->rec.cpu, sizeof(entry->rec.cpu), sum);
			continue;
		}
		text = key_text(entry, i);
		sum = hash_bytes(text, strlen(text), sum);
		text = i == SUMMARY_CULPRIT ? task_cgroup(entry) : "";
		if (*text)
			sum = hash_bytes(text, strlen(text), sum);
	}
	return sum;
}
