// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "frame.h"
#include "out.h"
#include "table.h"
#include "units.h"

static const char *watched(const struct config *config)
{
	return config->watched && *config->watched ? config->watched : "none";
}

/* "1" or "0-3": one CPU or several? */
static const char *plural(const char *list)
{
	return strpbrk(list, "-,") || !strcmp(list, "none") ? "CPUs" : "CPU";
}

/**
 * text_state() - "watching CPUs 0-3 for 2 h 3 min"
 * @model: configuration
 * @out: where to
 */
void text_state(const struct model *model, FILE *out)
{
	const struct config *config = &model->config;
	char span[UNITS_LEN];

	if (!config->enabled) {
		fputs("not enabled (irqoff start enables it)", out);
		return;
	}
	fprintf(out, "watching %s %s for %s", plural(watched(config)), watched(config),
		print_span(span, config->now_ns - config->enabled_ns));
}

/**
 * text_name() - "0:17", by which a record is asked for
 * @buf: room
 * @rec: the record
 *
 * Return: @buf; "0:open" of a stall that has not ended.
 */
const char *text_name(char buf[UNITS_LEN], const struct tio_record *rec)
{
	if (rec->open)
		snprintf(buf, UNITS_LEN, "%u:open", rec->cpu);
	else
		snprintf(buf, UNITS_LEN, "%u:%llu", rec->cpu, rec->seq);
	return buf;
}

/* what was asked for may be among the lost, or of CPUs that nobody watches */
static void nothing_wanted(const struct page *page, const struct cpu_counters *sum)
{
	const struct config *config = &page->model->config;
	FILE *out = page->out;

	if (sum->kept == 1)
		fputs("The only record kept is not what was asked for; ", out);
	else
		fprintf(out, "None of the %llu records kept is what was asked for; ", sum->kept);
	if (sum->lost)
		fprintf(out, "%llu %s lost (all CPUs).\n", sum->lost,
			sum->lost == 1 ? "other was" : "others were");
	else
		fputs("none was lost.\n", out);
	if (!page->unwatched)
		return;
	if (config->enabled) {
		fprintf(out, "No such CPU is watched (watched now: %s).\n", watched(config));
		return;
	}
	fputs("Now ", out);
	text_state(page->model, out);
	fputs(".\n", out);
}

/**
 * text_nothing() - the sentence that stands for no records
 * @page: the page
 */
void text_nothing(const struct page *page)
{
	const struct config *config = &page->model->config;
	struct cpu_counters sum = model_counters_sum(page->model);
	char threshold[UNITS_LEN], span[UNITS_LEN];

	print_duration(threshold, config->threshold_us * NSEC_PER_USEC);
	if (page->filtered && sum.kept) {
		nothing_wanted(page, &sum);
	} else if (sum.produced) {
		fprintf(page->out, "No record is kept: of %llu, %llu were cleared and %llu lost; ",
			sum.produced, sum.cleared, sum.lost);
		fputs("now ", page->out);
		text_state(page->model, page->out);
		fprintf(page->out, ", threshold %s.\n", threshold);
	} else if (config->enabled) {
		/* neither need have been the same all the time */
		fprintf(page->out, "No stall was recorded in %s of watching; ",
			print_span(span, config->now_ns - config->enabled_ns));
		fprintf(page->out, "the threshold is %s now, %s %s.\n", threshold,
			plural(watched(config)), watched(config));
	} else {
		fputs("No records: trace_irqoff is not enabled; irqoff start enables it.\n",
		      page->out);
	}
}

/**
 * text_stack() - the frames of a sample
 * @page: the page
 * @entry: a record
 * @sample: one of its samples, or its end
 * @indent: what each line begins with
 * @most: print no more than so many
 */
void text_stack(const struct page *page, const struct entry *entry,
		const struct tio_sample *sample, const char *indent, unsigned int most)
{
	char text[SYMBOL_TEXT_LEN];
	struct symbol symbol;

	for (unsigned int i = 0; i < sample->nframes; i++) {
		if (i == most) {
			fprintf(page->out, "%s... %u more\n", indent, sample->nframes - i);
			return;
		}
		frame_symbol(page->symbols, entry, sample, i, &symbol);
		fprintf(page->out, "%s%s\n", indent, print_symbol(text, &symbol));
	}
	if (sample->flags & TRACE_IRQOFF_F_USER)
		fprintf(page->out, "%s(user mode)\n", indent);
	if (sample->flags & TRACE_IRQOFF_F_TRUNCATED)
		fprintf(page->out, "%s(truncated)\n", indent);
}

