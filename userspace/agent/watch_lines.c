// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "agent/watch_lines.h"
#include "base/clocks.h"
#include "collect/collect.h"
#include "judge/judge.h"
#include "model/cpuset.h"
#include "model/labels.h"
#include "output/out.h"

/* what is no stall: a line among them, but programs read lines that are stalls */
static __printf(2, 3) void tell(struct watch *watch, const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = vprint_text(format, args);
	va_end(args);
	if (watch->json)
		note("%s", text);
	else
		fprintf(watch->out, "%s\n", text);
	fflush(watch->out);
	free(text);
}

static void offer(struct watch *watch, const struct page *page, const struct entry *entry)
{
	__u64 now_ns = clock_monotonic_ns();
	struct page line = *page;
	char *text = NULL;
	size_t len;

	hook_ended(&watch->hook);
	if (!hook_ready(&watch->hook, now_ns)) {
		hook_hold(&watch->hook);
		return;
	}
	line.out = or_exit(open_memstream(&text, &len));
	json_line(&line, entry);
	if (fclose(line.out))
		exit(failed("out of memory"));
	hook_run(&watch->hook, text, len, now_ns);
	free(text);
}

static void print(struct watch *watch, const struct page *page, const struct entry *entry)
{
	if (watch->json) {
		json_line(page, entry);
	} else if (watch->verbose) {
		if (watch->shown)
			fputc('\n', watch->out);
		text_record(page, entry);
	} else {
		text_watch_line(page, entry);
	}
	fflush(watch->out);
}

/* that it is open says nothing yet of how it ends, so it is shown alone */
static void show(struct watch *watch, const struct page *page, const struct entry *entry)
{
	char above[UNITS_LEN], lasted[UNITS_LEN], name[UNITS_LEN];

	print(watch, page, entry);
	if (entry->rec.open)
		return;
	watch->shown++;
	if (watch->hook.command)
		offer(watch, page, entry);
	if (watch->fail_above_ns && entry->rec.min_ns > watch->fail_above_ns) {
		print_record_name(name, &entry->rec);
		note("stall %s exceeded --fail-above %s: it lasted at least %s; "
		     "type irqoff list -v %s", name,
		     print_duration(above, watch->fail_above_ns),
		     print_duration(lasted, entry->rec.min_ns), name);
		watch->done = true;
		watch->status = EXIT_FOUND;
	} else if (watch->count && watch->shown >= watch->count) {
		watch->done = true;
	}
}

/* those for links alone are not shown */
static void drop_context(struct model *model)
{
	size_t kept = 0;

	for (size_t i = 0; i < model->nentries; i++) {
		struct entry *entry = model->entries[i];

		if (entry->view.context)
			model_drop(model, entry);
		else
			model->entries[kept++] = entry;
	}
	model->nentries = kept;
}

static int on_records(void *context, struct model *model)
{
	struct watch *watch = context;
	struct collection collection = {
		.model = *model,
		.symbols = watch->names.symbols,
	};
	struct page page = {
		.model = &collection.model,
		.symbols = watch->names.symbols,
		.screen = watch->screen,
		.columns = watch->columns,
		.filtered = watch->filter.given,
		.out = watch->out,
	};

	cgroups_renew(&watch->cgroups, watch->mountinfo);
	collection.cgroups = watch->cgroups;
	collection.model.machine = watch->machine;
	judge_records(collection.symbols, &collection.model);
	drop_context(&collection.model);
	collect_pass(&collection, &watch->filter);
	for (size_t i = 0; i < collection.model.nentries && !watch->done; i++)
		show(watch, &page, collection.model.entries[i]);
	*model = collection.model;
	return EXIT_DONE;
}

static void before(void *context)
{
	struct watch *watch = context;

	names_renew(&watch->names);
	if (watch->hidden)
		*watch->hidden = symbols_hidden(watch->names.symbols);
}

static void on_lost(void *context, __u32 cpu, __u64 count)
{
	struct watch *watch = context;

	tell(watch, "lost %llu on CPU %u", count, cpu);
	watch->unsure = true;
}

