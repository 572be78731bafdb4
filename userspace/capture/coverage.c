// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "base/lower_bound.h"
#include "base/say.h"
#include "base/units.h"
#include "capture/coverage.h"

/* a CPU's records that a recording has */
struct there {
	__u32 cpu;
	__u64 from;
	__u64 to;		/* behind the last one that it has, or should have */
	__u64 kept;
	__u64 counted;		/* of kept, those from @from on */
	__u64 hard_ns;		/* its longest stall that ended as it was recorded */
	__u64 soft_ns;
};

/**
 * coverage_begin() - keep the histograms that a recording began with
 * @recorded: gets them
 * @model: has them, and those that come take their place
 */
void coverage_begin(struct coverage *recorded, struct model *model)
{
	if (!recorded->known || model->begin.known || !model->config.now_ns)
		return;
	recorded->first = model->histograms;
	recorded->nfirst = model->nhistograms;
	model->histograms = NULL;
	model->nhistograms = 0;
}

static int by_cpu(const void *a, const void *b)
{
	const struct there *left = a, *right = b;

	return (left->cpu > right->cpu) - (left->cpu < right->cpu);
}

static struct there *of_all_cpus(const struct model *model, const struct coverage *recorded)
{
	struct there *cpus = alloc(model->ncounters, sizeof(*cpus));

	for (size_t i = 0; i < model->ncounters; i++) {
		__u32 cpu = model->counters[i].cpu;

		cpus[i] = (struct there){
			.cpu = cpu,
			.from = resume_seq(&recorded->from, cpu),
			.to = resume_seq(&recorded->to, cpu),
		};
	}
	qsort(cpus, model->ncounters, sizeof(*cpus), by_cpu);
	return cpus;
}

static struct there *there_of(struct there *cpus, const struct model *model, __u32 cpu)
{
	const struct there wanted = { .cpu = cpu };

	return bsearch(&wanted, cpus, model->ncounters, sizeof(*cpus), by_cpu);
}

/* a recorder that was killed has records of after it wrote settings and counters last */
static void reach(struct config *config, __u64 end_ns)
{
	if (end_ns <= config->now_ns)
		return;
	config->realtime_ns += end_ns - config->now_ns;
	config->now_ns = end_ns;
}

/* the last one of a CPU's briefs ended last */
static void reach_records(struct model *model)
{
	for (size_t i = 0; i < model->nentries; i++)
		if (!model->entries[i]->rec.open)
			reach(&model->config, model->entries[i]->rec.end_ns);
	for (size_t i = 0; i < model->briefs.ncpus; i++) {
		const struct brief_cpu *of = &model->briefs.cpus[i];

		if (of->count)
			reach(&model->config, of->all[of->count - 1].end_ns);
	}
}

static void note_longest(struct there *there, const struct model *model,
			 const struct brief *rec)
{
	__u64 *longest_ns = rec->kind == TRACE_IRQOFF_KIND_SOFT ? &there->soft_ns :
								   &there->hard_ns;

	if (rec->end_ns > model->begin.now_ns && rec->min_ns > *longest_ns)
		*longest_ns = rec->min_ns;
}

static void count_record(struct there *there, const struct model *model, const struct brief *rec)
{
	there->kept++;
	note_longest(there, model, rec);
	there->counted += rec->seq >= there->from;
	/* the highest number of all is followed by none */
	if (there->to <= rec->seq && rec->seq + 1)
		there->to = rec->seq + 1;
}

static struct there *count_records(const struct model *model, const struct coverage *recorded)
{
	struct there *cpus = of_all_cpus(model, recorded);

	for (size_t i = 0; i < model->nentries; i++) {
		const struct tio_record *rec = &model->entries[i]->rec;
		struct there *there = there_of(cpus, model, rec->cpu);

		const struct brief brief = brief_of(rec);

		if (!rec->open && there)
			count_record(there, model, &brief);
	}
	for (__u32 cpu = 0; cpu < model->briefs.ncpus; cpu++) {
		const struct brief_cpu *of = &model->briefs.cpus[cpu];
		struct there *there = there_of(cpus, model, cpu);

		for (size_t i = 0; there && i < of->count; i++)
			count_record(there, model, &of->all[i]);
	}
	return cpus;
}

