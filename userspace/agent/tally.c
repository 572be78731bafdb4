// SPDX-License-Identifier: GPL-2.0-only
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agent/tally.h"
#include "base/say.h"
#include "base/units.h"
#include "model/cpuset.h"
#include "output/json/out_json.h"

/* late by so much, it is not written any more */
#define LATE_NS		(10 * NSEC_PER_SEC)

/**
 * tally_begin() - nothing is counted yet
 * @tally: the result, to be freed
 * @boot_id: of this boot
 * @version: of the agent
 */
void tally_begin(struct tally *tally, const char *boot_id, const char *version)
{
	*tally = (struct tally){ 0 };
	fill_text(tally->boot_id, sizeof(tally->boot_id), boot_id);
	fill_text(tally->version, sizeof(tally->version), version);
}

/* the counter of a cause; NULL: it is counted among the others */
static struct tally_cause *find_cause(struct tally *tally, const char *id)
{
	for (size_t i = 0; i < tally->ncauses; i++)
		if (!strcmp(tally->causes[i].id, id))
			return &tally->causes[i];
	return NULL;
}

/**
 * tally_name_causes() - have a counter for each cause that a stall can be told by
 * @tally: its counters stay
 * @causes: the first TALLY_CAUSES get one
 */
void tally_name_causes(struct tally *tally, const struct causes *causes)
{
	for (size_t i = 0; i < causes->count; i++) {
		const struct cause *cause = &causes->rows[i];

		if (!cause->stall || tally->ncauses == TALLY_CAUSES ||
		    find_cause(tally, cause->id))
			continue;
		tally->causes[tally->ncauses++].id = copy_text(cause->id);
	}
}

static void forget_open(struct tally *tally)
{
	free(tally->open);
	tally->open = NULL;
	tally->nopen = 0;
}

static void next_instance(struct tally *tally, __u64 instance)
{
	resume_free(&tally->next);
	resume_free(&tally->begin);
	resume_free(&tally->cleared_seen);
	forget_open(tally);
	tally->next.instance = instance;
	histograms_merge(&tally->before, &tally->now);
	tally->now = (struct histograms){ 0 };
}

/**
 * tally_instance() - count this load of the module from here on
 * @tally: where it is another load than before, each CPU begins with its first record
 * @follow: follows the load
 *
 * What a follower cannot have is not lost to counters that have just begun.
 */
void tally_instance(struct tally *tally, const struct follow *follow)
{
	bool first = !tally->next.instance;

	if (tally->next.instance == follow->instance)
		return;
	next_instance(tally, follow->instance);
	for (size_t i = 0; first && i < follow->ncpus; i++)
		resume_raise(&tally->begin, follow->cpus[i].cpu, follow->cpus[i].lost_from);
}

/**
 * tally_misses() - are records missing before this one?
 * @tally: the counters
 * @entry: a record
 *
 * If so, tally_take() wants the module's counters as they are now.
 */
bool tally_misses(const struct tally *tally, const struct entry *entry)
{
	return !entry->rec.open && entry->rec.seq > resume_seq(&tally->next, entry->rec.cpu);
}

static __u64 cleared_of(const struct model *model, __u32 cpu)
{
	for (size_t i = 0; i < model->ncounters; i++)
		if (model->counters[i].cpu == cpu)
			return model->counters[i].cleared;
	return 0;
}

/*
 * What is missing was overwritten, unless somebody cleared records: of these no more are
 * missing than were cleared.
 */
static void count_missing(struct tally *tally, const struct model *model,
			  const struct tio_record *rec, __u64 next)
{
	__u64 begin = resume_seq(&tally->begin, rec->cpu), cleared = cleared_of(model, rec->cpu);
	__u64 seen = resume_seq(&tally->cleared_seen, rec->cpu);
	__u64 dropped = cleared > seen ? cleared - seen : 0, missing;

	if (begin > rec->seq)
		begin = rec->seq;
	if (begin > next) {
		tally->uncounted += begin - next;
		next = begin;
	}
	missing = rec->seq - next;
	if (dropped > missing)
		dropped = missing;
	tally->cleared += dropped;
	tally->lost += missing - dropped;
	if (missing > dropped)
		tally->lost_ns = rec->end_ns;
	resume_raise(&tally->cleared_seen, rec->cpu, cleared);
}

