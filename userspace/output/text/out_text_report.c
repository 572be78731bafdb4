// SPDX-License-Identifier: GPL-2.0-only
/* Who held interrupts or softirqs off. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "causes/causes.h"
#include "judge/culprit.h"
#include "model/labels.h"
#include "names/lock_name.h"
#include "output/out.h"

/* below the table: how many groups get a stack, and how many frames a stack has */
#define REPORT_STACKS	3
#define REPORT_FRAMES	8

/* what a report of one culprit keeps to, and how many functions of a stack it names */
#define REPORT_LINES	24
#define REPORT_WAY	4

/* the first interface that has locks */
#define INTERFACE_LOCKS	12

/* how many functions are named that waited for a lock, and that a culprit was busy in */
#define REPORT_WAITERS	8
#define REPORT_BUSY	2

/* the difference of its ends as they are printed, which is in whole seconds */
static __u64 length_of(const struct window *window)
{
	return (window->to_ns / NSEC_PER_SEC - window->from_ns / NSEC_PER_SEC) * NSEC_PER_SEC;
}

/* what a full ring keeps besides the newest records */
static void report_early(const struct page *page)
{
	size_t early = 0;

	for (size_t i = 0; i < page->model->nentries; i++)
		early += page->model->entries[i]->view.early;
	if (early)
		text_line(page, 0, 2, "%zu %s older, kept as the longest or for the cause; "
			  "rates leave %s out.",
			  early, early == 1 ? "stall is" : "stalls are",
			  early == 1 ? "it" : "them");
}

/**
 * text_report_head() - what records are summed up, and what is watched now
 * @page: the page
 */
void text_report_head(const struct page *page)
{
	const struct model *model = page->model;
	struct cpu_counters sum = model_counters_sum(model);
	char from[UNITS_LEN], to[UNITS_LEN], span[UNITS_LEN], kept[32] = "", state[CELL_LEN];
	bool rates = columns_have(&page->columns, "rate") || columns_have(&page->columns, "share");
	char threshold[UNITS_LEN], lost[CELL_LEN];

	text_head(page);
	if (page->filtered)
		snprintf(kept, sizeof(kept), " of %llu kept", sum.kept - model->received.missing);
	text_line(page, 0, 2, "%zu %s%s, from %s to %s (%s); %s%s", model->nentries,
		  model->nentries == 1 ? "stall" : "stalls", kept,
		  print_clock(from, page->window.from_ns, model->config.realtime_ns, false),
		  print_clock(to, page->window.to_ns, model->config.realtime_ns, false),
		  print_span(span, length_of(&page->window)), text_losses(lost, model),
		  page->filtered && counters_overwritten(&sum) ? " (all CPUs, unfiltered)" : "");
	report_early(page);
	text_line(page, 0, 2, "%s %s, threshold %s.", text_then(model), text_state(state, model),
		  print_duration(threshold, model->config.threshold_us * NSEC_PER_USEC));
	if (rates)
		text_no_rates(page);
	fputc('\n', page->out);
}

/* "on 2 of 3 nodes; by kernel: 6.1.0-31-amd64 2 of 2, 6.12.9 0 of 1" */
static void report_nodes(const struct page *page, const struct group *group)
{
	char nodes[CELL_LEN], releases[CELL_LEN];

	if (page->fleet)
		text_line(page, 4, 6, "on %s nodes; by kernel: %s", text_nodes(nodes, page, group),
			  text_releases(releases, page, group));
}

/* "seen 06:53:00 to 06:55:00 on CPUs 0-1; 35.000 ms in all, mean 17.500 ms" */
static void report_seen(const struct page *page, const struct group *group)
{
	char first[UNITS_LEN], last[UNITS_LEN], cpus[48], total[UNITS_LEN], mean[UNITS_LEN];

	text_line(page, 4, 6, "seen %s to %s on CPU%s %s; %s ms in all%s, mean %s ms",
		  text_clock(first, page, group->seen.first_ns, false),
		  text_clock(last, page, group->seen.last_ns, false),
		  cpuset_count(&group->seen.cpus) == 1 ? "" : "s",
		  cpuset_print(cpus, sizeof(cpus), &group->seen.cpus),
		  print_ms(total, group->total_ns),
		  text_nested(group->total_ns, group->longest_ns),
		  print_ms(mean, summary_mean_ns(group)));
}

