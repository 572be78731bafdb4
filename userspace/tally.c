// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "cpuset.h"
#include "say.h"
#include "tally.h"
#include "units.h"

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

static void merge(struct tally_histograms *sum, const struct tally_histograms *add)
{
	tio_histogram_merge(&sum->hard, &add->hard);
	tio_histogram_merge(&sum->soft, &add->soft);
}

/**
 * tally_instance() - count this load of the module from here on
 * @tally: where it is another load than before, each CPU begins with its first record
 * @instance: the load
 */
void tally_instance(struct tally *tally, __u64 instance)
{
	if (tally->next.instance == instance)
		return;
	resume_free(&tally->next);
	resume_free(&tally->cleared_seen);
	tally->next.instance = instance;
	merge(&tally->before, &tally->now);
	tally->now = (struct tally_histograms){ 0 };
}

static __u64 next_of(const struct resume *resume, __u32 cpu)
{
	const struct cursor *cursor = resume_find(resume, cpu);

	return cursor ? cursor->seq : 0;
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
	return !entry->rec.open && entry->rec.seq > next_of(&tally->next, entry->rec.cpu);
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
			  const struct tio_record *rec, __u64 missing)
{
	__u64 cleared = cleared_of(model, rec->cpu);
	__u64 seen = next_of(&tally->cleared_seen, rec->cpu);
	__u64 dropped = cleared > seen ? cleared - seen : 0;

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
	struct tally_class *class = &tally->classes[entry->verdict.class];
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
 * @entry: a record, judged, each CPU's in the order of their numbers; or an open stall
 * @cause: its known cause, or NULL
 *
 * An open stall is remembered, and counts once it has ended.
 *
 * Return: false where the record was counted before.
 */
bool tally_take(struct tally *tally, const struct model *model, const struct entry *entry,
		const struct cause *cause)
{
	const struct tio_record *rec = &entry->rec;
	__u64 next = next_of(&tally->next, rec->cpu);

	if (rec->open) {
		longest_add(&tally->classes[entry->verdict.class].longest,
			    &(struct longest_stall){ .end_ns = rec->end_ns, .ns = rec->min_ns,
						     .cpu = rec->cpu, .open = true });
		return true;
	}
	if (rec->seq < next)
		return false;
	if (rec->seq > next)
		count_missing(tally, model, rec, rec->seq - next);
	resume_raise(&tally->next, rec->cpu, rec->seq + 1);
	count(tally, model, entry, cause);
	return true;
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
 * @model: all of these, and the list of the online CPUs
 */
void tally_module(struct tally *tally, const struct model *model)
{
	const struct config *config = &model->config;
	struct cpu_histograms sum = model_histograms_sum(model);
	struct tally_module *module = &tally->module;

	tally_instance(tally, config->instance);
	*module = (struct tally_module){
		.loaded = true,
		.enabled = config->enabled,
		.watched_cpus = config->enabled ? count_list(config->watched) : 0,
		.threshold_ns = config->threshold_us * NSEC_PER_USEC,
		.period_ns = config->period_us * NSEC_PER_USEC,
	};
	tally->online_cpus = count_list(config->online);
	fill_text(module->version, sizeof(module->version), config->module_version);
	for (size_t i = 0; i < model->ncounters; i++) {
		const struct cpu_counters *counters = &model->counters[i];

		if (!counters->watched)
			continue;
		if (counters->watched_ns > module->watched_ns)
			module->watched_ns = counters->watched_ns;
		module->cost_known |= counters->cost_known;
		if (counters->cost_known && counters->cost_ppm > module->cost_ppm)
			module->cost_ppm = counters->cost_ppm;
	}
	tally->now = (struct tally_histograms){ .hard = sum.hard, .soft = sum.soft };
}

/**
 * tally_gone() - the module was unloaded, or was not there
 * @tally: the counters
 * @online: list of the online CPUs; NULL: not known
 */
void tally_gone(struct tally *tally, const char *online)
{
	tally->online_cpus = count_list(online);
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
	       now_ns < tally->updated_ns + 2 * tally->interval_ns + LATE_NS;
}

void tally_free(struct tally *tally)
{
	for (size_t i = 0; i < TIO_CLASSES; i++)
		longest_free(&tally->classes[i].longest);
	for (size_t i = 0; i < tally->ncauses; i++)
		free(tally->causes[i].id);
	resume_free(&tally->next);
	resume_free(&tally->cleared_seen);
	*tally = (struct tally){ 0 };
}
