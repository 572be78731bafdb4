// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "base/units.h"
#include "causes/causes.h"
#include "model/labels.h"
#include "model/policy.h"
#include "names/lock_name.h"
#include "output/json/out_json.h"

void put(struct json_object *object, const char *key, struct json_object *value)
{
	json_object_object_add(object, key, value);
}

/**
 * json_number() - a number of 64 bits
 * @value: the number
 *
 * json-c has unsigned ones from 0.14 on; RHEL 8 and Ubuntu 20.04 have 0.13.
 *
 * Return: an object that prints as this number.
 */
struct json_object *json_number(__u64 value)
{
	char text[24];

	if (value <= INT64_MAX)
		return json_object_new_int64(value);
	snprintf(text, sizeof(text), "%llu", value);
	return json_object_new_double_s(value, text);
}

/* null where it is not known */
void put_known(struct json_object *object, const char *key, bool known, __u64 value)
{
	put(object, key, known ? json_number(value) : NULL);
}

void put_number(struct json_object *object, const char *key, __u64 value)
{
	put(object, key, json_number(value));
}

void put_bool(struct json_object *object, const char *key, bool value)
{
	put(object, key, json_object_new_boolean(value));
}

/* what is not known is null */
void put_text(struct json_object *object, const char *key, const char *value)
{
	put(object, key, value ? json_object_new_string(value) : NULL);
}

/**
 * json_cgroup() - put the interrupted task's cgroup, pod and container
 * @object: where to
 * @cgroup: NULL: not known
 * @key: SUMMARY_CGROUP for all of it; else the pod or the container alone. cgroup_gone
 *	goes with each of them, because it says why they may be null
 */
void json_cgroup(struct json_object *object, const struct cgroup *cgroup,
		 enum summary_key key)
{
	const struct container *container = cgroup_container(cgroup);
	bool known = cgroup && cgroup->state != CGROUP_UNKNOWN;

	if (key == SUMMARY_CGROUP)
		put_text(object, "cgroup", cgroup ? cgroup->path : NULL);
	put(object, "cgroup_gone",
	    known ? json_object_new_boolean(cgroup->state == CGROUP_GONE) : NULL);
	if (key != SUMMARY_CONTAINER)
		put_text(object, "pod", *container->pod ? container->pod : NULL);
	if (key != SUMMARY_POD)
		put_text(object, "container", *container->id ? container->id : NULL);
}

/* as a string: many programs read JSON numbers as doubles, which hold fewer digits */
static void put_instance(struct json_object *object, const struct config *config)
{
	char text[24];

	snprintf(text, sizeof(text), "%016llx", config->instance);
	put_text(object, "instance", config->instance_known ? text : NULL);
}

/**
 * json_identity() - what tells the documents of machines, boots and schemas apart
 * @object: where to
 * @model: machine and configuration
 */
void json_identity(struct json_object *object, const struct model *model)
{
	const struct machine *machine = &model->machine;

	put_number(object, "schema_version", JSON_SCHEMA_VERSION);
	put_text(object, "host", *machine->host ? machine->host : NULL);
	put_text(object, "boot_id", *machine->boot_id ? machine->boot_id : NULL);
	put_instance(object, &model->config);
}

/**
 * json_received() - how much of what was read is there
 * @object: where to
 * @model: what was read
 */
void json_received(struct json_object *object, const struct model *model)
{
	const struct received *received = &model->received;

	put_bool(object, "whole", !received->cut && !received->contradictory);
	put_known(object, "missing", !model_uncounted(model), received->missing);
	put_number(object, "contradictory", received->contradictory);
}

/**
 * json_document() - what each document begins with
 * @model: configuration and counters
 *
 * Return: an object that the rest goes into.
 */
struct json_object *json_document(const struct model *model)
{
	struct json_object *object = json_object_new_object();
	const struct config *config = &model->config;
	struct cpu_counters sum = model_counters_sum(model);
	bool counted = !model->received.no_counters;
	char time[UNITS_LEN];

	json_identity(object, model);
	put_text(object, "time", print_iso8601(time, config->realtime_ns));
	put_bool(object, "enabled", config->enabled);
	put_number(object, "enabled_for_ns",
		   config->enabled ? config->now_ns - config->enabled_ns : 0);
	put_text(object, "watched", config->watched);
	put_number(object, "threshold_us", config->threshold_us);
	put_number(object, "period_us", config->period_us);
	put_known(object, "produced", counted, sum.produced);
	put_known(object, "kept", counted, sum.kept);
	put_known(object, "lost", counted, sum.lost);
	put_known(object, "cleared", counted, sum.cleared);
	json_received(object, model);
	return object;
}