/* "46 stalls, 192.341 ms in all: 25 sampled, 21 more seen only at their end" */
static void report_count(const struct page *page, const struct group *group)
{
	__u64 ends = group->count - group->sampled;
	char total[UNITS_LEN], how[96];

	if (!group->sampled)
		snprintf(how, sizeof(how), ", seen only at %s",
			 ends == 1 ? "its end" : "their ends");
	else if (!ends)
		snprintf(how, sizeof(how), ", %ssampled", group->sampled == 1 ? "" : "all ");
	else
		snprintf(how, sizeof(how), ": %llu sampled, %llu more seen only at %s",
			 group->sampled, ends, ends == 1 ? "its end" : "their end");
	text_line(page, 4, 6, "%llu %s, %s ms%s%s%s", group->count,
		  group->count == 1 ? "stall" : "stalls", print_ms(total, group->total_ns),
		  group->count == 1 ? "" : " in all",
		  text_nested(group->total_ns, group->longest_ns), how);
}

/* "every 10.7 s (5 of 5)", or "10.8 s, 10.5 s apart" */
static void report_regularity(const struct page *page, const struct group *group)
{
	struct regularity regularity;
	char buf[UNITS_LEN], *apart;

	summary_regularity(group, &regularity);
	apart = summary_apart(group);
	if (regularity.period_ns)
		text_line(page, 4, 6, "%s", regularity_print(buf, &regularity));
	else if (apart)
		text_line(page, 4, 6, "%s apart", apart);
	free(apart);
}

/* "for cat (read), pid 15468, parent sh (103): 85 % of the time" */
static void report_behalf(const struct page *page, const struct group *group)
{
	const struct behalf *most = behalf_most(&group->behalves);
	__u64 ns = most ? behalf_ns(most) : 0;
	char share[32] = "", *who;

	if (!most)
		return;
	if (ns < group->total_ns)
		snprintf(share, sizeof(share), ": %.0f %% of the time",
			 floor(100.0 * ns / group->total_ns));
	who = behalf_text(most);
	text_line(page, 4, 6, "for %s%s", who, share);
	free(who);
}

/*
 * "waited: do_exit 74, copy_process 34; who had the lock is not known"; a module that is too old to
 * tell is no evidence
 */
static void report_waiters(const struct page *page, const struct group *group)
{
	char *who = name_counts_text(group->waiters, REPORT_WAITERS);
	char *candidates = name_counts_text(group->candidates, REPORT_WAITERS);
	const struct config *config = &page->model->config;
	bool old = !page->fleet && config->version < INTERFACE_LOCKS;
	struct entry room, *best = entry_open(&room, group->best);
	char older[64] = "";

	if (old && best->found.lock && !lock_known(entry_waiting_sample(best)))
		snprintf(older, sizeof(older), ": a module of interface %u does not tell",
			 config->version);
	if (group->best->found.lock)
		text_line(page, 4, 6, "%s%s%s%s%s", *who ? "waited: " : "", who, *who ? "; " : "",
			  *candidates ? "may have had the lock: " : "who had the lock is not known",
			  *candidates ? candidates : older);
	free(who);
	free(candidates);
}

/* "36 samples, 36 tasks of threads, all in do_exit, kernel, cgroup /" */
static void report_tasks(const struct page *page, const struct group *group)
{
	char *text, *busy_in;
	struct met met;

	if (!met_tasks_of(&met, group->tasks, group->best))
		return;
	busy_in = met_tasks_in(group->tasks);
	met.busy_in = busy_in;
	text = text_met(&met, group->total_ns);
	text_line(page, 4, 6, "%s", text);
	free(text);
	free(busy_in);
}

/* "3 stalls of other CPUs waited for these (2 unproved); 72.000 ms in all" */
static void report_victims(const struct page *page, const struct group *group)
{
	const struct victims *victims = group->victims;
	char all[UNITS_LEN], unproved[48] = "";

	if (!victims)
		return;
	if (victims->probable == victims->seen.count)
		snprintf(unproved, sizeof(unproved), " (unproved)");
	else if (victims->probable)
		snprintf(unproved, sizeof(unproved), " (%llu unproved)", victims->probable);
	text_line(page, 4, 6, "%llu %s waited for these%s; %s ms in all%s", victims->seen.count,
		  victims->seen.count == 1 ? "stall of another CPU" : "stalls of other CPUs",
		  unproved, print_ms(all, victims->ns),
		  text_nested(victims->ns, victims->seen.longest_ns));
}

