// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>

#include "out.h"
#include "table.h"
#include "units.h"

/* under the table of a report: so many groups with so many frames of their newest record */
#define REPORT_STACKS	3
#define REPORT_FRAMES	8

static void report_head(const struct page *page)
{
	const struct model *model = page->model;
	const struct entry *first = model->entries[0];
	const struct entry *last = model->entries[model->nentries - 1];
	struct cpu_counters sum = model_counters_sum(model);
	char from[UNITS_LEN], to[UNITS_LEN], threshold[UNITS_LEN];

	fprintf(page->out, "%zu %s", model->nentries, model->nentries == 1 ? "stall" : "stalls");
	if (page->filtered)
		fprintf(page->out, " of %llu kept", sum.kept);
	fprintf(page->out, ", %s to %s; %llu records lost%s\n",
		print_moment(from, model_realtime_ns(model, entry_start_ns(first))),
		print_moment(to, model_realtime_ns(model, last->rec.end_ns)), sum.lost,
		page->filtered && sum.lost ? " (all CPUs, unfiltered)" : "");
	fputs("Now ", page->out);
	text_state(model, page->out);
	fprintf(page->out, ", threshold %s.\n\n",
		print_duration(threshold, model->config.threshold_us * NSEC_PER_USEC));
}

static void report_table(const struct page *page, const struct summary *summary)
{
	/* of what a record is taken for, not of where it comes from */
	bool evidence = summary->by & (1U << SUMMARY_CULPRIT | 1U << SUMMARY_CLASS);
	struct table table = { 0 };

	for (unsigned int key = 0; key < SUMMARY_KEYS; key++) {
		char heading[16];
		size_t len = 0;

		if (!(summary->by & 1U << key))
			continue;
		if (key == SUMMARY_CPU)
			table.numbers |= 1U << table.columns;
		table.columns++;
		for (const char *c = summary_key_name(key); *c; c++)
			heading[len++] = toupper((unsigned char)*c);
		heading[len] = '\0';
		table_cell(&table, "%s", heading);
	}
	if (evidence) {
		table.columns++;
		table_cell(&table, "EVIDENCE");
	}
	table.numbers |= 0xfU << table.columns;
	table.columns += 4;
	table_cell(&table, "COUNT");
	table_cell(&table, "TOTAL ms");
	table_cell(&table, "MAX ms");
	table_cell(&table, "MEAN ms");
	if (summary->victims) {
		table.numbers |= 3U << table.columns;
		table.columns += 2;
		table_cell(&table, "VICTIMS");
		table_cell(&table, "VICTIMS ms");
	}
	for (size_t i = 0; i < summary->ngroups; i++) {
		const struct group *group = &summary->groups[i];
		char buf[UNITS_LEN];

		for (unsigned int key = 0; key < SUMMARY_KEYS; key++)
			if (summary->by & 1U << key)
				table_cell(&table, "%s", summary_key_text(buf, sizeof(buf),
									  group->newest, key));
		if (evidence)
			table_cell(&table, "%s", summary_evidence_name(group));
		table_cell(&table, "%llu", group->count);
		table_cell(&table, "%s", print_ms(buf, group->total_ns));
		table_cell(&table, "%s", print_ms(buf, group->max_ns));
		table_cell(&table, "%s", print_ms(buf, summary_mean_ns(group)));
		if (summary->victims) {
			table_cell(&table, "%llu", group->victims);
			table_cell(&table, "%s", print_ms(buf, group->victims_ns));
		}
	}
	table_print(&table, page->out);
}

/* a stack that does not show the culprit at work has a line on top of it */
static const char *stack_note(const struct entry *entry)
{
	static const char back_on[] =
		"    (only the end was seen. This is who turned interrupts back on:)\n";
	static const char gone[] =
		"    (no stack of a handler; only the end was seen. What was interrupted:)\n";
	bool end = entry->verdict.evidence == TIO_EVIDENCE_END;

	if (entry->verdict.class == TIO_CLASS_HARDIRQ_OFF)
		return end ? back_on : "";
	if (entry->verdict.class != TIO_CLASS_HARDIRQ_LONG)
		return "";
	if (end)
		return gone;
	if (entry->verdict.storm)
		return "    (an interrupt storm; what was met in it by chance:)\n";
	return "";
}

/* "record 1:2, 28.000 to 29.000 ms, seen at the end, interrupted task make (pid 7)" */
static void report_newest(const struct page *page, const struct entry *entry,
			  const struct tio_sample *sample)
{
	const struct tio_record *rec = &entry->rec;
	char name[UNITS_LEN], min[UNITS_LEN], max[UNITS_LEN];

	fprintf(page->out, "record %s%s, %s to %s ms%s%s, interrupted task %s (pid %u)\n",
		text_name(name, rec), rec->open ? ", not ended yet" : "",
		print_ms(min, rec->min_ns), print_ms(max, rec->max_ns),
		entry->verdict.wide ? ", bounds: wide" : "",
		entry->verdict.evidence == TIO_EVIDENCE_END ? ", seen at the end" : "",
		sample->comm, sample->pid);
}

/* "packets waited in 3 of 5 stalls, 12 packets were dropped" */
static void report_packets(const struct page *page, const struct group *group)
{
	if (!group->packets_waited && !group->packets_dropped)
		return;
	fputs("    ", page->out);
	if (group->packets_waited)
		fprintf(page->out, "packets waited in %llu of %llu stalls%s",
			group->packets_waited, group->count + group->victims,
			group->packets_dropped ? ", " : "");
	if (group->packets_dropped)
		fprintf(page->out, "%llu packets were dropped", group->packets_dropped);
	fputc('\n', page->out);
}

/* "3 stalls of other CPUs waited for stalls of this group, 2 probably; 72.000 ms in all" */
static void report_victims(const struct page *page, const struct group *group)
{
	char all[UNITS_LEN];

	if (!group->victims)
		return;
	fprintf(page->out, "    %llu %s waited for stalls of this group", group->victims,
		group->victims == 1 ? "stall of another CPU" : "stalls of other CPUs");
	if (group->probable == group->victims)
		fputs(", probably", page->out);
	else if (group->probable)
		fprintf(page->out, ", %llu probably", group->probable);
	fprintf(page->out, "; %s ms in all\n", print_ms(all, group->victims_ns));
}

static void report_stacks(const struct page *page, const struct summary *summary)
{
	for (size_t i = 0; i < summary->ngroups && i < REPORT_STACKS; i++) {
		const struct entry *entry = summary->groups[i].newest;
		const struct tio_sample *sample = entry_deciding_sample(entry);

		if (!sample || !entry->culprit ||
		    !(sample->nframes || sample->flags & TRACE_IRQOFF_F_USER))
			continue;
		fprintf(page->out, "\n%s, %s, newest: ", entry->culprit,
			tio_class_name(entry->verdict.class));
		report_newest(page, entry, sample);
		report_victims(page, &summary->groups[i]);
		report_packets(page, &summary->groups[i]);
		fputs(stack_note(entry), page->out);
		text_stack(page, entry, sample, "    ", REPORT_FRAMES);
	}
}

/**
 * text_report() - who held interrupts or softirqs off
 * @page: the page
 * @summary: its records, summed up
 */
void text_report(const struct page *page, const struct summary *summary)
{
	if (!page->model->nentries) {
		text_nothing(page);
		return;
	}
	report_head(page);
	report_table(page, summary);
	if (summary->by & 1U << SUMMARY_CULPRIT)
		report_stacks(page, summary);
}