static const char *print_json(struct json_object *object)
{
	return json_object_to_json_string_ext(object, JSON_C_TO_STRING_PRETTY |
					      JSON_C_TO_STRING_SPACED |
					      JSON_C_TO_STRING_NOSLASHESCAPE);
}

/* prints a whole document; @object is freed */
void json_finish(struct json_object *object, FILE *out)
{
	fprintf(out, "%s\n", print_json(object));
	json_object_put(object);
}

/**
 * json_begin() - begin a document whose last key is an array of any length
 * @stream: gets the items
 * @head: the keys before it; taken over
 * @array: the key
 * @out: where to
 *
 * Items are printed one by one: thousands of them as one tree would be much larger
 * than the records they are made of.
 */
void json_begin(struct json_stream *stream, struct json_object *head, const char *array,
		FILE *out)
{
	*stream = (struct json_stream){ .out = out };
	fputs("{\n", stream->out);
	/* no key needs escaping */
	json_object_object_foreach(head, key, value)
		fprintf(stream->out, "  \"%s\": %s,\n", key, print_json(value));
	fprintf(stream->out, "  \"%s\": [", array);
	json_object_put(head);
}

/* an item that was printed */
void json_item_text(struct json_stream *stream, const char *item)
{
	fprintf(stream->out, "%s\n%s", stream->items++ ? "," : "", item);
}

/* takes @item over */
void json_item(struct json_stream *stream, struct json_object *item)
{
	json_item_text(stream, print_json(item));
	json_object_put(item);
}

void json_end(struct json_stream *stream)
{
	fputs("]\n}\n", stream->out);
}

/* what the records of a group have in common */
static void put_key(struct json_object *object, const struct entry *entry, enum summary_key key)
{
	const struct tio_sample *task = entry_deciding_sample(entry);
	const char *name = summary_key_name(key);

	switch (key) {
	case SUMMARY_CULPRIT:
		put_text(object, name, entry->found.culprit);
		break;
	case SUMMARY_BUSY:
		put_text(object, "busy_in", entry->found.busy_in);
		break;
	case SUMMARY_CLASS:
		put_text(object, name, tio_class_name(entry->found.verdict.class));
		break;
	case SUMMARY_CPU:
		put_number(object, name, entry->rec.cpu);
		break;
	case SUMMARY_COMM:
		put_text(object, name, task ? task->comm : NULL);
		break;
	default:
		json_cgroup(object, sample_cgroup(task), key);
	}
}

/* whom most of a group's time was for; null where nobody is known */
static struct json_object *behalf_object(const struct group *group)
{
	const struct behalf *most = behalf_most(&group->behalves);
	const struct process *process;
	struct json_object *object;

	if (!most)
		return NULL;
	process = &most->process;
	object = json_object_new_object();
	put_text(object, "comm", most->who->comm);
	put_bool(object, "kernel_thread", most->who->kthread);
	put_text(object, "operation", *behalf_call(most) ? behalf_call(most) : NULL);
	put_text(object, "handler", process->handler);
	put_known(object, "pid", process->pid, process->pid);
	put_known(object, "tgid", process->tgid, process->tgid);
	put_known(object, "threads", process->tgid && process->threads, process->threads);
	put_known(object, "parent_pid", process->parent, process->parent);
	put_text(object, "parent_comm", process->parent ? process->parent_comm : NULL);
	put_text(object, "pod", *behalf_pod(most) ? behalf_pod(most) : NULL);
	put_text(object, "container", *behalf_container(most) ? behalf_container(most) : NULL);
	put_number(object, "total_ns", behalf_ns(most));
	return object;
}

/* names with their stalls, the most frequent first */
static struct json_object *counts_object(const struct name_counts *counts, const char *key)
{
	struct json_object *all = json_object_new_array();

	for (size_t i = 0; counts && i < counts->count; i++) {
		struct json_object *count = json_object_new_object();

		put_text(count, key, counts->all[i].name);
		put_number(count, "count", counts->all[i].stalls);
		json_object_array_add(all, count);
	}
	return all;
}