/* of a ring that was saved, whose counters come before its records */
static void count_missing(struct model *model)
{
	struct there *cpus = count_records(model, &(struct coverage){ 0 });

	for (size_t i = 0; i < model->ncounters; i++) {
		const struct there *there = there_of(cpus, model, model->counters[i].cpu);

		if (model->counters[i].kept > there->kept)
			model->received.missing += model->counters[i].kept - there->kept;
	}
	free(cpus);
}

/**
 * coverage_count() - count what is missing of a capture
 * @model: records, each once, settings and counters. Of a recording, lost and cleared become
 *	those of the recording, not those of the module's ring.
 * @recorded: where a recording begins and ends
 */
void coverage_count(struct model *model, const struct coverage *recorded)
{
	struct there *cpus;

	if (!recorded->known) {
		if (model->received.cut && !model->received.no_counters)
			count_missing(model);
		return;
	}
	model->recorded_ns = model->begin.known ? model->begin.now_ns : model->config.now_ns;
	cpus = count_records(model, recorded);
	for (size_t i = 0; i < model->ncounters; i++) {
		struct cpu_counters *counters = &model->counters[i];
		const struct there *there = there_of(cpus, model, counters->cpu);

		counters->cleared = 0;
		counters->lost_before = 0;
		counters->lost = there->to > there->from + there->counted ?
				 there->to - there->from - there->counted : 0;
	}
	free(cpus);
}

static void take_away(__u64 *number, __u64 before)
{
	*number = *number > before ? *number - before : 0;
}

/*
 * The longest of them all may be of before. Then it is the longest that has a record or, where
 * that is shorter, as long as the last bucket's stalls are at least.
 */
static void since(struct tio_histogram *hist, const struct tio_histogram *before,
		  __u64 recorded_ns)
{
	__u64 longest_ns = hist->max_ns > before->max_ns ? hist->max_ns : recorded_ns;

	take_away(&hist->count, before->count);
	take_away(&hist->sum_ns, before->sum_ns);
	for (unsigned int i = 0; i < TIO_BUCKETS; i++) {
		__u64 least_ns = i ? NSEC_PER_USEC << i : 0;

		take_away(&hist->buckets[i], before->buckets[i]);
		if (hist->buckets[i] && least_ns > longest_ns)
			longest_ns = least_ns;
	}
	hist->max_ns = hist->count ? longest_ns : 0;
}

static int first_by_cpu(const void *a, const void *b)
{
	const struct cpu_histograms *left = a, *right = b;

	return (left->cpu > right->cpu) - (left->cpu < right->cpu);
}

/*
 * A CPU that has been watched since the recording began only is counted as it is. What was
 * recorded stays where somebody cleared the module's records.
 */
static void settle_histograms(struct model *model, const struct coverage *recorded,
			      struct there *cpus)
{
	if (recorded->nfirst)
		qsort(recorded->first, recorded->nfirst, sizeof(*recorded->first), first_by_cpu);
	for (size_t i = 0; i < model->nhistograms; i++) {
		struct cpu_histograms *own = &model->histograms[i];
		const struct there *there = there_of(cpus, model, own->cpu);
		size_t k = lower_bound(0, recorded->nfirst, at, recorded->first[at].cpu < own->cpu);

		/* of one that has its end alone it is not known what it began with */
		if (model->begin.known)
			own->cleared_ns = 0;
		if (k == recorded->nfirst || recorded->first[k].cpu != own->cpu)
			continue;
		since(&own->loaded.hard, &recorded->first[k].loaded.hard,
		      there ? there->hard_ns : 0);
		since(&own->loaded.soft, &recorded->first[k].loaded.soft,
		      there ? there->soft_ns : 0);
	}
}

/**
 * coverage_settle() - what of a recording is kept, what it counts, and until when it tells
 * @model: as coverage_count() left it, without the records that are left out
 * @recorded: where it begins and ends
 */
void coverage_settle(struct model *model, const struct coverage *recorded)
{
	struct there *cpus;

	if (!recorded->known)
		return;
	cpus = count_records(model, recorded);
	for (size_t i = 0; i < model->ncounters; i++)
		model->counters[i].kept = there_of(cpus, model, model->counters[i].cpu)->kept;
	settle_histograms(model, recorded, cpus);
	free(cpus);
	if (recorded->ended)
		return;
	model->counted_ns = model->config.now_ns;
	reach_records(model);
}

