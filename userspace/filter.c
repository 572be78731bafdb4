// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "filter.h"
#include "say.h"
#include "units.h"

void filter_init(struct filter *filter)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	*filter = (struct filter){
		.now_ns = now.tv_sec * NSEC_PER_SEC + now.tv_nsec,
		.until_ns = ~0ULL,
	};
}

void filter_free(struct filter *filter)
{
	free(filter->cpus);
}

static bool parse_cpu_range(char *text, struct cpu_range *range)
{
	char *dash = strchr(text, '-');
	__u64 first, last;

	if (dash)
		*dash++ = '\0';
	if (!parse_number(text, 1U << 20, &first) ||
	    !parse_number(dash ? dash : text, 1U << 20, &last) || first > last)
		return false;
	range->first = first;
	range->last = last;
	return true;
}

static bool parse_cpus(struct filter *filter, char *list)
{
	char *item;

	while ((item = strsep(&list, ","))) {
		filter->cpus = grow(filter->cpus, filter->ncpus, sizeof(*filter->cpus));
		if (!parse_cpu_range(item, &filter->cpus[filter->ncpus]))
			return false;
		filter->ncpus++;
	}
	return true;
}

static bool parse_classes(struct filter *filter, char *list, const char **bad)
{
	char *item;

	while ((item = strsep(&list, ","))) {
		unsigned int class = 0;

		while (class < TIO_CLASSES && strcmp(item, tio_class_name(class)))
			class++;
		*bad = item;
		if (class == TIO_CLASSES)
			return false;
		filter->classes |= 1U << class;
	}
	return true;
}

static int parse_list(struct filter *filter, int option, const char *value)
{
	char *copy = copy_text(value);
	const char *bad = "";
	int ret = EXIT_DONE;

	if (option == FILTER_CPU && !parse_cpus(filter, copy))
		ret = misuse("'%s' is no list of CPUs such as 0-3,8", value);
	if (option == FILTER_CLASS && !parse_classes(filter, copy, &bad))
		ret = misuse("there is no class '%s'; there are " FILTER_CLASSES, bad);
	free(copy);
	return ret;
}

/**
 * filter_option() - take an option that all filtering commands have
 * @filter: the filter
 * @option: enum filter_option
 * @value: its argument
 *
 * Return: EXIT_DONE, or EXIT_USAGE after saying what is wrong.
 */
int filter_option(struct filter *filter, int option, const char *value)
{
	filter->given = true;
	switch (option) {
	case FILTER_SINCE:
	case FILTER_UNTIL:
		if (parse_moment(value, filter->now_ns,
				 option == FILTER_SINCE ? &filter->since_ns : &filter->until_ns))
			return EXIT_DONE;
		return misuse("'%s' is no time; 10m, 07:00 and '2026-11-21 07:00' are", value);
	case FILTER_MIN:
		if (parse_duration(value, &filter->min_ns))
			return EXIT_DONE;
		return misuse("--min takes a number with ns, us, ms or s, such as 50ms, not '%s'",
			      value);
	case FILTER_NEWEST:
		if (parse_number(value, ~0ULL, &filter->newest) && filter->newest)
			return EXIT_DONE;
		return misuse("-n takes a number from 1, not '%s'", value);
	default:
		return parse_list(filter, option, value);
	}
}

static bool wants_cpu(const struct filter *filter, __u32 cpu)
{
	for (size_t i = 0; i < filter->ncpus; i++)
		if (cpu >= filter->cpus[i].first && cpu <= filter->cpus[i].last)
			return true;
	return !filter->ncpus;
}

/**
 * filter_watched() - is any CPU watched of those whose stalls are wanted?
 * @filter: the filter
 * @model: counters
 *
 * Return: true when one is.
 */
bool filter_watched(const struct filter *filter, const struct model *model)
{
	for (size_t i = 0; i < model->ncounters; i++)
		if (model->counters[i].watched && wants_cpu(filter, model->counters[i].cpu))
			return true;
	return false;
}

/**
 * filter_matches() - is this record wanted?
 * @filter: the filter
 * @model: for the wall clock
 * @entry: a record, judged
 *
 * Return: true when it is; -n is not looked at.
 */
bool filter_matches(const struct filter *filter, const struct model *model,
		    const struct entry *entry)
{
	__u64 end_ns = model_realtime_ns(model, entry->rec.end_ns);

	return wants_cpu(filter, entry->rec.cpu) && end_ns >= filter->since_ns &&
	       end_ns <= filter->until_ns && entry->rec.min_ns >= filter->min_ns &&
	       (!filter->classes || filter->classes & 1U << entry->verdict.class);
}

/**
 * filter_apply() - leave the records that are wanted
 * @filter: the filter
 * @model: sorted records
 */
void filter_apply(const struct filter *filter, struct model *model)
{
	size_t kept = 0, drop = 0;

	for (size_t i = 0; i < model->nentries; i++) {
		if (filter_matches(filter, model, model->entries[i]))
			model->entries[kept++] = model->entries[i];
		else
			model_drop(model, model->entries[i]);
	}
	if (filter->newest && kept > filter->newest)
		drop = kept - filter->newest;
	for (size_t i = 0; i < drop; i++)
		model_drop(model, model->entries[i]);
	if (drop)
		memmove(model->entries, model->entries + drop,
			(kept - drop) * sizeof(*model->entries));
	model->nentries = kept - drop;
}