/* the lock that a group's stalls waited for; not there where that is not known */
static void put_lock(struct json_object *object, const struct page *page, const struct group *group)
{
	struct entry room, *whole = entry_open(&room, group->best);
	const struct tio_sample *sample = entry_waiting_sample(whole);
	struct json_object *lock = json_object_new_object();
	char buf[LOCK_NAME_LEN];

	put_text(lock, "name", lock_name(buf, page->symbols, whole, sample));
	put_text(lock, "kind", lock_word(sample->lock_kind));
	put_known(lock, "cpu", sample->lock_cpu, sample->lock_cpu - 1);
	put(lock, "waiters", counts_object(group->waiters, "function"));
	put_number(lock, "other_waiters", name_counts_others(group->waiters));
	put(lock, "candidates", counts_object(group->candidates, "who"));
	put_number(lock, "other_candidates", name_counts_others(group->candidates));
	put(object, "waits_for_lock", lock);
}

/* the tasks that a group blames; NULL where it blames none */
static struct json_object *tasks_object(const struct group *group)
{
	struct json_object *object;
	struct met met;

	if (!met_tasks_of(&met, group->tasks, group->best))
		return NULL;
	object = json_object_new_object();
	put_text(object, "comm", *met.comm ? met.comm : NULL);
	put_bool(object, "kernel_thread", met.kthread);
	put_number(object, "count", met.tasks);
	put_bool(object, "more", met.more);
	put_number(object, "samples", met.count);
	put_known(object, "pid", met.tasks == 1 && !met.more, met.sample->pid);
	put_text(object, "policy", policy_word(met.policy));
	put_known(object, "prio", met.prio, met.prio - 1);
	put_bool(object, "user", met.user);
	put_bool(object, "kernel", met.kernel);
	json_cgroup(object, sample_cgroup(met.sample), SUMMARY_CGROUP);
	put_number(object, "total_ns", met.ns);
	return object;
}

/* null where chance explains the times */
static struct json_object *regularity_object(const struct group *group)
{
	struct regularity regularity;
	struct json_object *object;

	summary_regularity(group, &regularity);
	if (!regularity.period_ns)
		return NULL;
	object = json_object_new_object();
	put_number(object, "period_ns", regularity.period_ns);
	put_bool(object, "grid", regularity.grid);
	put_number(object, "agree", regularity.agree);
	put_number(object, "of", regularity.of);
	return object;
}

static struct json_object *bounds_object(struct bounds bounds)
{
	struct json_object *object = json_object_new_object();

	put_number(object, "min_ns", bounds.min_ns);
	put_number(object, "max_ns", bounds.max_ns);
	return object;
}

static struct json_object *cost_object(const struct cost *cost)
{
	struct json_object *object = bounds_object(cost_sum(cost));

	put(object, "own", bounds_object(cost->own));
	put(object, "proved", bounds_object(cost->proved));
	put(object, "probable", bounds_object(cost->probable));
	return object;
}

/**
 * json_group() - a group of a summary
 * @page: the page
 * @summary: the summary
 * @group: the group
 *
 * Return: an object.
 */
struct json_object *json_group(const struct page *page, const struct summary *summary,
			       const struct group *group)
{
	const struct cause *cause = cause_of(page->causes, page->symbols, summary, group);
	struct json_object *object = json_object_new_object();
	struct json_object *tasks = tasks_object(group);
	char name[UNITS_LEN];

	for (unsigned int key = 0; key < SUMMARY_KEYS; key++)
		if (summary->by & 1U << key)
			put_key(object, group->best, key);
	put_text(object, "evidence", summary_evidence_name(group));
	put_text(object, "best", print_record_name(name, &group->best->rec));
	put_number(object, "count", group->count);
	put_number(object, "sampled", group->sampled);
	put_number(object, "folded", group->folded);
	put_number(object, "early", group->early);
	put_number(object, "packets_waited", group->packets_waited);
	put_number(object, "packets_dropped", group->packets_dropped);
	put_number(object, "total_ns", group->total_ns);
	put_number(object, "longest_ns", group->longest_ns);
	put_number(object, "mean_ns", summary_mean_ns(group));
	put_number(object, "victims", group_victims(group)->seen.count);
	put_number(object, "victims_probable", group_victims(group)->probable);
	put_number(object, "victims_ns", group_victims(group)->ns);
	put(object, "cost", cost_object(&group->cost));
	put(object, "regularity", regularity_object(group));
	put(object, "busy", counts_object(group->busy, "function"));
	put_number(object, "other_busy", name_counts_others(group->busy));
	put(object, "for", behalf_object(group));
	if (group->suspected) {
		put(object, "suspects", counts_object(group->suspects, "culprit"));
		put_number(object, "other_suspects", name_counts_others(group->suspects));
	}
	if (summary->by & 1U << SUMMARY_CULPRIT && group->best->found.lock)
		put_lock(object, page, group);
	if (tasks)
		put(object, "tasks", tasks);
	put(object, "cause", json_cause(cause));
	put_text(object, "hint", cause ? NULL : cause_hint(page->causes, summary, group));
	return object;
}

