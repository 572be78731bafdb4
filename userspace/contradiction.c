// SPDX-License-Identifier: GPL-2.0-only
/*
 * A file may say what no module tells. Only what cannot be true is left out: hard and soft
 * stalls of a CPU overlap, a CPU may be offline by now, and a recorder that was killed has
 * records of after it told the time last. Ends are readings of the kernel's clock, but a stall
 * may be measured in cycles of its CPU, of which a clock that is slewed differs by a tenth.
 */
#include <stdlib.h>

#include "contradiction.h"
#include "cpuset.h"
#include "say.h"
#include "units.h"
#include "version.h"

/* a reader in a time namespace has another clock for the end of a file than the module */
#define LATE_NS		(24 * 3600 * NSEC_PER_SEC)

/* what a lower bound may be wrong by */
static __u64 slack_ns(const struct tio_record *rec)
{
	return TIO_BOUNDS_SLACK_NS + rec->min_ns / 8;
}

static bool has_no_cpu(const struct model *model, const struct tio_record *rec)
{
	const char *possible = model->machine.cpus;

	return *possible && !cpulist_has(possible, rec->cpu, rec->cpu);
}

/* a newer module may have more kinds */
static bool has_no_kind(const struct model *model, const struct tio_record *rec)
{
	return model->config.version <= TRACE_IRQOFF_API && rec->kind > TRACE_IRQOFF_KIND_SOFT;
}

static bool is_later(const struct tio_record *rec, __u64 saved_ns)
{
	return saved_ns && rec->end_ns > saved_ns && rec->end_ns - saved_ns > LATE_NS;
}

static bool contradicts_itself(const struct model *model, const struct tio_record *rec,
			       __u64 saved_ns)
{
	/* it began before the kernel's clock did */
	if (rec->min_ns > rec->end_ns)
		return true;
	if (rec->min_ns > rec->max_ns && rec->min_ns - rec->max_ns > slack_ns(rec))
		return true;
	return is_later(rec, saved_ns) || has_no_cpu(model, rec) || has_no_kind(model, rec);
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
static void drop_overlapping(struct model *model, struct placed *all, size_t count)
{
	const struct tio_record *last = NULL;

	if (count)
		qsort(all, count, sizeof(*all), by_end);
	for (size_t i = 0; i < count; i++) {
		const struct tio_record *rec = all[i].rec;

		if (last && last->cpu == rec->cpu && last->kind == rec->kind &&
		    rec->end_ns - rec->min_ns + slack_ns(rec) < last->end_ns)
			drop(model, all[i].at);
		else
			last = rec;
	}
}

/**
 * contradiction_drop() - leave out the records that cannot be true
 * @model: machine, settings and records, each once
 * @saved_ns: the latest time that the file tells; 0: it does not tell when it ended
 *
 * Return: how many were left out.
 */
size_t contradiction_drop(struct model *model, __u64 saved_ns)
{
	struct placed *all = alloc(model->nentries, sizeof(*all));
	size_t count = model->nentries, kept = 0, ended = 0;

	for (size_t i = 0; i < count; i++) {
		const struct tio_record *rec = &model->entries[i]->rec;

		if (contradicts_itself(model, rec, saved_ns))
			drop(model, i);
		else if (!rec->open)
			all[ended++] = (struct placed){ rec, rec->end_ns, i, rec->cpu, rec->kind };
	}
	drop_overlapping(model, all, ended);
	free(all);
	for (size_t i = 0; i < count; i++)
		if (model->entries[i])
			model->entries[kept++] = model->entries[i];
	model->nentries = kept;
	return count - kept;
}