/* "packets waited in 3 of 5 stalls, 12 packets were dropped" */
static void report_packets(const struct page *page, const struct group *group)
{
	char waited[64] = "", dropped[64] = "";

	if (!group->packets_waited && !group->packets_dropped)
		return;
	if (group->packets_waited)
		snprintf(waited, sizeof(waited), "packets waited in %llu of %llu stalls%s",
			 group->packets_waited, group->count + group_victims(group)->seen.count,
			 group->packets_dropped ? ", " : "");
	if (group->packets_dropped)
		snprintf(dropped, sizeof(dropped), "%llu packets were dropped",
			 group->packets_dropped);
	text_line(page, 4, 6, "%s%s", waited, dropped);
}

/*
 * "walk_tg_tree_from < unthrottle_cfs_rq < distribute_cfs_runtime ..": the stack of the best record
 * as far as the culprit, or further; to be freed
 */
static char *print_way(const struct page *page, const struct entry *entry,
		       const struct tio_sample *sample)
{
	int most = entry->found.busy_in && entry->found.way_from >= REPORT_WAY ?
		   entry->found.way_from + 1 : REPORT_WAY;
	struct trace trace;
	size_t size;
	char *text;
	FILE *out;

	if (sample->flags & TRACE_IRQOFF_F_USER)
		return copy_text("user mode");
	out = or_exit(open_memstream(&text, &size));
	trace_of(&trace, page->symbols, entry, sample);
	for (int i = 0; i < trace.nsteps && i < most; i++)
		fprintf(out, "%s%s", i ? " < " : "", trace.steps[i].function->text);
	if (trace.nsteps > most)
		fputs(" ..", out);
	if (fclose(out))
		exit(failed("out of memory"));
	return text;
}

/* "best: record 1:2, 28.000 to 29.000 ms, sampled in __schedule < schedule .." */
static void report_example(const struct page *page, const struct group *group,
			   const struct tio_sample *sample)
{
	const char *node = page->fleet ? text_node(page, group) : "";
	const struct entry *entry = group->best;
	bool end = entry->found.verdict.evidence == TIO_EVIDENCE_END;
	bool handler = entry->found.verdict.class == TIO_CLASS_HARDIRQ_LONG;
	char name[UNITS_LEN], min[UNITS_LEN], max[UNITS_LEN];
	/* what was interrupted, or is there by chance, is no example */
	bool stack = !page->tight && !(handler && text_stack_note(entry));
	char *way = stack ? print_way(page, entry, sample) : copy_text("");

	text_line(page, 4, 6, "best: %s%srecord %s%s, %s to %s ms%s, %s%s%s", node,
		  *node ? ", " : "", print_record_name(name, &entry->rec),
		  entry->rec.open ? ", not ended yet" : "", print_ms(min, entry->rec.min_ns),
		  print_ms(max, entry->rec.max_ns),
		  entry->found.verdict.wide ? ", bounds: wide" : "",
		  end ? "seen at the end" : "sampled", *way ? " in " : "", way);
	free(way);
}

/* "best: node-7, record 1:2, 28.000 to 29.000 ms, seen at the end, interrupted task ..." */
static void report_best(const struct page *page, const struct group *group,
			const struct tio_sample *sample)
{
	static const char * const seen[] = {
		[TIO_EVIDENCE_NONE]	= "",
		[TIO_EVIDENCE_END]	= ", seen at the end",
		[TIO_EVIDENCE_SAMPLE]	= ", sampled",
	};
	const char *node = page->fleet ? text_node(page, group) : "";
	const struct entry *entry = group->best;
	const struct tio_record *rec = &entry->rec;
	char name[UNITS_LEN], min[UNITS_LEN], max[UNITS_LEN];

	text_line(page, 4, 6,
		  "best: %s%srecord %s%s, %s to %s ms%s%s, interrupted task %s (pid %u)",
		  node, *node ? ", " : "", print_record_name(name, rec),
		  rec->open ? ", not ended yet" : "",
		  print_ms(min, rec->min_ns), print_ms(max, rec->max_ns),
		  entry->found.verdict.wide ? ", bounds: wide" : "",
		  seen[entry->found.verdict.evidence],
		  sample->comm, sample->pid);
}

/*
 * "busy in tg_unthrottle_up 15, walk_tg_tree_from 8, others 2": the stalls of each function, where
 * they differ; one alone where it is not the culprit itself. What tasks were met in is told with
 * these.
 */