/**
 * json_lacking() - whether the answer lacks causes, and why
 * @head: what gets it
 * @page: the page
 */
void json_lacking(struct json_object *head, const struct page *page)
{
	char *why = page->causes ? causes_lacking(page->causes) : NULL;

	put_text(head, "causes_missing", why);
	free(why);
}

/**
 * json_report() - who held interrupts or softirqs off
 * @page: the page
 * @summary: its records, summed up
 */
void json_report(const struct page *page, const struct summary *summary)
{
	struct json_object *head = json_document(page->model);
	struct json_stream stream;

	put_number(head, "busy", page->model->nbusy);
	put_number(head, "records", page->model->nentries);
	json_lacking(head, page);
	json_begin(&stream, head, "groups", page->out);
	for (size_t i = 0; i < summary->ngroups; i++)
		json_item(&stream, json_group(page, summary, &summary->groups[i]));
	json_end(&stream);
}

static struct json_object *histogram_object(const struct tio_histogram *hist)
{
	struct json_object *object = json_object_new_object();
	struct json_object *buckets = json_object_new_array();

	put_number(object, "count", hist->count);
	put_number(object, "sum_ns", hist->sum_ns);
	put_number(object, "longest_ns", hist->max_ns);
	for (unsigned int i = 0; i < TIO_BUCKETS; i++) {
		struct json_object *bucket = json_object_new_object();

		put_number(bucket, "from_us", i ? 1ULL << i : 0);
		put(bucket, "below_us",
		    i + 1 < TIO_BUCKETS ? json_number(2ULL << i) : NULL);
		put_number(bucket, "count", hist->buckets[i]);
		json_object_array_add(buckets, bucket);
	}
	put(object, "buckets", buckets);
	return object;
}

static struct json_object *cpu_histograms_object(const struct cpu_histograms *cpu)
{
	const struct histograms *recent = histograms_recent(cpu);
	struct json_object *object = json_object_new_object();

	put_number(object, "cpu", cpu->cpu);
	put(object, "hard", histogram_object(&recent->hard));
	put(object, "soft", histogram_object(&recent->soft));
	return object;
}

static void put_since(struct json_object *object, const struct model *model, bool known)
{
	__u64 cleared_ns = model_cleared_ns(model);
	__u64 since_ns = model_recorded(model) ? model->recorded_ns : cleared_ns;
	char time[UNITS_LEN];

	put_text(object, "since", !known ? NULL : model_recorded(model) ? "recording" :
				  cleared_ns ? "clear" : "load");
	put_text(object, "since_time", known && since_ns ?
		 print_iso8601(time, model_realtime_ns(model, since_ns)) : NULL);
}

/**
 * json_hist() - how long stalls lasted, whether or not they have records
 * @model: configuration and histograms
 * @per_cpu: each CPU's as well
 * @out: where to
 */
void json_hist(const struct model *model, bool per_cpu, FILE *out)
{
	struct json_object *object = json_document(model);
	struct histograms sum = model_recent_sum(model);
	bool known = !model->received.no_histograms;
	struct json_stream stream;

	put_since(object, model, known);
	put(object, "hard", known ? histogram_object(&sum.hard) : NULL);
	put(object, "soft", known ? histogram_object(&sum.soft) : NULL);
	if (!per_cpu || !known) {
		if (per_cpu)
			put(object, "cpus", NULL);
		json_finish(object, out);
		return;
	}
	json_begin(&stream, object, "cpus", out);
	for (size_t i = 0; i < model->nhistograms; i++)
		json_item(&stream, cpu_histograms_object(&model->histograms[i]));
	json_end(&stream);
}
