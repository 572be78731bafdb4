// SPDX-License-Identifier: GPL-2.0-only
/*
 * A rate needs a time in which nothing is missing. A ring forgets, so that time begins where
 * the newest records without a gap do: with the oldest of them, which itself is left out,
 * because it was chosen for being there. (For a Poisson process the rate of the others is
 * unbiased then.) The CPUs of a node have one time, that of the CPU whose ring reaches least
 * far back: with a time each, the busiest one would count least.
 *
 * What was recorded as it came has counters of its begin as well, which say how many records
 * there must be. A recorder writes records behind the counters that count them, and those of one
 * CPU behind those of another. So of a recording that is still written the time ends when its
 * counters were read or, where the newest records that they count are yet to come, with the
 * newest one of that CPU, which itself is left out as well.
 */
#include <stdlib.h>

#include "base/lower_bound.h"
#include "base/say.h"
#include "judge/watched.h"
#include "model/cpuset.h"

struct numbered {
	__u32 cpu;
	__u64 seq;
	__u64 end_ns;
};

struct records {
	struct numbered *all;	/* by CPU and number */
	size_t count;
};

static int by_number(const void *a, const void *b)
{
	const struct numbered *left = a, *right = b;

	if (left->cpu != right->cpu)
		return left->cpu < right->cpu ? -1 : 1;
	return (left->seq > right->seq) - (left->seq < right->seq);
}

static void add_records(struct records *records, struct entry *const *entries, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct tio_record *rec = &entries[i]->rec;

		if (!rec->open)
			records->all[records->count++] = (struct numbered){
				.cpu = rec->cpu, .seq = rec->seq, .end_ns = rec->end_ns,
			};
	}
}

static void add_briefs(struct records *records, const struct briefs *briefs)
{
	for (__u32 cpu = 0; cpu < briefs->ncpus; cpu++) {
		for (size_t i = 0; i < briefs->cpus[cpu].count; i++) {
			const struct brief *brief = &briefs->cpus[cpu].all[i];

			records->all[records->count++] = (struct numbered){
				.cpu = cpu, .seq = brief->seq, .end_ns = brief->end_ns,
			};
		}
	}
}

static void sort_records(struct records *records, const struct model *model)
{
	size_t most = model->nentries + model->ndropped + model->briefs.count;

	*records = (struct records){ .all = alloc(most, sizeof(*records->all)) };
	add_records(records, model->entries, model->nentries);
	add_records(records, model->dropped, model->ndropped);
	add_briefs(records, &model->briefs);
	qsort(records->all, records->count, sizeof(*records->all), by_number);
}

/* the index behind a CPU's last record */
static size_t behind(const struct records *records, __u32 cpu)
{
	return lower_bound(0, records->count, i, records->all[i].cpu <= cpu);
}

/* the oldest of the newest records of a CPU without a gap, and the newest; false: none */
static bool find_run(const struct records *records, __u32 cpu, const struct numbered **oldest,
		     const struct numbered **newest)
{
	size_t i = behind(records, cpu);

	if (!i || records->all[i - 1].cpu != cpu)
		return false;
	*newest = &records->all[--i];
	while (i && records->all[i - 1].cpu == cpu &&
	       records->all[i - 1].seq + 1 >= records->all[i].seq)
		i--;
	*oldest = &records->all[i];
	return true;
}

/* what is known of the beginning, CPU by CPU */
struct begin {
	__u64 from_ns;		/* the latest one that some CPU needs */
	bool cleared;		/* records of some CPU were dropped, this cannot tell when */
	__u64 since_ns;		/* the oldest record after that; 0: none */
	bool unknown;
};

static void end_by(struct watched *watched, __u64 to_ns)
{
	if (watched->to_ns > to_ns)
		watched->to_ns = to_ns;
}

/* the newest records of a CPU that are counted are not there: those that ended from then on */
static void lack_newest(struct watched *watched, const struct model *model, __u64 count,
			__u64 from_ns)
{
	if (model->received.cut)
		end_by(watched, from_ns);
	else
		watched->lost += count;
}

static void begin_cpu(struct begin *begin, struct watched *watched,
		      const struct records *records, const struct model *model,
		      const struct cpu_counters *counters)
{
	const struct numbered *oldest, *newest;

	if (!find_run(records, counters->cpu, &oldest, &newest)) {
		begin->cleared = begin->cleared || counters->cleared;
		begin->unknown = begin->unknown || (counters->produced && !counters->cleared);
		return;
	}
	/* those that it made after its records were read, or that a damaged file lacks */
	if (counters->produced > newest->seq + 1)
		lack_newest(watched, model, counters->produced - newest->seq - 1,
			    newest->end_ns - 1);
	if (!oldest->seq)
		return;
	if (counters->cleared && !counters_overwritten(counters)) {
		/* the records that are kept were made after the others were dropped */
		begin->cleared = true;
		if (!begin->since_ns || oldest->end_ns < begin->since_ns)
			begin->since_ns = oldest->end_ns;
	} else if (oldest->end_ns > begin->from_ns) {
		begin->from_ns = oldest->end_ns;
	}
}

