// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "alibi/stall_index.h"
#include "base/lower_bound.h"
#include "base/say.h"

static void add(struct stall_index *stretches, struct entry *const *entries, size_t nentries,
		const struct filter *filter)
{
	for (size_t i = 0; i < nentries; i++) {
		const struct tio_record *rec = &entries[i]->rec;

		if (!filter_wants_cpu(filter, rec->cpu))
			continue;
		stretches->all = grow(stretches->all, stretches->count, sizeof(*stretches->all));
		stretches->all[stretches->count++] = (struct stretch){
			.entry = entries[i],
			.from_ns = rec->end_ns > rec->max_ns ? rec->end_ns - rec->max_ns : 0,
			.to_ns = rec->end_ns,
		};
		if (rec->max_ns > stretches->longest_ns)
			stretches->longest_ns = rec->max_ns;
	}
}

/* by CPU, and then in the order of their begin */
static int by_place(const void *a, const void *b)
{
	const struct stretch *left = a, *right = b;

	if (left->entry->rec.cpu != right->entry->rec.cpu)
		return left->entry->rec.cpu < right->entry->rec.cpu ? -1 : 1;
	return (left->from_ns > right->from_ns) - (left->from_ns < right->from_ns);
}

static void find_reach(struct stretch *stretches, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct stretch *stretch = &stretches[i];

		stretch->reach_ns = stretch->to_ns;
		if (i && stretch[-1].entry->rec.cpu == stretch->entry->rec.cpu &&
		    stretch[-1].reach_ns > stretch->reach_ns)
			stretch->reach_ns = stretch[-1].reach_ns;
	}
}

/* hard stalls in a softirq stall that has a record: its own bounds say how long it was */
static void hide_nested(struct stretch *stretches, size_t count)
{
	__u64 soft_from_ns = 0, soft_to_ns = 0;
	__u32 cpu = 0;

	for (size_t i = 0; i < count; i++) {
		struct stretch *stretch = &stretches[i];

		if (stretch->entry->rec.kind == TRACE_IRQOFF_KIND_SOFT) {
			cpu = stretch->entry->rec.cpu;
			soft_from_ns = stretch->from_ns;
			soft_to_ns = stretch->to_ns;
		} else {
			stretch->hidden = soft_to_ns && stretch->entry->rec.cpu == cpu &&
					  stretch->from_ns >= soft_from_ns &&
					  stretch->to_ns <= soft_to_ns;
		}
	}
}

/**
 * stall_index_find() - put records in the order in which they are looked up
 * @stretches: the result, for stall_index_free()
 * @model: all records, with those that a filter dropped
 * @filter: the CPUs whose records are wanted
 */
void stall_index_find(struct stall_index *stretches, const struct model *model,
		      const struct filter *filter)
{
	*stretches = (struct stall_index){ 0 };
	add(stretches, model->entries, model->nentries, filter);
	add(stretches, model->dropped, model->ndropped, filter);
	if (stretches->count)
		qsort(stretches->all, stretches->count, sizeof(*stretches->all), by_place);
	find_reach(stretches->all, stretches->count);
	hide_nested(stretches->all, stretches->count);
}

/**
 * lane_next() - go on to the next CPU
 * @stretches: from stall_index_find()
 * @lane: the CPU's; at first @behind is all of them
 *
 * Return: false behind the last one.
 */
bool lane_next(const struct stall_index *stretches, struct lane *lane)
{
	const struct stretch *end;

	if (!stretches->count)
		return false;
	end = stretches->all + stretches->count;
	lane->first = lane->behind;
	if (lane->first == end)
		return false;
	while (lane->behind < end && lane->behind->entry->rec.cpu == lane->first->entry->rec.cpu)
		lane->behind++;
	return true;
}

/* none before the first that may end then or later */
const struct stretch *lane_from(const struct stall_index *stretches, const struct lane *lane,
				__u64 from_ns)
{
	return lane->first + lower_bound(0, lane->behind - lane->first, i,
					 lane->first[i].from_ns + stretches->longest_ns < from_ns);
}

/**
 * lane_row() - where a row of stretches begins
 * @stretches: from stall_index_find()
 * @lane: a CPU's
 * @from_ns: the row may end then or later
 * @apart_ns: what follows the one before by less belongs to the row
 *
 * Return: none of the lane before it is in such a row.
 */
const struct stretch *lane_row(const struct stall_index *stretches, const struct lane *lane,
			       __u64 from_ns, __u64 apart_ns)
{
	const struct stretch *first =
		lane_from(stretches, lane, from_ns > apart_ns ? from_ns - apart_ns : 0);

	while (first > lane->first && first < lane->behind &&
	       first[-1].reach_ns + apart_ns > first->from_ns)
		first--;
	return first;
}

void stall_index_free(struct stall_index *stretches)
{
	free(stretches->all);
	*stretches = (struct stall_index){ 0 };
}
