// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>

#include "base/units.h"
#include "judge/window.h"

/* the earliest begin, where all were kept, and the latest end, by the kernel's clock */
static void look(struct entry *const *entries, size_t count, __u64 *first_ns, __u64 *last_ns)
{
	for (size_t i = 0; i < count; i++) {
		if (!entries[i]->view.early && entry_start_ns(entries[i]) < *first_ns)
			*first_ns = entry_start_ns(entries[i]);
		if (entries[i]->rec.end_ns > *last_ns)
			*last_ns = entries[i]->rec.end_ns;
	}
}

static void look_briefly(const struct briefs *briefs, __u64 *first_ns, __u64 *last_ns)
{
	for (size_t i = 0; i < briefs->ncpus; i++) {
		for (size_t k = 0; k < briefs->cpus[i].count; k++) {
			const struct brief *brief = &briefs->cpus[i].all[k];
			__u64 start_ns = brief->end_ns - brief->min_ns;

			if (!brief->early && start_ns < *first_ns)
				*first_ns = start_ns;
			if (brief->end_ns > *last_ns)
				*last_ns = brief->end_ns;
		}
	}
}

/* fewer stalls in less than a minute have no rate */
#define RATE_LEAST	5

/**
 * window_of() - the time that all records together cover
 * @model: records, with those that a filter dropped
 * @since_ns: the value of --since, by the wall clock
 * @until_ns: the value of --until
 *
 * It begins when watching did, or a recording of it. Where records were lost or cleared, or
 * are older than that, it begins with the first one behind which none is missing; it is empty
 * where there is none. It lasts until now or until watching stopped. It lasts to the end of the
 * last record where that is later, or where an older module does not tell when watching
 * stopped. Where records are missing it is what the others cover.
 *
 * Return: the time.
 */
struct window window_of(const struct model *model, __u64 since_ns, __u64 until_ns)
{
	const struct config *config = &model->config;
	struct cpu_counters sum = model_counters_sum(model);
	__u64 first_ns = ~0ULL, last_ns = 0;
	bool known = config->enabled || config_stopped(config);
	__u64 until = config->enabled ? config->now_ns : config->stopped_ns;
	struct window window = { .rates = known, .lacking = model_lacks_records(model) };

	look(model->entries, model->nentries, &first_ns, &last_ns);
	look(model->dropped, model->ndropped, &first_ns, &last_ns);
	look_briefly(&model->briefs, &first_ns, &last_ns);
	if (known && !window.lacking) {
		bool whole = !sum.lost && !sum.cleared;
		__u64 began_ns = config->enabled_ns;

		if (began_ns < model->recorded_ns)
			began_ns = model->recorded_ns;
		if (whole && began_ns < first_ns)
			first_ns = began_ns;
		if (until > last_ns)
			last_ns = until;
	}
	if (first_ns > last_ns)
		first_ns = last_ns;
	window.from_ns = model_realtime_ns(model, first_ns);
	window.to_ns = model_realtime_ns(model, last_ns);
	if (since_ns > window.from_ns)
		window.from_ns = since_ns;
	if (until_ns < window.to_ns)
		window.to_ns = until_ns;
	if (window.from_ns > window.to_ns)
		window.from_ns = window.to_ns;
	return window;
}

/* the time that rates refer to, 0 where there is none that something may be a rate of */
static __u64 rated_ns(const struct window *window)
{
	if (!window->rates || window->lacking)
		return 0;
	return window->nodes_ns ? window->nodes_ns : window->to_ns - window->from_ns;
}

/* with fewer decimals the larger it is */
static const char *print_number(char *buf, size_t size, double number, int decimals)
{
	for (double bound = 10; number >= bound && decimals; bound *= 10)
		decimals--;
	snprintf(buf, size, "%.*f", decimals, number);
	return buf;
}

/**
 * window_rate() - how many a minute
 * @buf: room
 * @size: of it
 * @window: the time
 * @count: how many in it
 *
 * Return: @buf; "-" where no time has passed, or it is not known, and where a few stalls in less
 * than a minute would be blown up to many.
 */
const char *window_rate(char *buf, size_t size, const struct window *window, __u64 count)
{
	double minutes = rated_ns(window) / (60.0 * NSEC_PER_SEC);

	if (!rated_ns(window) || (count < RATE_LEAST && minutes < 1))
		return "-";
	return print_number(buf, size, count / minutes, 2);
}

/**
 * window_share() - percent of one CPU's time
 * @buf: room
 * @size: of it
 * @window: the time
 * @ns: how much of it, of all CPUs together
 *
 * Return: @buf; "-" where no time has passed, or it is not known.
 */
const char *window_share(char *buf, size_t size, const struct window *window, __u64 ns)
{
	if (!rated_ns(window))
		return "-";
	return print_number(buf, size, 100.0 * ns / rated_ns(window), 3);
}