static void count(struct tally *tally, const struct model *model, const struct entry *entry,
		  const struct cause *cause)
{
	struct tally_class *class = &tally->classes[entry->found.verdict.class];
	const struct tio_record *rec = &entry->rec;
	struct tally_cause *counter = cause ? find_cause(tally, cause->id) : NULL;
	const struct longest_stall stall = {
		.end_ns = rec->end_ns, .ns = rec->min_ns, .cpu = rec->cpu, .seq = rec->seq,
	};

	class->stalls++;
	tally->longs += stall.ns >= TALLY_LONG_NS;
	class->stalled_ns += entry_own_ns(entry);
	longest_add(&class->longest, &stall);
	if (stall.end_ns >= class->newest.end_ns) {
		class->newest = stall;
		class->newest_realtime_ns = model_realtime_ns(model, rec->end_ns);
	}
	if (counter)
		counter->stalls++;
	else
		tally->other++;
}

/**
 * tally_take() - count a record, once
 * @tally: the counters; tally_instance() was told whose it is
 * @model: the time of the module; counters, where tally_misses() says that they are wanted
 * @entry: a record, judged, each CPU's in the order of their numbers
 * @cause: its known cause, or NULL
 *
 * Return: false where the record was counted before, or has not ended.
 */
bool tally_take(struct tally *tally, const struct model *model, const struct entry *entry,
		const struct cause *cause)
{
	const struct tio_record *rec = &entry->rec;
	__u64 next = resume_seq(&tally->next, rec->cpu);

	if (rec->open || rec->seq < next)
		return false;
	if (rec->seq > next)
		count_missing(tally, model, rec, next);
	resume_raise(&tally->next, rec->cpu, rec->seq + 1);
	count(tally, model, entry, cause);
	return true;
}

/**
 * tally_look() - take the stalls that go on
 * @tally: the counters
 * @model: all of them, judged
 * @least_ns: those that have lasted so long
 */
void tally_look(struct tally *tally, const struct model *model, __u64 least_ns)
{
	forget_open(tally);
	for (size_t i = 0; i < model->nentries; i++) {
		const struct entry *entry = model->entries[i];

		if (!entry->rec.open || entry->rec.min_ns < least_ns)
			continue;
		tally->open = grow(tally->open, tally->nopen, sizeof(*tally->open));
		tally->open[tally->nopen++] = (struct tally_open){
			.cpu = entry->rec.cpu,
			.class = entry->found.verdict.class,
			.start_ns = entry_start_ns(entry),
		};
	}
}

/* since when all watched CPUs have been watched as they are now; 0: not known of each */
static __u64 watched_since(const struct model *model)
{
	__u64 since_ns = 0;

	for (size_t i = 0; i < model->ncounters; i++) {
		const struct cpu_counters *counters = &model->counters[i];

		if (!counters->watched)
			continue;
		if (!counters->watched_ns || !counters->settled_ns)
			return 0;
		if (counters->watched_ns > since_ns)
			since_ns = counters->watched_ns;
		if (counters->settled_ns > since_ns)
			since_ns = counters->settled_ns;
	}
	return since_ns;
}

/* where all records are counted, none of those that were cleared can be missing any more */
static void see_cleared(struct tally *tally, const struct cpu_counters *counters)
{
	if (counters->produced == resume_seq(&tally->next, counters->cpu))
		resume_raise(&tally->cleared_seen, counters->cpu, counters->cleared);
}

static unsigned int count_list(const char *list)
{
	struct cpuset set = { 0 };
	unsigned int count;

	cpuset_add_list(&set, list ?: "");
	count = cpuset_count(&set);
	cpuset_free(&set);
	return count;
}

