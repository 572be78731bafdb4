// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "base/lower_bound.h"
#include "base/say.h"
#include "model/model.h"

/* of the records' stacks and names */
struct pool *model_pool(struct model *model)
{
	if (!model->pool)
		model->pool = pool_new();
	return model->pool;
}

/* room for one more record of so many bytes, all zeros */
struct entry *model_add_sized(struct model *model, size_t size)
{
	struct entry *entry = alloc(1, size);

	model_pool(model);
	model->entries = grow(model->entries, model->nentries, sizeof(*model->entries));
	model->entries[model->nentries++] = entry;
	entry->read = model->nread++;
	return entry;
}

/**
 * model_add_entry() - room for one more record
 * @model: the model
 * @nsamples: how many samples it may have, up to TIO_SAMPLES
 *
 * Return: the record, all zeros. No other sample of it may be touched.
 */
struct entry *model_add_entry(struct model *model, unsigned int nsamples)
{
	return model_add_sized(model, offsetof(struct entry, rec.samples) +
				      nsamples * sizeof(struct tio_sample));
}

/**
 * model_add_whole() - add a record
 * @model: the model
 * @whole: the record; its names belong to the model then
 */
void model_add_whole(struct model *model, const struct entry *whole)
{
	struct entry *entry = model_add_entry(model, whole->rec.nsamples);
	__u32 read = entry->read;

	memcpy(entry, whole, offsetof(struct entry, rec.samples) +
			     whole->rec.nsamples * sizeof(*whole->rec.samples));
	entry->read = read;
}

/**
 * model_add_packed() - add a record in little memory
 * @model: the model
 * @whole: the record; its names belong to the model then
 */
void model_add_packed(struct model *model, const struct entry *whole)
{
	struct entry packed;
	size_t size = entry_pack(&packed, whole, model_pool(model));
	struct entry *entry = model_add_sized(model, size);
	__u32 read = entry->read;

	memcpy(entry, &packed, size);
	entry->read = read;
}

/**
 * model_add_brief() - one more record of which name, bounds and end are needed alone
 * @model: the model
 * @cpu: the record's CPU, below BRIEF_CPUS
 * @brief: the record
 */
void model_add_brief(struct model *model, __u32 cpu, struct brief brief)
{
	brief.read = model->nread++;
	briefs_add(&model->briefs, cpu, &brief);
}

void model_add_busy(struct model *model, __u32 cpu, bool open, __u64 seq)
{
	model->busy = grow(model->busy, model->nbusy, sizeof(*model->busy));
	model->busy[model->nbusy++] = (struct busy_record){
		.cpu = cpu,
		.open = open,
		.seq = seq,
	};
}

/**
 * model_drop() - set a record aside that did not pass a filter
 * @model: the model
 * @entry: the record, which the caller takes out of the entries
 *
 * It is kept for the victims that are linked to it.
 */
void model_drop(struct model *model, struct entry *entry)
{
	model->dropped = grow(model->dropped, model->ndropped, sizeof(*model->dropped));
	model->dropped[model->ndropped++] = entry;
	entry->view.dropped = true;
}

struct cpu_counters *model_add_counters(struct model *model)
{
	struct cpu_counters *counters;

	model->counters = grow(model->counters, model->ncounters, sizeof(*counters));
	counters = &model->counters[model->ncounters++];
	*counters = (struct cpu_counters){ 0 };
	return counters;
}

struct cpu_histograms *model_add_histograms(struct model *model)
{
	struct cpu_histograms *histograms;

	model->histograms = grow(model->histograms, model->nhistograms, sizeof(*histograms));
	histograms = &model->histograms[model->nhistograms++];
	*histograms = (struct cpu_histograms){ 0 };
	return histograms;
}

/**
 * model_drop_open() - drop the stalls that had not ended
 * @model: the model; what is read next has them again, or the records that they became
 */
void model_drop_open(struct model *model)
{
	size_t kept = 0;

	for (size_t i = 0; i < model->nentries; i++) {
		if (model->entries[i]->rec.open)
			entry_free(model->entries[i]);
		else
			model->entries[kept++] = model->entries[i];
	}
	model->nentries = kept;
}

/*
 * By name, and of one name in the order in which they were read. What is compared lies in the
 * array: records are all over the memory.
 */