/* is a CPU watched whose stalls may pass? */
static bool covers(const struct watch *watch, const struct config *config)
{
	if (!config->enabled)
		return false;
	for (size_t i = 0; i < watch->filter.ncpus; i++)
		if (cpulist_has(config->watched, watch->filter.cpus[i].first,
				watch->filter.cpus[i].last))
			return true;
	return !watch->filter.ncpus;
}

/* a stall that is shorter than the threshold has no record */
static void check_threshold(struct watch *watch, const struct config *config)
{
	__u64 threshold_ns = config->threshold_us * NSEC_PER_USEC;
	char threshold[UNITS_LEN], above[UNITS_LEN];

	if (!watch->fail_above_ns || threshold_ns <= watch->fail_above_ns)
		return;
	note("the threshold %s is higher than --fail-above %s, and shorter stalls have no record; "
	     "irqoff set threshold=VALUE lowers it", print_duration(threshold, threshold_ns),
	     print_duration(above, watch->fail_above_ns));
	watch->unsure = true;
}

static void on_instance(void *context, const struct config *config)
{
	struct watch *watch = context;

	check_threshold(watch, config);
	tell(watch, "the module trace_irqoff was loaded again (new instance)%s",
	     config->enabled ? "" : "; it is not enabled, irqoff start enables it");
	watch->gone = false;
	watch->unsure = true;
}

static void on_settings(void *context, const struct config *config)
{
	const struct model model = { .config = *config };
	struct watch *watch = context;
	char threshold[UNITS_LEN], period[UNITS_LEN], state[CELL_LEN];

	watch->unsure |= !covers(watch, config);
	check_threshold(watch, config);
	if (!config->enabled)
		tell(watch, "the module trace_irqoff is %s", text_state(state, &model));
	else if (watch->begun)
		tell(watch, "the settings are now threshold %s, period %s, CPUs %s",
		     print_duration(threshold, config->threshold_us * NSEC_PER_USEC),
		     print_duration(period, config->period_us * NSEC_PER_USEC), config->cpus);
	watch->begun = true;
}

/* the module may be loaded again */
static void gone(void *context)
{
	struct watch *watch = context;

	if (watch->gone)
		return;
	watch->gone = true;
	watch->unsure = true;
	tell(watch, "the module trace_irqoff was unloaded");
}

static void child_ended(void *context)
{
	struct watch *watch = context;

	hook_ended(&watch->hook);
}

static bool done(void *context)
{
	const struct watch *watch = context;

	return watch->done;
}

/**
 * watch_follow() - show what a follower finds
 * @watch: outlives the follower
 * @follow: the follower
 */
void watch_follow(struct watch *watch, struct follow *follow)
{
	static const struct observer_calls calls = {
		.before = before,
		.records = on_records,
		.lost = on_lost,
		.instance = on_instance,
		.settings = on_settings,
		.gone = gone,
		.child = child_ended,
		.done = done,
	};

	observers_add(&follow->observers, &calls, watch);
}

/* what comes before the first stall */
void watch_head(struct watch *watch)
{
	const struct page page = { .columns = watch->columns, .out = watch->out };

	machine_read(&watch->machine);
	if (!watch->json && !watch->verbose)
		text_watch_head(&page);
	fflush(watch->out);
}

/**
 * watch_end() - say what is left to say
 * @watch: nothing more is shown
 *
 * Return: the exit status.
 */
int watch_end(struct watch *watch)
{
	char above[UNITS_LEN];

	hook_tell(&watch->hook);
	names_free(&watch->names);
	cgroups_close(watch->cgroups);
	if (watch->status || !watch->fail_above_ns || !watch->unsure)
		return watch->status;
	note("no stall longer than %s was seen, but one may have been missed; "
	     "records were lost, CPUs were not watched for a time, or the threshold was higher",
	     print_duration(above, watch->fail_above_ns));
	return EXIT_CANNOT_TELL;
}
