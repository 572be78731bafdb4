// SPDX-License-Identifier: GPL-2.0-only
/*
 * A file may say what no module tells. Only what cannot be true is left out: hard and soft
 * stalls of a CPU overlap, a CPU may be offline by now, and a recorder that was killed has
 * records of after it told the time last. Ends are readings of the kernel's clock, but a stall
 * may be measured in cycles of its CPU, of which a clock that is slewed differs by a tenth.
 */
#include <stdlib.h>

#include "base/say.h"
#include "base/units.h"
#include "model/contradiction.h"
#include "model/cpuset.h"
#include "version.h"

/* a reader in a time namespace has another clock for the end of a file than the module */
#define LATE_NS		(24 * 3600 * NSEC_PER_SEC)

/* what a lower bound may be wrong by */
static __u64 slack_ns(__u64 min_ns)
{
	return TIO_BOUNDS_SLACK_NS + min_ns / 8;
}

static bool has_no_cpu(const struct model *model, __u32 cpu)
{
	const char *possible = model->machine.cpus;

	return *possible && !cpulist_has(possible, cpu, cpu);
}

/* a newer module may have more kinds */
static bool has_no_kind(const struct model *model, __u8 kind)
{
	return model->config.version <= TRACE_IRQOFF_API && kind > TRACE_IRQOFF_KIND_SOFT;
}

static bool is_later(__u64 end_ns, __u64 saved_ns)
{
	return saved_ns && end_ns > saved_ns && end_ns - saved_ns > LATE_NS;
}

/**
 * contradiction_crossed() - does a stall's lower bound contradict its upper one?
 * @min_ns: the lower bound
 * @max_ns: the upper one
 */
bool contradiction_crossed(__u64 min_ns, __u64 max_ns)
{
	return min_ns > max_ns && min_ns - max_ns > slack_ns(min_ns);
}

static bool contradicts_itself(const struct model *model, const struct brief *rec, __u64 saved_ns)
{
	/* the first: it began before the kernel's clock did */
	return rec->min_ns > rec->end_ns || rec->crossed || is_later(rec->end_ns, saved_ns) ||
	       has_no_kind(model, rec->kind);
}

/* surely begun before another one of its CPU and kind ended */
static bool overlaps(__u64 end_ns, __u64 min_ns, __u64 other_end_ns)
{
	return end_ns - min_ns + slack_ns(min_ns) < other_end_ns;
}

/* of a CPU, those that cannot be true; they are in the order of their ends */
static void drop_briefs(struct model *model, __u32 cpu, __u64 saved_ns)
{
	const struct brief_cpu *of = &model->briefs.cpus[cpu];
	bool none = of->count && has_no_cpu(model, cpu);
	__u64 ended_ns[256] = { 0 };	/* by kind: the last one that stays */
	size_t kept = 0;

	for (size_t i = 0; i < of->count && !none; i++) {
		const struct brief *rec = &of->all[i];

		if (contradicts_itself(model, rec, saved_ns) ||
		    overlaps(rec->end_ns, rec->min_ns, ended_ns[rec->kind]))
			continue;
		ended_ns[rec->kind] = rec->end_ns;
		of->all[kept++] = *rec;
	}
	briefs_keep(&model->briefs, cpu, kept);
}

/* when the last of these ended; 0: there is none */
static __u64 brief_ended_ns(const struct briefs *briefs, __u32 cpu, __u8 kind)
{
	size_t i = cpu < briefs->ncpus ? briefs->cpus[cpu].count : 0;

	while (i && briefs->cpus[cpu].all[i - 1].kind != kind)
		i--;
	return i ? briefs->cpus[cpu].all[i - 1].end_ns : 0;
}

/* a record, its place in the model, and what is compared */
struct placed {
	const struct tio_record *rec;
	__u64 end_ns;
	__u32 at;
	__u32 cpu;
	__u8 kind;
};

/* by CPU and kind, and of these by their ends */
static int by_end(const void *a, const void *b)
{
	const struct placed *l = a, *r = b;

	if (l->cpu != r->cpu)
		return l->cpu < r->cpu ? -1 : 1;
	if (l->kind != r->kind)
		return l->kind < r->kind ? -1 : 1;
	if (l->end_ns != r->end_ns)
		return l->end_ns < r->end_ns ? -1 : 1;
	return (l->rec->seq > r->rec->seq) - (l->rec->seq < r->rec->seq);
}

static void drop(struct model *model, size_t at)
{
	entry_free(model->entries[at]);
	model->entries[at] = NULL;
}

/*
 * A CPU has one stall of a kind at a time. What surely began before the one before it ended is
 * left out, so that as many as possible stay.
 */
static void drop_overlap(struct model *model, size_t at, const struct tio_record *rec,
			 __u64 *ended_ns)
{
	if (overlaps(rec->end_ns, rec->min_ns, *ended_ns))
		drop(model, at);
	else
		*ended_ns = rec->end_ns;
}

static void drop_overlapping(struct model *model, struct placed *all, size_t count)
{
	__u64 ended_ns = 0;

	if (count)
		qsort(all, count, sizeof(*all), by_end);
	for (size_t i = 0; i < count; i++) {
		if (!i || all[i - 1].cpu != all[i].cpu || all[i - 1].kind != all[i].kind)
			ended_ns = brief_ended_ns(&model->briefs, all[i].cpu, all[i].kind);
		drop_overlap(model, all[i].at, all[i].rec, &ended_ns);
	}
}

/* of a CPU, when the last stall of each kind ended that stays */
struct ended {
	__u64 ns[TRACE_IRQOFF_KIND_SOFT + 1];
};

/**
 * contradiction_drop() - leave out the records that cannot be true
 * @model: machine, settings and records, each once
 * @saved_ns: the latest time that the file tells; 0: it does not tell when it ended
 *
 * Return: how many were left out.
 */
size_t contradiction_drop(struct model *model, __u64 saved_ns)
{
	/* sorting takes an array of all records, and another one for its own work */
	bool sorts = !model_ascends(model);
	struct placed *all = sorts ? alloc(model->nentries, sizeof(*all)) : NULL;
	struct ended *cpus = sorts ? NULL : alloc(model->ascent.ncpus, sizeof(*cpus));
	size_t count = model->nentries, kept = 0, ended = 0, briefs = model->briefs.count;

	briefs_sort(&model->briefs);
	for (__u32 cpu = 0; cpu < model->briefs.ncpus; cpu++)
		drop_briefs(model, cpu, saved_ns);
	for (size_t i = 0; i < count; i++) {
		const struct tio_record *rec = &model->entries[i]->rec;
		struct brief brief = brief_of(rec);

		brief.crossed = contradiction_crossed(rec->min_ns, rec->max_ns);
		if (has_no_cpu(model, rec->cpu) || contradicts_itself(model, &brief, saved_ns))
			drop(model, i);
		else if (!rec->open && !sorts)
			drop_overlap(model, i, rec, &cpus[rec->cpu].ns[rec->kind]);
		else if (!rec->open)
			all[ended++] = (struct placed){ rec, rec->end_ns, i, rec->cpu, rec->kind };
	}
	drop_overlapping(model, all, ended);
	free(all);
	free(cpus);
	for (size_t i = 0; i < count; i++)
		if (model->entries[i])
			model->entries[kept++] = model->entries[i];
	model->nentries = kept;
	return count - kept + briefs - model->briefs.count;
}
