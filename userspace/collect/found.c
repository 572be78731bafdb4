// SPDX-License-Identifier: GPL-2.0-only
/* Are the records there that were named? */
#include <stdio.h>
#include <string.h>

#include "base/say.h"
#include "model/cpuset.h"
#include "model/filter.h"

static const struct entry *find_name(struct entry *const *entries, size_t count,
				     const struct record_name *name)
{
	for (size_t i = 0; i < count; i++)
		if (record_is_named(name, entries[i]->rec.cpu, entries[i]->rec.open,
				    entries[i]->rec.seq))
			return entries[i];
	return NULL;
}

/* what is named may be older than what else is asked for */
static bool has_brief(const struct briefs *briefs, const struct record_name *name)
{
	const struct brief_cpu *of = name->cpu < briefs->ncpus ? &briefs->cpus[name->cpu] : NULL;

	for (size_t i = 0; of && !name->open && i < of->count; i++)
		if (of->all[i].seq == name->seq)
			return true;
	return false;
}

static bool is_busy(const struct model *model, const struct record_name *name)
{
	for (size_t i = 0; i < model->nbusy; i++)
		if (record_is_named(name, model->busy[i].cpu, model->busy[i].open,
				    model->busy[i].seq))
			return true;
	return false;
}

static void span_add(__u64 seq, __u64 *first, __u64 *last)
{
	if (seq < *first)
		*first = seq;
	if (seq > *last)
		*last = seq;
}

/* the first and last number of a CPU's records, with those that the filter dropped */
static bool span_of(const struct model *model, __u32 cpu, __u64 *first, __u64 *last)
{
	const struct briefs *briefs = &model->briefs;

	*first = ~0ULL;
	*last = 0;
	for (size_t i = 0; i < model->nentries + model->ndropped; i++) {
		const struct entry *entry = i < model->nentries ?
			model->entries[i] : model->dropped[i - model->nentries];

		if (entry->rec.cpu == cpu && !entry->rec.open)
			span_add(entry->rec.seq, first, last);
	}
	for (size_t i = 0; cpu < briefs->ncpus && i < briefs->cpus[cpu].count; i++)
		span_add(briefs->cpus[cpu].all[i].seq, first, last);
	return *first <= *last;
}

/* what became of a record; NULL: it was never made */
static const char *gone(const struct model *model, const struct record_name *name)
{
	if (model->received.no_counters)
		return model->received.damaged ? "cut off, if it was there" :
						 "of before, if it was there";
	for (size_t i = 0; i < model->ncounters; i++) {
		const struct cpu_counters *counters = &model->counters[i];

		if (counters->cpu != name->cpu || name->seq >= counters->produced)
			continue;
		if (model_lacks_records(model))
			return "cut off, overwritten, cleared, or left out";
		if (!counters->cleared)
			return "overwritten by newer ones";
		return counters->lost ? "overwritten by newer ones, or cleared" : "cleared";
	}
	return NULL;
}

static int not_there(const struct model *model, const struct record_name *name)
{
	const char *how = gone(model, name);
	__u64 first, last;
	char has[64];
	bool any = span_of(model, name->cpu, &first, &last);

	if (any)
		snprintf(has, sizeof(has), "%u:%llu to %u:%llu", name->cpu, first, name->cpu,
			 last);
	else
		strcpy(has, "no records");
	if (model->received.cut && !model->received.damaged && (!any || name->seq > last))
		return failed("record %u:%llu is not there yet; "
			      "the capture is still written: CPU %u has %s",
			      name->cpu, name->seq, name->cpu, has);
	if (how)
		return failed("record %u:%llu is gone (%s): CPU %u has %s", name->cpu, name->seq,
			      how, name->cpu, has);
	return failed("there is no record %u:%llu: CPU %u has %s", name->cpu, name->seq,
		      name->cpu, has);
}

static int still_written(const struct record_name *name)
{
	if (name->open)
		return failed("the open stall of CPU %u could not be read while it was written; "
			      "ask again", name->cpu);
	return failed("record %u:%llu could not be read while its CPU was writing; ask again",
		      name->cpu, name->seq);
}

/**
 * filter_found() - are all records there that were named?
 * @filter: the filter
 * @model: what it was applied to
 *
 * Return: EXIT_DONE, or EXIT_FAILED after saying which one is not there.
 */
int filter_found(const struct filter *filter, const struct model *model)
{
	for (size_t i = 0; i < filter->nnames; i++) {
		const struct record_name *name = &filter->names[i];

		if (find_name(model->entries, model->nentries, name) ||
		    find_name(model->dropped, model->ndropped, name) ||
		    has_brief(&model->briefs, name))
			continue;
		if (is_busy(model, name))
			return still_written(name);
		if (*model->machine.cpus &&
		    !cpulist_has(model->machine.cpus, name->cpu, name->cpu))
			return failed("there is no CPU %u (CPUs %s)", name->cpu,
				      model->machine.cpus);
		if (name->open)
			return failed("no stall of CPU %u is open; "
				      "it may have ended: irqoff list --cpu %u -n 1",
				      name->cpu, name->cpu);
		return not_there(model, name);
	}
	return EXIT_DONE;
}