struct read_entry {
	__u64 seq;
	size_t at;
	__u32 cpu;
	bool open;
};

static int by_name(const void *a, const void *b)
{
	const struct read_entry *l = a, *r = b;

	if (l->open != r->open || l->cpu != r->cpu)
		return l->open != r->open ? l->open - r->open : l->cpu < r->cpu ? -1 : 1;
	if (l->seq != r->seq)
		return l->seq < r->seq ? -1 : 1;
	return (l->at > r->at) - (l->at < r->at);
}

static bool same_name(const struct read_entry *a, const struct read_entry *b)
{
	return !a->open && !b->open && a->cpu == b->cpu && a->seq == b->seq;
}

/* is there a brief record of that name which was read later? One that was read before goes */
static bool give_way(const struct model *model, const struct entry *entry)
{
	const struct tio_record *rec = &entry->rec;
	struct brief *brief = rec->open ? NULL :
			      briefs_numbered(&model->briefs, rec->cpu, rec->seq);

	if (brief)
		brief->again = brief->read < entry->read;
	return brief && !brief->again;
}

/**
 * model_ascends() - do the numbers and ends of each CPU's records ascend?
 * @model: the model
 *
 * Return: true where it was noted of all that were read, and none is brief.
 */
bool model_ascends(const struct model *model)
{
	return model->ascent.count && model->ascent.count == model->nread;
}

/**
 * model_drop_older() - of records that were read several times, keep what was read last
 * @model: the model
 *
 * A record is told of steal after it was made.
 *
 * Return: how many were dropped.
 */
size_t model_drop_older(struct model *model)
{
	size_t dropped = briefs_drop_older(&model->briefs), count = model->nentries;
	struct read_entry *all;

	/* then none was read twice */
	if (model_ascends(model))
		return 0;
	all = alloc(count, sizeof(*all));
	for (size_t i = 0; i < count; i++) {
		const struct tio_record *rec = &model->entries[i]->rec;

		all[i] = (struct read_entry){ rec->seq, i, rec->cpu, rec->open };
	}
	qsort(all, count, sizeof(*all), by_name);
	for (size_t i = 0; i < count; i++) {
		if ((i + 1 < count && same_name(&all[i], &all[i + 1])) ||
		    give_way(model, model->entries[all[i].at])) {
			entry_free(model->entries[all[i].at]);
			model->entries[all[i].at] = NULL;
		}
	}
	model->nentries = 0;
	for (size_t i = 0; i < count; i++)
		if (model->entries[i])
			model->entries[model->nentries++] = model->entries[i];
	free(all);
	return dropped + briefs_drop_again(&model->briefs) + count - model->nentries;
}

/* those of @entries that stand for a group; the others are freed */
static size_t prune(struct entry **entries, size_t count)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		if (entries[i]->view.kept) {
			/* what they are linked to is gone */
			entries[i]->found.holder = NULL;
			entries[i]->found.waits_for = NULL;
			entries[kept++] = entries[i];
		} else {
			entry_free(entries[i]);
		}
	}
	return kept;
}

/**
 * model_prune() - free the records that stand for no group
 * @model: records that were summed up
 */
void model_prune(struct model *model)
{
	model->nentries = prune(model->entries, model->nentries);
	model->ndropped = prune(model->dropped, model->ndropped);
	briefs_free(&model->briefs);
}

/* from the kernel's clock to the wall clock */
static void rebase(struct entry **entries, size_t count, __u64 by_ns)
{
	for (size_t i = 0; i < count; i++) {
		struct tio_record *rec = &entries[i]->rec;

		rec->end_ns += by_ns;
		if (entries[i]->packed)
			continue;
		rec->end.at_ns += by_ns;
		for (unsigned int k = 0; k < rec->nsamples; k++)
			rec->samples[k].at_ns += by_ns;
	}
}

/**
 * model_rebase() - put the wall clock's times in the place of the kernel's
 * @model: records and settings
 *
 * So the times of several nodes, and of several boots, can be compared.
 */
