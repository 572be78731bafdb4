// SPDX-License-Identifier: GPL-2.0-only
/*
 * Many records of a capture are older than what is asked for. A record that ended long enough
 * before the first one that passes is not linked to any that does, and only its name, its
 * bounds and its end count.
 */
#include <stdlib.h>

#include "base/say.h"
#include "base/units.h"
#include "capture/needed.h"

/**
 * needed_some() - does a filter ask for the newest records, or named ones?
 * @filter: all its options were taken
 */
bool needed_some(const struct filter *filter)
{
	return filter && filter->narrow &&
	       (filter->since || filter->since_ns || filter->newest || filter->nnames);
}

/**
 * needed_look() - do the records themselves tell from when on they are needed?
 * @filter: needed_some() of it is true
 */
bool needed_look(const struct filter *filter)
{
	return filter->newest || filter->nnames || (filter->since && !filter->referred);
}

/* name, lower bound and end of each record */
typedef void record_call(const struct record_name *name, const struct brief *record, void *context);

static void each_record(const struct model *model, record_call *call, void *context)
{
	for (__u32 cpu = 0; cpu < model->briefs.ncpus; cpu++) {
		const struct brief_cpu *of = &model->briefs.cpus[cpu];

		for (size_t i = 0; i < of->count; i++)
			call(&(struct record_name){ .cpu = cpu, .seq = of->all[i].seq },
			     &of->all[i], context);
	}
	for (size_t i = 0; i < model->nentries; i++) {
		const struct tio_record *rec = &model->entries[i]->rec;
		const struct brief brief = brief_of(rec);

		call(&(struct record_name){ .cpu = rec->cpu, .open = rec->open, .seq = rec->seq },
		     &brief, context);
	}
}

/* what is looked for */
struct search {
	const struct filter *filter;
	const struct model *model;
	__u64 first_ns;		/* when the first record ended that was found */
	__u64 *ends;		/* when each ended */
	size_t count;
};

static void look_at_name(const struct record_name *name, const struct brief *record, void *context)
{
	struct search *search = context;

	for (size_t i = 0; i < search->filter->nnames; i++)
		if (record_is_named(&search->filter->names[i], name->cpu, name->open, name->seq) &&
		    record->end_ns < search->first_ns)
			search->first_ns = record->end_ns;
}

/* of the named records; ~0 where none is there */
static __u64 first_named_ns(const struct filter *filter, const struct model *model)
{
	struct search search = { .filter = filter, .first_ns = ~0ULL };

	each_record(model, look_at_name, &search);
	return search.first_ns;
}

static int by_time(const void *a, const void *b)
{
	const __u64 left = *(const __u64 *)a, right = *(const __u64 *)b;

	return (left > right) - (left < right);
}

static void look_at_end(const struct record_name *name, const struct brief *record, void *context)
{
	struct search *search = context;

	if (filter_may_pass(search->filter, search->model, name, record->end_ns, record->min_ns))
		search->ends[search->count++] = record->end_ns;
}

/* the end of the last but so many that pass */
static __u64 newest_ns(const struct filter *filter, const struct model *model)
{
	struct search search = {
		.filter = filter,
		.model = model,
		.ends = alloc(model->nentries + model->briefs.count, sizeof(*search.ends)),
	};
	__u64 found_ns = 0;

	each_record(model, look_at_end, &search);
	if (search.count > filter->newest) {
		qsort(search.ends, search.count, sizeof(*search.ends), by_time);
		found_ns = search.ends[search.count - filter->newest];
	}
	free(search.ends);
	return found_ns;
}

/**
 * needed_from_ns() - when the first record ended that is needed whole
 * @filter: which records pass; its times refer to the capture's
 * @model: records, each once, and settings
 *
 * Return: by the kernel's clock; 0: all are needed.
 */
__u64 needed_from_ns(const struct filter *filter, const struct model *model)
{
	__u64 from_ns = model_kernel_ns(model, filter->since_ns), other_ns;

	/* classes are not known yet */
	if (filter->newest && !filter->classes) {
		other_ns = newest_ns(filter, model);
		from_ns = other_ns > from_ns ? other_ns : from_ns;
	}
	if (filter->nnames) {
		other_ns = first_named_ns(filter, model);
		from_ns = other_ns > from_ns ? other_ns : from_ns;
	}
	return from_ns > NEEDED_BEFORE_NS ? from_ns - NEEDED_BEFORE_NS : 0;
}

/**
 * needed_suffices() - is all there that is needed?
 * @filter: which records pass
 * @model: records, each once, and settings
 * @from_ns: what ended before was read without its samples
 *
 * A stall waits for one that ended after it began, which may have waited likewise.
 */
bool needed_suffices(const struct filter *filter, const struct model *model, __u64 from_ns)
{
	const __u64 reach_ns = NEEDED_BEFORE_NS / (2 + WAITS_LONGEST_CHAIN);

	if (from_ns > needed_from_ns(filter, model))
		return false;
	for (size_t i = 0; i < model->nentries; i++) {
		struct tio_record room;
		const struct tio_record *rec = entry_record(&room, model->entries[i]);
		__u64 longest_ns = rec->min_ns > rec->max_ns ? rec->min_ns : rec->max_ns;

		if (longest_ns > reach_ns || rec->period_ns > reach_ns - longest_ns)
			return false;
	}
	return true;
}
