// SPDX-License-Identifier: GPL-2.0-only
/* State, settings, losses, and what watching costs. */
#include <string.h>

#include "base/units.h"
#include "output/out.h"
#include "output/table.h"

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

static const char *text_cost_ppm(char buf[CELL_LEN], const struct page *page, const void *row)
{
	const struct cpu_counters *cpu = row;

	(void)page;
	return cpu->cost_known ? print_count(buf, cpu->cost_ppm) : "-";
}

static const char *text_nmi_refused(char buf[CELL_LEN], const struct page *page, const void *row)
{
	const struct cpu_counters *cpu = row;

	(void)page;
	return cpu->nmi_known ? print_count(buf, cpu->nmi_refused) : "-";
}

static const char *text_nmi_lost(char buf[CELL_LEN], const struct page *page, const void *row)
{
	const struct cpu_counters *cpu = row;

	(void)page;
	return cpu->nmi_known ? print_count(buf, cpu->nmi_lost) : "-";
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
	{ "cost-ppm", "PPM", COLUMN_NUMBER, text_cost_ppm },
	{ "nmi-refused", "NMI-REFUSED", COLUMN_NUMBER, text_nmi_refused },
	{ "nmi-lost", "NMI-LOST", COLUMN_NUMBER, text_nmi_lost },
	{ 0 }
};

/* 80 columns: samples that were not taken are shown in place of what other columns tell, too */
#define USUAL_COLUMNS		"cpu,watched,beats,produced,kept,lost,cleared,samples,beat-ns,cost"
#define REFUSED_COLUMNS		"cpu,watched,beats,produced,kept,lost,samples"

/**
 * status_select() - the columns of a status
 * @columns: the result
 * @model: its counters decide which columns are shown; NULL: not read yet
 * @list: the value of -o; NULL: there was none
 *
 * Return: EXIT_DONE, or EXIT_USAGE after saying what is wrong.
 */
int status_select(struct columns *columns, const struct model *model, const char *list)
{
	bool any_cost = false, any_refused = false, any_lost = false;
	char defaults[128];

	for (size_t i = 0; model && i < model->ncounters; i++) {
		any_cost |= model->counters[i].cost_ppm;
		any_refused |= model->counters[i].nmi_refused;
		any_lost |= model->counters[i].nmi_lost;
	}
	snprintf(defaults, sizeof(defaults), "%s%s%s%s",
		 any_refused || any_lost ? REFUSED_COLUMNS : USUAL_COLUMNS,
		 any_cost ? ",cost-ppm" : "", any_refused ? ",nmi-refused" : "",
		 any_lost ? ",nmi-lost" : "");
	return columns_select(columns, status_columns, defaults, list);
}

/* "auto", "64" or "6 %", as irqoff set takes it; a newer module may have other words */
static const char *print_setting(char buf[UNITS_LEN], const struct config *config,
				 enum tio_knob knob)
{
	const struct setting *setting = &config->knobs[knob];
	const char *name = knob_value_name(knob, setting->value);

	if (name)
		return name;
	if (knob != TIO_KNOB_MAX_COST_PPM)
		return print_count(buf, setting->value);
	return setting->value ? print_percent(buf, setting->value) : "none";
}

static void status_knobs(const struct page *page)
{
	const struct config *config = &page->model->config;
	char buf[UNITS_LEN], cpu_rate[UNITS_LEN], rate[UNITS_LEN];

	/* a module tells all of them, or is older */
	if (!config->knobs[TIO_KNOB_NMI].known)
		return;
	text_line(page, 2, 16, "nmi           %s (nmi_cpu_rate %s, nmi_rate %s)",
		  print_setting(buf, config, TIO_KNOB_NMI),
		  print_setting(cpu_rate, config, TIO_KNOB_NMI_CPU_RATE),
		  print_setting(rate, config, TIO_KNOB_NMI_RATE));
	text_line(page, 2, 16, "guard         %s", print_setting(buf, config, TIO_KNOB_GUARD));
	text_line(page, 2, 16, "max_cost      %s",
		  print_setting(buf, config, TIO_KNOB_MAX_COST_PPM));
}

/* what differs from a module that does what it was told, and never stopped by itself */
static void status_control(const struct page *page)
{
	const struct config *config = &page->model->config;
	const char *behind = config->behind ? config->behind : "";
	bool several = strpbrk(behind, "-,");

	if (*behind)
		text_line(page, 2, 16,
			  "behind        %s %s %s not taken up the settings: %s, or %s; "
			  "echo l > /proc/sysrq-trigger logs where %s",
			  several ? "CPUs" : "CPU", behind, several ? "have" : "has",
			  several ? "they take no interrupts" : "it takes no interrupts",
			  several ? "do not run" : "does not run",
			  several ? "they are" : "it is");
	if (config->detaching)
		text_line(page, 2, 16, "probes        attached, to be detached %s",
			  *behind ? "once no CPU is behind" : "within 10 s");
	if (config->freeing)
		text_line(page, 2, 16,
			  "freeing       the memory of the records is given back once no CPU uses it");
	if (config->self_stops)
		text_line(page, 2, 16,
			  "self_stops    %llu since the module was loaded; the kernel log says why",
			  config->self_stops);
}

/* records that say nothing but that the tracer itself was met */
static void status_tracer(const struct page *page)
{
	__u64 tracer = 0;

	for (size_t i = 0; i < page->model->ncounters; i++)
		tracer += page->model->counters[i].tracer;
	if (tracer)
		text_line(page, 2, 16,
			  "tracer        %llu of the records kept %s (trace_irqoff)%s",
			  tracer, tracer == 1 ? "blames" : "blame",
			  ": only the tracer's own code was met");
}

/* CPUs that have memory for records; an older module gives none back */
static size_t rings(const struct model *model)
{
	return model->config.control_known ? model->config.rings : model->ncounters;
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
	if (*model->machine.installed && strcmp(model->machine.installed, config->module_version))
		text_line(page, 2, 16, "installed     %s, which the next load takes: %s",
			  model->machine.installed, "systemctl restart trace-irqoff");
	if (*model->machine.ignored)
		text_line(page, 2, 16, "ignored       %s: the kernel knows no such parameter %s",
			  model->machine.ignored, "of the module; modinfo trace_irqoff lists them");
	if (!strcmp(config->no_locks, "all"))
		text_line(page, 2, 16, "locks         no record tells which was waited for: %s",
			  "on this architecture none is read");
	else if (*config->no_locks)
		text_line(page, 2, 16, "locks         no record tells which was waited for in %s",
			  config->no_locks);
	status_control(page);
	status_tracer(page);
	text_line(page, 2, 16, "threshold     %s",
		  print_duration(buf, config->threshold_us * NSEC_PER_USEC));
	text_line(page, 2, 16, "period        %s",
		  print_duration(buf, config->period_us * NSEC_PER_USEC));
	text_line(page, 2, 16, "cpus          %s (watched %s: %s)", config->cpus,
		  model->saved ? "then" : "now", text_watching(config));
	text_line(page, 2, 16, "ring_records  %u (%u KiB a CPU, %llu KiB in all)",
		  config->ring_records, config->ring_bytes / 1024,
		  (__u64)config->ring_bytes * rings(model) / 1024);
	status_knobs(page);
	if (model->received.no_counters)
		text_line(page, 0, 0, "The capture ends before the end of its counters.");
	if (!model->ncounters || model->received.no_counters)
		return;
	fputc('\n', page->out);
	table = table_open(page, false);
	for (size_t i = 0; i < model->ncounters; i++)
		table_add(table, NULL, &model->counters[i]);
	table_print(table);
}