static void report_busy(const struct page *page, const struct group *group)
{
	const struct entry *entry = group->best;
	const char *alone = group->count ? summary_busy(group) : entry->found.busy_in;
	char *all;

	if (alone && !entry->found.met && strcmp(alone, charge_culprit(entry)))
		text_line(page, 4, 6, "busy in %s", alone);
	if (!alone && group->busy && !entry->found.met) {
		all = name_counts_text(group->busy, REPORT_BUSY);
		text_line(page, 4, 6, "busy in %s (of %llu sampled)", all, group->sampled);
		free(all);
	}
	if (culprit_is_many(entry))
		text_line(page, 4, 6, "each sample met another function");
	if (entry->found.or_caller)
		text_line(page, 4, 6, "%s, or a caller of it: no end shows whose section it is",
			  entry->found.culprit);
}

static void report_title(const struct page *page, const struct entry *entry)
{
	fputc('\n', page->out);
	text_line(page, 0, 2, "%s, %s", charge_culprit(entry),
		  tio_class_name(entry->found.verdict.class));
}

/* has its best record a stack that shows the culprit, or who waited for a lock? */
static bool has_stack(const struct group *group)
{
	const struct tio_sample *sample = entry_naming_sample(group->best);

	return sample && (group->best->found.culprit || group->best->found.lock) &&
	       (sample->nframes || sample->flags & TRACE_IRQOFF_F_USER);
}

static void report_group(const struct page *page, const struct summary *summary,
			 const struct group *group, struct told *told)
{
	const struct entry *entry = group->best;
	const struct tio_sample *sample = entry_naming_sample(entry);
	const char *note = text_stack_note(entry);

	report_title(page, entry);
	text_group_cause(page, summary, group, told);
	report_nodes(page, group);
	if (page->verbose)
		report_seen(page, group);
	if (group->count && (!page->verbose || group->folded))
		report_count(page, group);
	report_regularity(page, group);
	report_tasks(page, group);
	report_behalf(page, group);
	report_waiters(page, group);
	if (page->verbose)
		report_victims(page, group);
	report_packets(page, group);
	if (!page->verbose) {
		if (!page->tight)
			report_busy(page, group);
		report_example(page, group, sample);
		return;
	}
	report_best(page, group, sample);
	report_busy(page, group);
	if (note)
		text_line(page, 4, 6, "%s", note);
	text_stack(page, entry, sample, "    ", REPORT_FRAMES);
}

/* one line is for what is left out */
static bool fits(unsigned int used, unsigned int lines)
{
	return used + lines < REPORT_LINES;
}

/* how many lines a group takes; what it tells is still to be told */
static unsigned int measure_group(const struct page *page, const struct summary *summary,
				  const struct group *group, const struct told *told)
{
	size_t count = page->causes ? page->causes->count : 0;
	struct told copy = { .causes = alloc(count + 1, sizeof(bool)), .classes = told->classes };
	unsigned int lines;
	struct part part;

	memcpy(copy.causes, told->causes, count * sizeof(bool));
	part_begin(&part, page);
	report_group(&part.page, summary, group, &copy);
	lines = part_end(&part);
	part_drop(&part);
	free(copy.causes);
	return lines;
}

/*
 * Those that have a stack, in the order in which they are told: the first one, then what took most
 * time, though samples of it may share no function, then the rest. To be freed.
 */
static const struct group **told_order(const struct summary *summary, size_t *count)
{
	const struct group **order = alloc(summary->ngroups + 1, sizeof(*order)), *most;
	size_t longest = 0;

	*count = 0;
	for (size_t i = 0; i < summary->ngroups; i++) {
		if (!has_stack(&summary->groups[i]))
			continue;
		order[*count] = &summary->groups[i];
		if (order[*count]->total_ns > order[longest]->total_ns)
			longest = *count;
		(*count)++;
	}
	most = order[longest];
	for (; longest > 1; longest--) {
		order[longest] = order[longest - 1];
		order[longest - 1] = most;
	}
	return order;
}

/*
 * The first group, and as many more as one screen has room for. The stack of the first one is
 * left out where that makes it fit. @used: lines that were printed
 */
static void first_groups(const struct page *page, const struct summary *summary, struct told *told,
			 unsigned int used)
{
	unsigned int printed = 0, lines;
	struct page tight = *page;
	const struct group **order;
	bool more = false;
	size_t count;

	tight.tight = true;
	order = told_order(summary, &count);
	for (size_t i = 0; i < count; i++) {
		const struct group *group = order[i];

		lines = measure_group(page, summary, group, told);
		more = printed == REPORT_STACKS || (printed && !fits(used, lines));
		if (more)
			break;
		if (!fits(used, lines) &&
		    fits(used, measure_group(&tight, summary, group, told)))
			report_group(&tight, summary, group, told);
		else
			report_group(page, summary, group, told);
		used += lines;
		printed++;
	}
	/* what took most time is the second one, or else the first one */
	if (more && printed == 1 && order[1]->total_ns > order[0]->total_ns)
		text_line(page, 0, 2, "irqoff report -v tells of %s, which took most time, too.",
			  charge_culprit(order[1]->best));
	else if (printed)
		text_line(page, 0, 2, "irqoff report -v has %swhole remedies and stacks.",
			  more ? "further culprits, " : "");
	free(order);
}