/* a record, by CPU and kind, and of these in the order in which they were written */
struct written {
	__u64 start_ns;
	__u64 end_ns;
	size_t at;		/* of an open stall, in the model */
	__u32 read;
	__u32 cpu;
	__u8 kind;
	bool open;
};

struct writing {
	struct written *all;
	size_t count;
};

static int by_kind(const void *a, const void *b)
{
	const struct written *left = a, *right = b;

	if (left->cpu != right->cpu)
		return left->cpu < right->cpu ? -1 : 1;
	if (left->kind != right->kind)
		return left->kind < right->kind ? -1 : 1;
	return left->read < right->read ? -1 : 1;
}

static bool same_kind(const struct written *a, const struct written *b)
{
	return a->cpu == b->cpu && a->kind == b->kind;
}

static void write_down(struct writing *writing, const struct written *written)
{
	writing->all = grow(writing->all, writing->count, sizeof(*writing->all));
	writing->all[writing->count++] = *written;
}

/* when the first open stall began; ~0 where there is none */
static __u64 first_open_ns(const struct model *model)
{
	__u64 first_ns = ~0ULL;

	for (size_t i = 0; i < model->nentries; i++) {
		const struct entry *entry = model->entries[i];

		if (entry->rec.open && entry_start_ns(entry) < first_ns)
			first_ns = entry_start_ns(entry);
	}
	return first_ns;
}

static void write_entries(struct writing *writing, const struct model *model)
{
	for (size_t i = 0; i < model->nentries; i++) {
		const struct entry *entry = model->entries[i];

		write_down(writing, &(struct written){
			.start_ns = entry_start_ns(entry),
			.end_ns = entry->rec.end_ns,
			.at = i,
			.read = entry->read,
			.cpu = entry->rec.cpu,
			.kind = entry->rec.kind,
			.open = entry->rec.open,
		});
	}
}

/* those that may be what became of an open stall; they are in the order of their ends */
static void write_briefs(struct writing *writing, const struct briefs *briefs, __u64 first_ns)
{
	for (__u32 cpu = 0; cpu < briefs->ncpus; cpu++) {
		const struct brief_cpu *of = &briefs->cpus[cpu];

		for (size_t i = of->count; i && of->all[i - 1].end_ns >= first_ns; i--)
			write_down(writing, &(struct written){
				.end_ns = of->all[i - 1].end_ns,
				.read = of->all[i - 1].read,
				.cpu = cpu,
				.kind = of->all[i - 1].kind,
			});
	}
}

/*
 * Drops from the last one on. What ended of a CPU's stalls of a kind after an open one began was
 * that one, or a later one.
 */
static void drop_open(struct model *model, const struct written *all, size_t count)
{
	__u64 ended_ns = 0, open_ns = 0;

	for (size_t i = count; i--;) {
		if (i + 1 == count || !same_kind(&all[i], &all[i + 1])) {
			ended_ns = 0;
			open_ns = 0;
		}
		if (!all[i].open) {
			ended_ns = all[i].end_ns > ended_ns ? all[i].end_ns : ended_ns;
			continue;
		}
		if (ended_ns >= all[i].start_ns || open_ns > all[i].end_ns) {
			entry_free(model->entries[all[i].at]);
			model->entries[all[i].at] = NULL;
		}
		open_ns = all[i].end_ns > open_ns ? all[i].end_ns : open_ns;
	}
}

/**
 * coverage_drop_open() - drop the open stalls that went on, or that ended later
 * @model: records, after contradiction_drop()
 */
void coverage_drop_open(struct model *model)
{
	size_t count = model->nentries, kept = 0;
	struct writing writing = { 0 };
	__u64 first_ns = first_open_ns(model);

	if (first_ns == ~0ULL)
		return;
	write_entries(&writing, model);
	write_briefs(&writing, &model->briefs, first_ns);
	qsort(writing.all, writing.count, sizeof(*writing.all), by_kind);
	drop_open(model, writing.all, writing.count);
	free(writing.all);
	for (size_t i = 0; i < count; i++)
		if (model->entries[i])
			model->entries[kept++] = model->entries[i];
	model->nentries = kept;
}

void coverage_free(struct coverage *recorded)
{
	resume_free(&recorded->from);
	resume_free(&recorded->to);
	free(recorded->first);
}