void model_rebase(struct model *model)
{
	struct config *config = &model->config;
	__u64 by_ns = config->realtime_ns - config->now_ns;

	rebase(model->entries, model->nentries, by_ns);
	rebase(model->dropped, model->ndropped, by_ns);
	briefs_rebase(&model->briefs, by_ns);
	config->now_ns += by_ns;
	if (config->enabled_ns)
		config->enabled_ns += by_ns;
	if (config->stopped_known)
		config->stopped_ns += by_ns;
	if (model->recorded_ns)
		model->recorded_ns += by_ns;
	if (model->counted_ns)
		model->counted_ns += by_ns;
	counted_rebase(&model->counted, by_ns);
}

void model_forget_entries(struct model *model)
{
	for (size_t i = 0; i < model->nentries; i++)
		entry_free(model->entries[i]);
	for (size_t i = 0; i < model->ndropped; i++)
		entry_free(model->dropped[i]);
	free(model->entries);
	free(model->dropped);
	free(model->busy);
	pool_free(model->pool);
	briefs_free(&model->briefs);
	record_order_free(&model->ascent);
	model->pool = NULL;
	model->entries = NULL;
	model->dropped = NULL;
	model->busy = NULL;
	model->nentries = 0;
	model->ndropped = 0;
	model->nbusy = 0;
	model->nread = 0;
}

void model_forget_counters(struct model *model)
{
	free(model->counters);
	model->counters = NULL;
	model->ncounters = 0;
}

/**
 * model_begin() - let the settings and counters so far be those of the beginning
 * @model: the model; later ones take their place
 */
void model_begin(struct model *model)
{
	const struct config *config = &model->config;

	if (!model->begin.known && config->now_ns)
		model->begin = (struct moment){
			.known = true,
			.enabled = config->enabled,
			.now_ns = config->now_ns,
			.enabled_ns = config->enabled_ns,
			.counters = model->counters,
			.ncounters = model->ncounters,
		};
	else
		free(model->counters);
	model->counters = NULL;
	model->ncounters = 0;
}

void model_forget_histograms(struct model *model)
{
	free(model->histograms);
	model->histograms = NULL;
	model->nhistograms = 0;
}

void model_free(struct model *model)
{
	model_forget_entries(model);
	model_forget_counters(model);
	model_forget_histograms(model);
	counted_free(&model->counted);
	free(model->begin.counters);
	model->begin = (struct moment){ 0 };
	free(model->config.cpus);
	free(model->config.watched);
	free(model->config.behind);
	free(model->config.online);
	model->config = (struct config){ 0 };
}

static int compare(__u64 a, __u64 b)
{
	return (a > b) - (a < b);
}

/* by end; what is still open comes last */
static int by_end(const void *a, const void *b)
{
	const struct tio_record *left = &(*(struct entry *const *)a)->rec;
	const struct tio_record *right = &(*(struct entry *const *)b)->rec;
	int order = compare(left->open, right->open);

	if (!order)
		order = compare(left->end_ns, right->end_ns);
	if (!order)
		order = compare(left->cpu, right->cpu);
	return order ? order : compare(left->seq, right->seq);
}

/* a recording mostly has records within so many places of where they belong */
#define NEAR	64

/* moves the record at @i to where it belongs among those before it; false: it is too far away */
static bool move_back(struct entry **entries, size_t i)
{
	struct entry *entry = entries[i];
	size_t at = i;

	for (; at && i - at < NEAR && by_end(&entries[at - 1], &entry) > 0; at--)
		entries[at] = entries[at - 1];
	entries[at] = entry;
	return !at || by_end(&entries[at - 1], &entry) <= 0;
}

/**
 * model_sort() - put the records into the order of their ends
 * @model: the model
 */
void model_sort(struct model *model)
{
	size_t i = 1;

	while (i < model->nentries && move_back(model->entries, i))
		i++;
	if (i < model->nentries)
		qsort(model->entries, model->nentries, sizeof(*model->entries), by_end);
}

/**
 * model_ended_from() - the records that ended at a moment or later, or are open
 * @model: sorted records
 * @at_ns: the moment
 *
 * Return: the index of the first of them, the number of all records if there is none.
 */
size_t model_ended_from(const struct model *model, __u64 at_ns)
{
	return lower_bound(0, model->nentries, i, !model->entries[i]->rec.open &&
						  model->entries[i]->rec.end_ns < at_ns);
}

/**
 * config_stopped() - has watching stopped, and is it known for how long it went on?
 * @config: the configuration
 *
 * Return: true when enabled_ns and stopped_ns are the begin and the end.
 */
