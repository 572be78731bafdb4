// SPDX-License-Identifier: GPL-2.0-only
/* State, settings, losses, and what watching costs. */
#include "out.h"
#include "table.h"
#include "units.h"

static const char *text_cpu(char buf[CELL_LEN], const struct page *page, const void *row)
{
	const struct cpu_counters *cpu = row;

	(void)page;
	return print_count(buf, cpu->cpu);
}

static const char *text_beats(char buf[CELL_LEN], const struct page *page, const void *row)
{
	const struct cpu_counters *cpu = row;

	(void)page;
	return print_count(buf, cpu->beats);
}

static const char *text_produced(char buf[CELL_LEN], const struct page *page, const void *row)
{
	const struct cpu_counters *cpu = row;

	(void)page;
	return print_count(buf, cpu->produced);
}

static const char *text_kept(char buf[CELL_LEN], const struct page *page, const void *row)
{
	const struct cpu_counters *cpu = row;

	(void)page;
	return print_count(buf, cpu->kept);
}

static const char *text_lost(char buf[CELL_LEN], const struct page *page, const void *row)
{
	const struct cpu_counters *cpu = row;

	(void)page;
	return print_count(buf, cpu->lost);
}

static const char *text_cleared(char buf[CELL_LEN], const struct page *page, const void *row)
{
	const struct cpu_counters *cpu = row;

	(void)page;
	return print_count(buf, cpu->cleared);
}

static const char *text_samples(char buf[CELL_LEN], const struct page *page, const void *row)
{
	const struct cpu_counters *cpu = row;

	(void)page;
	return print_count(buf, cpu->samples);
}

static const char *text_watched(char buf[CELL_LEN], const struct page *page, const void *row)
{
	const struct cpu_counters *cpu = row;

	(void)buf;
	(void)page;
	return cpu->watched ? "yes" : "no";
}

static const char *text_beat_ns(char buf[CELL_LEN], const struct page *page, const void *row)
{
	const struct cpu_counters *cpu = row;

	(void)page;
	if (!cpu->cost_beats)
		return "-";
	snprintf(buf, CELL_LEN, "%.0f", (double)cpu->cost_ns / cpu->cost_beats);
	return buf;
}

static const char *text_cost(char buf[CELL_LEN], const struct page *page, const void *row)
{
	__u64 period_ns = page->model->config.period_us * NSEC_PER_USEC;
	const struct cpu_counters *cpu = row;

	if (!cpu->cost_beats || !cpu->watched)
		return "-";
	snprintf(buf, CELL_LEN, "%.3f", 100.0 * cpu->cost_ns / cpu->cost_beats / period_ns);
	return buf;
}

const struct column status_columns[] = {
	{ "cpu", "CPU", COLUMN_NUMBER, text_cpu },
	{ "watched", "WATCHED", 0, text_watched },
	{ "beats", "BEATS", COLUMN_NUMBER, text_beats },
	{ "produced", "PRODUCED", COLUMN_NUMBER, text_produced },
	{ "kept", "KEPT", COLUMN_NUMBER, text_kept },
	{ "lost", "LOST", COLUMN_NUMBER, text_lost },
	{ "cleared", "CLEARED", COLUMN_NUMBER, text_cleared },
	{ "samples", "SAMPLES", COLUMN_NUMBER, text_samples },
	{ "beat-ns", "NS/BEAT", COLUMN_NUMBER, text_beat_ns },
	{ "cost", "%CPU", COLUMN_NUMBER, text_cost },
	{ 0 }
};

int status_select(struct columns *columns, const char *list)
{
	return columns_select(columns, status_columns,
			      "cpu,watched,beats,produced,kept,lost,cleared,samples,beat-ns,cost",
			      list);
}

/**
 * text_status() - state, settings, losses, and what watching costs
 * @page: the page; of its model the configuration and counters
 */
void text_status(const struct page *page)
{
	const struct model *model = page->model;
	const struct config *config = &model->config;
	char buf[UNITS_LEN], state[CELL_LEN];
	struct table *table;

	text_head(page);
	text_line(page, 0, 2, "trace_irqoff %s, interface %u: %s", config->module_version,
		  config->version, text_state(state, model));
	text_line(page, 2, 16, "threshold     %s",
		  print_duration(buf, config->threshold_us * NSEC_PER_USEC));
	text_line(page, 2, 16, "period        %s",
		  print_duration(buf, config->period_us * NSEC_PER_USEC));
	text_line(page, 2, 16, "cpus          %s (watched now: %s)", config->cpus,
		  text_watching(config));
	text_line(page, 2, 16, "ring_records  %u (%u KiB a CPU, %llu KiB in all)",
		  config->ring_records, config->ring_bytes / 1024,
		  (__u64)config->ring_bytes * model->ncounters / 1024);
	if (!model->ncounters)
		return;
	fputc('\n', page->out);
	table = table_open(page, false);
	for (size_t i = 0; i < model->ncounters; i++)
		table_add(table, NULL, &model->counters[i]);
	table_print(table);
}
