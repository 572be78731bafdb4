// SPDX-License-Identifier: GPL-2.0-only
/*
 * A stall is excluded where each CPU that is asked about was watched for all of the time,
 * by settings under which such a stall has a record, and none of the records can be of it.
 * Whatever is not known speaks against that.
 *
 * A stall has a record where its lower bound reaches the threshold. The bound falls short of
 * the length by a period, or a little more where a beat came late. A softirq stall has one
 * where the threshold is reached outside of hard stalls that have records themselves.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "alibi/alibi.h"
#include "base/say.h"
#include "judge/watched.h"
#include "model/cpuset.h"

/* the time that is asked about, by the kernel's clock */
struct span {
	__u64 from_ns, to_ns;
};

static bool meets(const struct span *span, __u64 from_ns, __u64 to_ns)
{
	return from_ns <= span->to_ns && to_ns >= span->from_ns;
}

/* the first gap that is found is told; is this the first one? */
static bool tell(struct alibi *alibi, enum alibi_gap gap)
{
	if (alibi->gap != ALIBI_NO_GAP)
		return false;
	alibi->gap = gap;
	return true;
}

/* online CPUs are asked about, and each has to be watched and to go by the settings */
static void check_cpus(struct alibi *alibi, const struct model *model,
		       const struct filter *filter)
{
	const struct config *config = &model->config;
	struct cpuset asked = { 0 }, unwatched = { 0 }, behind = { 0 };
	__u32 cpu;

	if (!config->online || !config->watched) {
		tell(alibi, ALIBI_UNKNOWN);
		return;
	}
	for (__u32 next = 0; cpulist_next(config->online, next, &cpu); next = cpu + 1) {
		if (!filter_wants_cpu(filter, cpu))
			continue;
		cpuset_add(&asked, cpu);
		/* once watching has stopped, those that were watched are known by their counters */
		if (config->enabled && !cpulist_has(config->watched, cpu, cpu))
			cpuset_add(&unwatched, cpu);
		if (config->behind && cpulist_has(config->behind, cpu, cpu))
			cpuset_add(&behind, cpu);
	}
	cpuset_print(alibi->asked, sizeof(alibi->asked), &asked);
	if (!cpuset_count(&asked))
		tell(alibi, ALIBI_NO_CPU);
	if (cpuset_count(&unwatched) && tell(alibi, ALIBI_UNWATCHED))
		cpuset_print(alibi->cpus, sizeof(alibi->cpus), &unwatched);
	if (cpuset_count(&behind) && tell(alibi, ALIBI_BEHIND))
		cpuset_print(alibi->cpus, sizeof(alibi->cpus), &behind);
	cpuset_free(&asked);
	cpuset_free(&unwatched);
	cpuset_free(&behind);
}

static const struct cpu_counters *counters_of(const struct model *model, __u32 cpu)
{
	for (size_t i = 0; i < model->ncounters; i++)
		if (model->counters[i].cpu == cpu)
			return &model->counters[i];
	return NULL;
}

static __u64 shortest_ns(const struct cpu_counters *counters)
{
	return counters->threshold_ns + counters->period_ns + TIO_BOUNDS_SLACK_NS;
}

/* by which settings was each CPU watched, and since when? */
static void check_settings(struct alibi *alibi, const struct model *model,
			   const struct filter *filter, const struct span *span)
{
	const char *online = model->config.online ? model->config.online : "";
	__u32 cpu;

	for (__u32 next = 0; cpulist_next(online, next, &cpu); next = cpu + 1) {
		const struct cpu_counters *counters = counters_of(model, cpu);

		if (!filter_wants_cpu(filter, cpu))
			continue;
		if (!counters || !counters->settled_ns) {
			tell(alibi, ALIBI_UNKNOWN);
			continue;
		}
		if (shortest_ns(counters) > alibi->shortest_ns)
			alibi->shortest_ns = shortest_ns(counters);
		if (counters->settled_ns > span->from_ns && tell(alibi, ALIBI_SETTINGS)) {
			alibi->cpu = cpu;
			alibi->at_ns = model_realtime_ns(model, counters->settled_ns);
		}
	}
	if (!alibi->over_ns)
		alibi->over_ns = alibi->shortest_ns;
	if (alibi->over_ns < alibi->shortest_ns)
		tell(alibi, ALIBI_SHORT);
}