static bool wants(const struct model *model, const struct filter *filter,
		  const struct cpu_counters *counters)
{
	const struct config *config = &model->config;

	/* once watching has stopped, all that were ever watched are taken for those that were */
	if (config->enabled && config->watched &&
	    !cpulist_has(config->watched, counters->cpu, counters->cpu))
		return false;
	return filter_wants_cpu(filter, counters->cpu);
}

static void find_begin(struct watched *watched, const struct records *records,
		       const struct model *model, const struct filter *filter)
{
	const __u64 enabled_ns = model->config.enabled_ns;
	struct begin begin = { .from_ns = enabled_ns };
	__u64 came_ns = 0;	/* the CPU that is watched for the shortest time */

	for (size_t i = 0; i < model->ncounters; i++) {
		const struct cpu_counters *counters = &model->counters[i];

		if (!wants(model, filter, counters))
			continue;
		/* it was offline, or not to be watched */
		if (counters->watched_ns > came_ns)
			came_ns = counters->watched_ns;
		begin_cpu(&begin, watched, records, model, counters);
	}
	if (begin.unknown)
		watched->state = WATCHED_UNKNOWN;
	else if (begin.cleared && !begin.since_ns && begin.from_ns == enabled_ns)
		watched->state = WATCHED_CLEARED;
	else if (begin.since_ns > begin.from_ns)
		begin.from_ns = begin.since_ns;
	watched->from_ns = came_ns > begin.from_ns ? came_ns : begin.from_ns;
}

/* how many records a CPU had made as a recorder began */
static __u64 produced_at(const struct moment *moment, __u32 cpu)
{
	for (size_t i = 0; i < moment->ncounters; i++)
		if (moment->counters[i].cpu == cpu)
			return moment->counters[i].produced;
	return 0;
}

static void find_recorded(struct watched *watched, const struct records *records,
			  const struct model *model, const struct filter *filter)
{
	watched->from_ns = model->begin.now_ns;
	for (size_t i = 0; i < model->ncounters; i++) {
		const struct cpu_counters *counters = &model->counters[i];
		__u64 from = produced_at(&model->begin, counters->cpu), to = from, there = 0;
		__u64 known_ns = model->begin.now_ns;
		const struct numbered *oldest, *newest;

		if (!wants(model, filter, counters))
			continue;
		if (counters->watched_ns > watched->from_ns)
			watched->from_ns = counters->watched_ns;
		for (size_t k = behind(records, counters->cpu);
		     k && records->all[k - 1].cpu == counters->cpu &&
		     records->all[k - 1].seq >= from; k--)
			there += records->all[k - 1].seq < counters->produced;
		if (find_run(records, counters->cpu, &oldest, &newest) && newest->seq >= from) {
			to = newest->seq + 1;
			known_ns = newest->end_ns - 1;
		}
		if (counters->produced > to)
			lack_newest(watched, model, counters->produced - to, known_ns);
		else
			to = counters->produced;
		if (to > from + there)
			watched->lost += to - from - there;
	}
}

/* did one time of watching, of the same CPUs, begin before a recorder did, and go on? */
static bool recorded(const struct model *model)
{
	const struct moment *begin = &model->begin;

	return begin->known && begin->enabled && begin->enabled_ns == model->config.enabled_ns;
}

/**
 * watched_find() - the time that a node's records can be a rate of
 * @watched: the result
 * @model: records, settings and counters
 * @filter: whose CPUs alone count
 *
 * The time ends when the settings were read, or when watching stopped. It ends before that where
 * somebody still writes the capture and has not written all records of that time.
 */
void watched_find(struct watched *watched, const struct model *model, const struct filter *filter)
{
	const struct config *config = &model->config;
	struct records records;

	*watched = (struct watched){
		.to_ns = config->enabled ? config->now_ns : config->stopped_ns,
	};
	for (size_t i = 0; i < model->ncounters; i++)
		watched->cpus += wants(model, filter, &model->counters[i]);
	if (!watched->cpus || !config->enabled_ns ||
	    !(config->enabled || config_stopped(config))) {
		watched->state = WATCHED_UNKNOWN;
		return;
	}
	if (model->counted_ns)
		end_by(watched, model->counted_ns);
	sort_records(&records, model);
	if (recorded(model))
		find_recorded(watched, &records, model, filter);
	else
		find_begin(watched, &records, model, filter);
	free(records.all);
	if (watched->from_ns > watched->to_ns)
		watched->from_ns = watched->to_ns;
}