/**
 * tally_module() - take settings, counters and histograms
 * @tally: the counters
 * @model: all of these, of the load that is counted, and the list of the online CPUs
 */
void tally_module(struct tally *tally, const struct model *model)
{
	const struct config *config = &model->config;
	struct tally_module *module = &tally->module;

	*module = (struct tally_module){
		.loaded = true,
		.enabled = config->enabled,
		.watched_cpus = config->enabled ? count_list(config->watched) : 0,
		.threshold_ns = config->threshold_us * NSEC_PER_USEC,
		.period_ns = config->period_us * NSEC_PER_USEC,
		.watched_ns = watched_since(model),
	};
	if (!config->enabled)
		forget_open(tally);
	tally->online_cpus = count_list(config->online);
	fill_text(module->version, sizeof(module->version), config->module_version);
	for (size_t i = 0; i < model->ncounters; i++) {
		const struct cpu_counters *counters = &model->counters[i];

		see_cleared(tally, counters);
		if (!counters->watched)
			continue;
		module->cost_known |= counters->cost_known;
		if (counters->cost_known && counters->cost_ppm > module->cost_ppm)
			module->cost_ppm = counters->cost_ppm;
	}
	tally->now = model_loaded_sum(model);
}

/**
 * tally_gone() - the module was unloaded, or was not there
 * @tally: the counters
 * @online: list of the online CPUs; NULL: not known
 */
void tally_gone(struct tally *tally, const char *online)
{
	tally->online_cpus = count_list(online);
	forget_open(tally);
	tally->module = (struct tally_module){ 0 };
}

/**
 * tally_up() - are all stalls of the watched CPUs counted now?
 * @tally: the counters
 * @now_ns: the monotonic clock
 */
bool tally_up(const struct tally *tally, __u64 now_ns)
{
	return tally->running && tally->module.enabled &&
	       now_ns >= tally->updated_ns &&
	       (now_ns - tally->updated_ns) / 2 < tally->interval_ns + LATE_NS / 2;
}

void tally_free(struct tally *tally)
{
	for (size_t i = 0; i < TIO_CLASSES; i++)
		longest_free(&tally->classes[i].longest);
	for (size_t i = 0; i < tally->ncauses; i++)
		free(tally->causes[i].id);
	resume_free(&tally->next);
	resume_free(&tally->begin);
	resume_free(&tally->cleared_seen);
	forget_open(tally);
	*tally = (struct tally){ 0 };
}

/* The text of the file of an agent's counters. tally_file.c reads it. */

static struct json_object *numbers(const __u64 *values, size_t count)
{
	struct json_object *array = json_object_new_array();

	for (size_t i = 0; i < count; i++)
		json_object_array_add(array, json_number(values[i]));
	return array;
}

static struct json_object *stall_array(const struct longest_stall *stall)
{
	return numbers((__u64[]){ stall->end_ns, stall->ns, stall->cpu, stall->seq }, 4);
}

static struct json_object *class_object(const struct tally_class *class)
{
	struct json_object *object = json_object_new_object();
	struct json_object *longest = json_object_new_array();

	put_number(object, "stalls", class->stalls);
	put_number(object, "stalled_ns", class->stalled_ns);
	put(object, "newest", stall_array(&class->newest));
	put_number(object, "newest_realtime_ns", class->newest_realtime_ns);
	put_number(object, "longest_from_ns", class->longest.from_ns);
	for (size_t i = 0; i < class->longest.count; i++)
		json_object_array_add(longest, stall_array(&class->longest.stalls[i]));
	put(object, "longest", longest);
	return object;
}

static struct json_object *module_object(const struct tally_module *module)
{
	struct json_object *object;