/* is no record of this time missing? */
static void check_records(struct alibi *alibi, const struct alibi_book *book,
			  const struct span *span)
{
	const struct watched *watched = &book->watched;
	const struct filter *filter = book->filter;
	const struct model *model = book->model;

	if (watched->state == WATCHED_UNKNOWN)
		tell(alibi, ALIBI_UNKNOWN);
	if (watched->state == WATCHED_CLEARED)
		tell(alibi, ALIBI_CLEARED);
	if (watched->from_ns > span->from_ns && tell(alibi, ALIBI_EARLY))
		alibi->at_ns = model_realtime_ns(model, watched->from_ns);
	if ((watched->to_ns < span->to_ns || watched->to_ns <= span->from_ns) &&
	    tell(alibi, ALIBI_LATE))
		alibi->at_ns = model_realtime_ns(model, watched->to_ns);
	if (watched->lost && tell(alibi, ALIBI_LOST))
		alibi->count = watched->lost;
	for (size_t i = 0; i < model->nbusy; i++)
		if (filter_wants_cpu(filter, model->busy[i].cpu) && tell(alibi, ALIBI_BUSY))
			alibi->cpu = model->busy[i].cpu;
}

/*
 * Could the hard stall @first, with those that follow soon, be a part of a softirq stall as
 * long as that, and without a record?
 */
static bool may_be_part(const struct alibi *alibi, const struct span *span,
			const struct stretch *first, const struct stretch *behind,
			__u64 outside_ns)
{
	__u64 apart_ns = 0, to_ns = first->to_ns;

	for (const struct stretch *next = first; next < behind; next++) {
		if (next->entry->rec.cpu != first->entry->rec.cpu)
			break;
		if (next->hidden || next->entry->rec.kind == TRACE_IRQOFF_KIND_SOFT)
			continue;
		if (next->from_ns > to_ns)
			apart_ns += next->from_ns - to_ns;
		if (apart_ns >= outside_ns)
			break;
		if (next->to_ns > to_ns)
			to_ns = next->to_ns;
		if (to_ns - first->from_ns + outside_ns - apart_ns >= alibi->over_ns &&
		    meets(span, first->from_ns > outside_ns ? first->from_ns - outside_ns : 0,
			  to_ns + outside_ns))
			return true;
	}
	return false;
}

static void look_at_parts(struct alibi *alibi, const struct alibi_book *book,
			  const struct span *span)
{
	struct lane lane = { .behind = book->stretches.all };

	while (lane_next(&book->stretches, &lane)) {
		const struct stretch *next =
			lane_row(&book->stretches, &lane, span->from_ns, alibi->shortest_ns);

		for (; next < lane.behind; next++) {
			if (next->from_ns > span->to_ns + alibi->shortest_ns)
				break;
			if (next->hidden || next->entry->rec.kind == TRACE_IRQOFF_KIND_SOFT ||
			    !may_be_part(alibi, span, next, lane.behind, alibi->shortest_ns))
				continue;
			if (tell(alibi, ALIBI_NESTED))
				alibi->entry = next->entry;
			return;
		}
	}
}

static int by_end(const void *a, const void *b)
{
	const struct entry *const *left = a, *const *right = b;

	return ((*left)->rec.end_ns > (*right)->rec.end_ns) -
	       ((*left)->rec.end_ns < (*right)->rec.end_ns);
}

static void look_at_record(struct alibi *alibi, const struct span *span,
			   const struct stretch *stretch)
{
	const struct entry *entry = stretch->entry;

	if (entry->rec.min_ns >= alibi->over_ns &&
	    meets(span, entry_start_ns(entry), stretch->to_ns)) {
		alibi->stalls = grow(alibi->stalls, alibi->nstalls, sizeof(*alibi->stalls));
		alibi->stalls[alibi->nstalls++] = entry;
	} else if (entry->rec.max_ns >= alibi->over_ns &&
		   meets(span, stretch->from_ns, stretch->to_ns)) {
		if (tell(alibi, ALIBI_BOUNDS))
			alibi->entry = entry;
	}
}