static void print_histogram(const char *title, const struct tio_histogram *hist, FILE *out)
{
	static const char bar[] = "****************************************";
	unsigned int first = 0, last = TIO_BUCKETS;
	char sum[UNITS_LEN], longest[UNITS_LEN];
	__u64 most = 1;

	if (!hist->count) {
		fprintf(out, "%s: no stall counted\n", title);
		return;
	}
	fprintf(out, "%s: %llu %s, sum %s, longest %s\n", title, hist->count,
		hist->count == 1 ? "stall" : "stalls",
		print_duration(sum, hist->sum_ns), print_duration(longest, hist->max_ns));
	while (first < TIO_BUCKETS && !hist->buckets[first])
		first++;
	while (last > first && !hist->buckets[last - 1])
		last--;
	for (unsigned int i = first; i < last; i++)
		if (hist->buckets[i] > most)
			most = hist->buckets[i];
	fprintf(out, "%12s%-14s : %-10s %s\n", "", "us", "count", "distribution");
	for (unsigned int i = first; i < last; i++) {
		__u64 from = i ? 1ULL << i : 0, to = (2ULL << i) - 1;
		int stars = (double)hist->buckets[i] / most * (sizeof(bar) - 1);

		if (i + 1 < TIO_BUCKETS)
			fprintf(out, "%10llu -> %-12llu", from, to);
		else
			fprintf(out, "%10llu -> %-12s", from, "...");
		fprintf(out, " : %-10llu |%-40.*s|\n", hist->buckets[i], stars, bar);
	}
}

/**
 * text_hist() - how long stalls lasted, whether or not they have records
 * @model: histograms
 * @per_cpu: each CPU's, not their sum
 * @out: where to
 */
void text_hist(const struct model *model, bool per_cpu, FILE *out)
{
	struct cpu_histograms sum = model_histograms_sum(model);
	char title[48];

	if (model->nhistograms)
		fputs("Lower bounds of stalls from two periods up, also below the threshold:\n\n",
		      out);
	if (!per_cpu) {
		print_histogram("hardirq", &sum.hard, out);
		fputc('\n', out);
		print_histogram("softirq", &sum.soft, out);
		return;
	}
	if (!model->nhistograms)
		fputs("No CPU was ever watched; irqoff start enables trace_irqoff.\n", out);
	for (size_t i = 0; i < model->nhistograms; i++) {
		const struct cpu_histograms *cpu = &model->histograms[i];

		snprintf(title, sizeof(title), "%sCPU %u hardirq", i ? "\n" : "", cpu->cpu);
		print_histogram(title, &cpu->hard, out);
		snprintf(title, sizeof(title), "\nCPU %u softirq", cpu->cpu);
		print_histogram(title, &cpu->soft, out);
	}
}

static void status_cpu(struct table *table, const struct cpu_counters *cpu, __u64 period_ns,
		       const char *name)
{
	double beat_ns = cpu->cost_beats ? (double)cpu->cost_ns / cpu->cost_beats : 0;

	table_cell(table, "%s", name);
	table_cell(table, "%llu", cpu->beats);
	table_cell(table, "%llu", cpu->produced);
	table_cell(table, "%llu", cpu->kept);
	table_cell(table, "%llu", cpu->lost);
	table_cell(table, "%llu", cpu->cleared);
	table_cell(table, "%llu", cpu->samples);
	if (cpu->cost_beats)
		table_cell(table, "%.0f", beat_ns);
	else
		table_cell(table, "-");
	if (cpu->cost_beats && cpu->watched)
		table_cell(table, "%.3f", 100 * beat_ns / period_ns);
	else
		table_cell(table, "-");
}

/**
 * text_status() - state, settings, losses, and what watching costs
 * @model: configuration and counters
 * @out: where to
 */
void text_status(const struct model *model, FILE *out)
{
	static const char * const headings[] = {
		"CPU", "BEATS", "PRODUCED", "KEPT", "LOST", "CLEARED", "SAMPLES", "NS/BEAT",
		"% OF CPU",
	};
	struct table table = { .columns = 9, .numbers = 0x1fe };
	const struct config *config = &model->config;
	char buf[UNITS_LEN], name[24];

	fprintf(out, "trace_irqoff %s, interface %u: ", config->module_version, config->version);
	text_state(model, out);
	fprintf(out, "\n  threshold     %s\n",
		print_duration(buf, config->threshold_us * NSEC_PER_USEC));
	fprintf(out, "  period        %s\n",
		print_duration(buf, config->period_us * NSEC_PER_USEC));
	fprintf(out, "  cpus          %s (watched now: %s)\n", config->cpus, watched(config));
	fprintf(out, "  ring_records  %u (%u KiB a CPU, %llu KiB in all)\n", config->ring_records,
		config->ring_bytes / 1024, (__u64)config->ring_bytes * model->ncounters / 1024);
	if (!model->ncounters)
		return;
	fputc('\n', out);
	for (size_t i = 0; i < table.columns; i++)
		table_cell(&table, "%s", headings[i]);
	for (size_t i = 0; i < model->ncounters; i++) {
		const struct cpu_counters *cpu = &model->counters[i];

		snprintf(name, sizeof(name), "%u%s", cpu->cpu, cpu->watched ? "" : " (unwatched)");
		status_cpu(&table, cpu, config->period_us * NSEC_PER_USEC, name);
	}
	table_print(&table, out);
}
