// SPDX-License-Identifier: GPL-2.0-only
/* Histograms of how long stalls lasted. */
#include "base/units.h"
#include "output/out.h"

static void print_histogram(const char *title, const struct tio_histogram *hist, FILE *out)
{
	static const char bar[] = "**********************************";
	const int most_stars = sizeof(bar) - 1;
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
		int stars = (double)hist->buckets[i] / most * most_stars;

		if (i + 1 < TIO_BUCKETS)
			fprintf(out, "%10llu -> %-12llu", from, to);
		else
			fprintf(out, "%10llu -> %-12s", from, "...");
		fprintf(out, " : %-10llu |%-*.*s|\n", hist->buckets[i], most_stars, stars, bar);
	}
}

static void print_cpus(const struct page *page)
{
	const struct model *model = page->model;
	char title[48];

	for (size_t i = 0; i < model->nhistograms; i++) {
		const struct histograms *recent = histograms_recent(&model->histograms[i]);
		__u32 cpu = model->histograms[i].cpu;

		snprintf(title, sizeof(title), "%sCPU %u, hard", i ? "\n" : "", cpu);
		print_histogram(title, &recent->hard, page->out);
		snprintf(title, sizeof(title), "\nCPU %u, soft", cpu);
		print_histogram(title, &recent->soft, page->out);
	}
}

static const char *print_since(char buf[CELL_LEN], const struct page *page)
{
	bool recorded = model_recorded(page->model);
	__u64 since_ns = recorded ? page->model->recorded_ns : model_cleared_ns(page->model);
	char clock[UNITS_LEN];

	if (!since_ns)
		return "since the module was loaded";
	snprintf(buf, CELL_LEN, "since %s at %s",
		 recorded ? "the recording began" : "records were cleared",
		 text_clock(clock, page, since_ns, false));
	return buf;
}

/**
 * text_hist() - how long stalls lasted, whether or not they have records
 * @page: the page; of its model the configuration and histograms
 * @per_cpu: each CPU's, not their sum
 */
void text_hist(const struct page *page, bool per_cpu)
{
	struct histograms sum = model_recent_sum(page->model);
	char since[CELL_LEN];

	text_head(page);
	if (page->model->received.no_histograms) {
		text_line(page, 0, 0, "The capture ends before the end of its histograms.");
		return;
	}
	if (!page->model->nhistograms) {
		text_line(page, 0, 0, page->model->ncounters ? "There are no histograms." :
			  page->model->saved ? "No CPU was ever watched." :
			  "No CPU was ever watched; irqoff start enables trace_irqoff.");
		return;
	}
	text_line(page, 0, 0,
		  "Lower bounds of stalls from two periods up, also below the threshold, %s:",
		  print_since(since, page));
	fputc('\n', page->out);
	if (per_cpu) {
		print_cpus(page);
		return;
	}
	print_histogram("hard", &sum.hard, page->out);
	fputc('\n', page->out);
	print_histogram("soft", &sum.soft, page->out);
}