/*
 * A group further down, where its cause is known and not said yet, and who waited for a lock and
 * who may have had it
 */
static void report_further(const struct page *page, const struct summary *summary,
			   const struct group *group, struct told *told)
{
	const struct cause *cause = cause_of(page->causes, page->symbols, summary, group);
	bool known = cause && !told->causes[cause - page->causes->rows];

	if (!group->best->found.lock && (!known || !group->best->found.culprit))
		return;
	report_title(page, group->best);
	if (cause)
		text_cause(page, cause, group, told);
	report_tasks(page, group);
	report_behalf(page, group);
	report_waiters(page, group);
}

/**
 * group_stacks() - the first groups that have one, each with the stack of its best record
 * @page: the page
 * @summary: the groups
 * @told: which causes were printed
 *
 * Of the others, those have an entry that waited for a lock, or whose cause is known and was not
 * printed.
 */
static void group_stacks(const struct page *page, const struct summary *summary,
			 struct told *told)
{
	const struct group **order;
	size_t count;

	order = told_order(summary, &count);
	for (size_t i = 0; i < count; i++)
		if (i < REPORT_STACKS)
			report_group(page, summary, order[i], told);
		else
			report_further(page, summary, order[i], told);
	for (size_t i = 0; i < summary->ngroups; i++)
		if (!has_stack(&summary->groups[i]))
			report_further(page, summary, &summary->groups[i], told);
	free(order);
}

/* an answer without causes is not one to which none is known */
static void report_lacking(const struct page *page)
{
	char *why = page->causes ? causes_lacking(page->causes) : NULL;

	if (why)
		text_line(page, 0, 2, "Causes are missing: %s.", why);
	free(why);
}

static void all_groups(const struct page *page, const struct summary *summary, struct told *told)
{
	struct page marked = *page;

	marked.marks = true;
	text_groups(&marked, summary);
	if (summary->left_out)
		text_line(page, 0, 2, "%zu more %s left out by --top", summary->left_out,
			  summary->left_out == 1 ? "group is" : "groups are");
	text_footers(page, summary, told);
	report_lacking(page);
}

/**
 * text_summary() - the groups, what is to be said of them, and examples of each culprit
 * @page: the page
 * @summary: the groups
 * @used: how many lines the page has already
 */
void text_summary(const struct page *page, const struct summary *summary, unsigned int used)
{
	struct told told = {
		.causes = alloc((page->causes ? page->causes->count : 0) + 1, sizeof(bool)),
	};
	struct part part;

	part_begin(&part, page);
	all_groups(&part.page, summary, &told);
	used += part_end(&part);
	part_print(&part, page);
	if (summary->by & 1U << SUMMARY_CULPRIT && page->verbose)
		group_stacks(page, summary, &told);
	else if (summary->by & 1U << SUMMARY_CULPRIT)
		first_groups(page, summary, &told, used);
	free(told.causes);
}

/* the node's interrupts are innocent: where to look next */
static void report_nothing(const struct page *page)
{
	struct cpu_counters sum = model_counters_sum(page->model);

	if (page->filtered || sum.produced || !page->model->config.enabled) {
		text_nothing(page);
		return;
	}
	text_head(page);
	text_nothing(page);
	text_line(page, 0, 2, "%s, and %s.", "irqoff hist counts shorter ones",
		  "irqoff alibi --since TIME says whether any may be missing");
	text_line(page, 0, 2, "Some delays are no stalls: %s, %s, %s. irqoff(8) lists them.",
		  "a cgroup at its quota (nr_throttled in its cpu.stat)",
		  "tasks that wait for a CPU, a disk or a lock", "packets that were lost");
}

/**
 * text_report() - who held interrupts or softirqs off
 * @page: the page
 * @summary: its records, summed up
 */
void text_report(const struct page *page, const struct summary *summary)
{
	unsigned int used;
	struct part head;

	if (!page->model->nentries) {
		report_nothing(page);
		return;
	}
	part_begin(&head, page);
	text_report_head(&head.page);
	used = part_end(&head);
	part_print(&head, page);
	text_summary(page, summary, used);
}