	if (!module->loaded)
		return NULL;
	object = json_object_new_object();
	put_text(object, "version", module->version);
	put_bool(object, "enabled", module->enabled);
	put_number(object, "watched_cpus", module->watched_cpus);
	put_number(object, "watched_ns", module->watched_ns);
	put_number(object, "threshold_ns", module->threshold_ns);
	put_number(object, "period_ns", module->period_ns);
	put(object, "cost_ppm", module->cost_known ? json_number(module->cost_ppm) : NULL);
	return object;
}

/* CPU and number, in turn */
static struct json_object *cursor_array(const struct resume *resume)
{
	struct json_object *array = json_object_new_array();

	for (size_t i = 0; i < resume->ncursors; i++) {
		json_object_array_add(array, json_number(resume->cursors[i].cpu));
		json_object_array_add(array, json_number(resume->cursors[i].seq));
	}
	return array;
}

static struct json_object *open_array(const struct tally *tally)
{
	struct json_object *array = json_object_new_array();

	for (size_t i = 0; i < tally->nopen; i++) {
		const struct tally_open *open = &tally->open[i];
		const __u64 values[] = { open->cpu, open->class, open->start_ns };

		json_object_array_add(array, numbers(values, ARRAY_SIZE(values)));
	}
	return array;
}

static struct json_object *histogram_object(const struct tio_histogram *histogram)
{
	struct json_object *object = json_object_new_object();

	put(object, "buckets", numbers(histogram->buckets, TIO_BUCKETS));
	put_number(object, "count", histogram->count);
	put_number(object, "sum_ns", histogram->sum_ns);
	put_number(object, "max_ns", histogram->max_ns);
	return object;
}

static struct json_object *histograms_object(const struct histograms *histograms)
{
	struct json_object *object = json_object_new_object();

	put(object, "hard", histogram_object(&histograms->hard));
	put(object, "soft", histogram_object(&histograms->soft));
	return object;
}

static struct json_object *tally_object(const struct tally *tally)
{
	struct json_object *object = json_object_new_object();
	struct json_object *classes = json_object_new_object();
	struct json_object *causes = json_object_new_object();
	char instance[24];

	put_number(object, "format", TALLY_FORMAT);
	put_text(object, "boot_id", tally->boot_id);
	put_text(object, "version", tally->version);
	put_bool(object, "running", tally->running);
	put_number(object, "updated_ns", tally->updated_ns);
	put_number(object, "interval_ns", tally->interval_ns);
	put_number(object, "online_cpus", tally->online_cpus);
	put(object, "module", module_object(&tally->module));
	for (unsigned int i = 0; i < TIO_CLASSES; i++)
		put(classes, tio_class_name(i), class_object(&tally->classes[i]));
	put(object, "classes", classes);
	for (size_t i = 0; i < tally->ncauses; i++)
		put_number(causes, tally->causes[i].id, tally->causes[i].stalls);
	put(object, "causes", causes);
	put_number(object, "long_stalls", tally->longs);
	put_number(object, "other_causes", tally->other);
	put_number(object, "lost", tally->lost);
	put_number(object, "lost_ns", tally->lost_ns);
	put_number(object, "cleared", tally->cleared);
	put_number(object, "uncounted", tally->uncounted);
	put(object, "open", open_array(tally));
	snprintf(instance, sizeof(instance), "%016llx", tally->next.instance);
	put_text(object, "instance", instance);
	put(object, "next", cursor_array(&tally->next));
	put(object, "begin", cursor_array(&tally->begin));
	put(object, "cleared_seen", cursor_array(&tally->cleared_seen));
	put(object, "histograms_before", histograms_object(&tally->before));
	put(object, "histograms", histograms_object(&tally->now));
	return object;
}

/**
 * tally_print() - the file's text
 * @tally: the counters
 *
 * Return: the text, to be freed.
 */
char *tally_print(const struct tally *tally)
{
	struct json_object *object = tally_object(tally);
	char *text = print_text("%s\n",
				json_object_to_json_string_ext(object, JSON_C_TO_STRING_PLAIN));

	json_object_put(object);
	return text;
}