bool config_stopped(const struct config *config)
{
	return !config->enabled && config->enabled_ns && config->stopped_known &&
	       config->stopped_ns >= config->enabled_ns &&
	       config->now_ns >= config->stopped_ns;
}

/**
 * model_realtime_ns() - the wall clock at a moment of the kernel's clock
 * @model: the model
 * @monotonic_ns: CLOCK_MONOTONIC
 *
 * Return: nanoseconds since 1970, by the wall clock as it is set now.
 */
__u64 model_realtime_ns(const struct model *model, __u64 monotonic_ns)
{
	return model->config.realtime_ns - (model->config.now_ns - monotonic_ns);
}

/* the kernel's clock at a moment of the wall clock; 0: it was before the machine started */
__u64 model_kernel_ns(const struct model *model, __u64 realtime_ns)
{
	__u64 boot_ns = model->config.realtime_ns - model->config.now_ns;

	return realtime_ns > boot_ns ? realtime_ns - boot_ns : 0;
}

/*
 * Does nobody know how many records are missing? A recorder writes what it read CPU by CPU, so
 * a recording that is cut off may lack records of before its last one.
 */
bool model_uncounted(const struct model *model)
{
	return model->received.no_counters || (model->received.damaged && model->recorded_ns);
}

/* may the reader lack records that there were? */
bool model_lacks_records(const struct model *model)
{
	return model_uncounted(model) || model->received.missing || model->received.contradictory;
}

struct cpu_counters model_counters_sum(const struct model *model)
{
	struct cpu_counters sum = { 0 };

	for (size_t i = 0; i < model->ncounters; i++) {
		const struct cpu_counters *cpu = &model->counters[i];

		sum.beats += cpu->beats;
		sum.produced += cpu->produced;
		sum.kept += cpu->kept;
		sum.lost += cpu->lost;
		sum.lost_before += cpu->lost_before;
		sum.cleared += cpu->cleared;
		sum.samples += cpu->samples;
		sum.cost_ns += cpu->cost_ns;
		sum.cost_beats += cpu->cost_beats;
	}
	return sum;
}

void histograms_merge(struct histograms *sum, const struct histograms *add)
{
	tio_histogram_merge(&sum->hard, &add->hard);
	tio_histogram_merge(&sum->soft, &add->soft);
}

/**
 * model_recorded() - are the histograms those of a recording's own time?
 * @model: a recording or not
 *
 * Return: true, unless it is none, or what it began with is not there.
 */
bool model_recorded(const struct model *model)
{
	return model->recorded_ns && model->begin.known;
}

/**
 * model_loaded_sum() - how long the stalls of all CPUs lasted
 * @model: histograms
 *
 * Return: the sum since the module was loaded; of a recording since it began.
 */
struct histograms model_loaded_sum(const struct model *model)
{
	struct histograms sum = { 0 };

	for (size_t i = 0; i < model->nhistograms; i++)
		histograms_merge(&sum, &model->histograms[i].loaded);
	return sum;
}

/**
 * histograms_recent() - how long a CPU's stalls lasted since its records were dropped last
 * @cpu: the CPU's histograms
 *
 * Return: these; where they never were, or that is not known, those of all of its stalls.
 */
const struct histograms *histograms_recent(const struct cpu_histograms *cpu)
{
	return cpu->cleared_ns ? &cpu->recent : &cpu->loaded;
}

/* the same of all CPUs */
struct histograms model_recent_sum(const struct model *model)
{
	struct histograms sum = { 0 };

	for (size_t i = 0; i < model->nhistograms; i++)
		histograms_merge(&sum, histograms_recent(&model->histograms[i]));
	return sum;
}

/**
 * model_cleared_ns() - when records were dropped last
 * @model: histograms
 *
 * A CPU that has been watched since then only is none of which records were dropped.
 *
 * Return: the moment; 0: never, or not known.
 */
__u64 model_cleared_ns(const struct model *model)
{
	__u64 cleared_ns = 0;

	for (size_t i = 0; i < model->nhistograms; i++)
		if (model->histograms[i].cleared_ns > cleared_ns)
			cleared_ns = model->histograms[i].cleared_ns;
	return cleared_ns;
}