/* finds stalls as long as that, and those of which it is not sure */
static void look_at_records(struct alibi *alibi, const struct alibi_book *book,
			    const struct span *span)
{
	struct lane lane = { .behind = book->stretches.all };

	while (lane_next(&book->stretches, &lane)) {
		const struct stretch *next =
			lane_from(&book->stretches, &lane, span->from_ns);

		for (; next < lane.behind && next->from_ns <= span->to_ns; next++)
			look_at_record(alibi, span, next);
	}
	if (alibi->nstalls)
		qsort(alibi->stalls, alibi->nstalls, sizeof(*alibi->stalls), by_end);
}

/**
 * alibi_open() - prepare to ask about one time after another
 * @book: the result, for alibi_close()
 * @model: all records, with those that a filter dropped, settings and counters
 * @filter: whose CPUs alone are asked about
 *
 * Model and filter stay as long.
 */
void alibi_open(struct alibi_book *book, const struct model *model, const struct filter *filter)
{
	*book = (struct alibi_book){ .model = model, .filter = filter };
	watched_find(&book->watched, model, filter);
	stall_index_find(&book->stretches, model, filter);
}

/**
 * alibi_ask() - was there no long stall?
 * @alibi: time and length are set; ends with alibi_free()
 * @book: from alibi_open()
 *
 * A stall that was found is told whatever else is not known. The length stays 0 where none
 * was given and none can be told.
 */
void alibi_ask(struct alibi *alibi, const struct alibi_book *book)
{
	const struct model *model = book->model;
	struct span span;

	if (alibi->to_ns == ~0ULL)
		alibi->to_ns = model->config.realtime_ns;
	/* a time that begins later has nothing of which anything is known */
	if (alibi->to_ns < alibi->from_ns)
		alibi->to_ns = alibi->from_ns;
	span.from_ns = model_kernel_ns(model, alibi->from_ns);
	span.to_ns = model_kernel_ns(model, alibi->to_ns);
	if (alibi->damaged)
		tell(alibi, ALIBI_DAMAGED);
	if (model->received.no_counters)
		tell(alibi, ALIBI_GROWING);
	check_cpus(alibi, model, book->filter);
	check_settings(alibi, model, book->filter, &span);
	check_records(alibi, book, &span);
	if (alibi->over_ns) {
		look_at_records(alibi, book, &span);
		if (!alibi->nstalls)
			look_at_parts(alibi, book, &span);
	}
	alibi->verdict = alibi->nstalls ? ALIBI_STALLED :
			 alibi->gap == ALIBI_NO_GAP ? ALIBI_NO_STALL : ALIBI_CANNOT_TELL;
}

void alibi_close(struct alibi_book *book)
{
	stall_index_free(&book->stretches);
	*book = (struct alibi_book){ 0 };
}

/**
 * alibi_gap_word() - why nobody can tell, for programs
 * @gap: the reason
 *
 * Return: a word; NULL: there is none.
 */
const char *alibi_gap_word(enum alibi_gap gap)
{
	static const char * const words[ALIBI_GAPS] = {
		[ALIBI_DAMAGED] = "damaged",
		[ALIBI_GROWING] = "growing",
		[ALIBI_NO_CPU] = "no-cpu",
		[ALIBI_UNWATCHED] = "unwatched",
		[ALIBI_UNKNOWN] = "unknown",
		[ALIBI_EARLY] = "early",
		[ALIBI_LATE] = "late",
		[ALIBI_CLEARED] = "cleared",
		[ALIBI_LOST] = "lost",
		[ALIBI_SHORT] = "short",
		[ALIBI_SETTINGS] = "settings",
		[ALIBI_BEHIND] = "behind",
		[ALIBI_BUSY] = "busy",
		[ALIBI_BOUNDS] = "bounds",
		[ALIBI_NESTED] = "nested",
	};

	return words[gap];
}

void alibi_free(struct alibi *alibi)
{
	free(alibi->stalls);
	alibi->stalls = NULL;
}
