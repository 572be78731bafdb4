// SPDX-License-Identifier: GPL-2.0-only
/*
 * The formats are Prometheus' text 0.0.4 and OpenMetrics 1.0.0: of a counter the latter names
 * the family without "_total", and it ends with "# EOF".
 */
#include <string.h>

#include "agent/metrics.h"
#include "base/units.h"
#include "core/classify.h"

/* bounds of the module's buckets, as powers of two in us: 1.024 ms to 1.049 s */
#define BOUND_FIRST	10
#define BOUND_LAST	20

struct printer {
	FILE *out;
	enum metrics_format format;
};

/* @name: without "_total" */
static void family(const struct printer *printer, const char *name, const char *type,
		   const char *help)
{
	bool total = !strcmp(type, "counter") && printer->format == METRICS_TEXT;
	const char *suffix = total ? "_total" : "";

	fprintf(printer->out, "# HELP irqoff_%s%s %s\n# TYPE irqoff_%s%s %s\n", name, suffix, help,
		name, suffix, type);
}

static void gauge(const struct printer *printer, const char *name, const char *help, double value)
{
	family(printer, name, "gauge", help);
	fprintf(printer->out, "irqoff_%s %.9g\n", name, value);
}

static void counter(const struct printer *printer, const char *name, const char *help, __u64 value)
{
	family(printer, name, "counter", help);
	fprintf(printer->out, "irqoff_%s_total %llu\n", name, value);
}

static double seconds(__u64 ns)
{
	return (double)ns / NSEC_PER_SEC;
}

/* sums keep all of their digits */
static void print_sum(const struct printer *printer, __u64 ns)
{
	fprintf(printer->out, "%llu.%09llu\n", ns / NSEC_PER_SEC, ns % NSEC_PER_SEC);
}

static void print_up(const struct printer *printer, bool up)
{
	gauge(printer, "up",
	      "1: the module watches, and the agent counts. 0: stalls may go uncounted.", up);
}

static void print_build(const struct printer *printer, const struct tally *tally)
{
	family(printer, "build_info", "gauge",
	       "Versions of the agent and of the loaded module; always 1.");
	fprintf(printer->out, "irqoff_build_info{version=\"%s\",module_version=\"%s\"} 1\n",
		tally->version, tally->module.version);
}

/* without these a 0 of the counters says nothing */
static void print_cover(const struct printer *printer, const struct tally *tally, __u64 now_ns)
{
	const struct tally_module *module = &tally->module;

	print_up(printer, tally_up(tally, now_ns));
	print_build(printer, tally);
	gauge(printer, "watched_cpus", "CPUs that are watched.", module->watched_cpus);
	gauge(printer, "online_cpus", "CPUs that are online.", tally->online_cpus);
	if (module->loaded)
		gauge(printer, "threshold_seconds", "Shortest stall that is recorded.",
		      seconds(module->threshold_ns));
	if (module->cost_known)
		gauge(printer, "cost_ratio",
		      "Share of its time that the module takes of the CPU that it costs most.",
		      module->cost_ppm / 1e6);
	counter(printer, "records_lost",
		"Records that newer ones overwrote before they were counted.", tally->lost);
	counter(printer, "records_cleared",
		"Records that irqoff clear or stop --free dropped before they were counted.",
		tally->cleared);
}

/* the value of an exemplar is how long that stall lasted */
static void print_exemplar(const struct printer *printer, const struct tally_class *class)
{
	const struct longest_stall *newest = &class->newest;

	if (printer->format != METRICS_OPENMETRICS || !class->stalls || !newest->end_ns)
		return;
	fprintf(printer->out, " # {record=\"%u:%llu\"} %.9g %.3f", newest->cpu, newest->seq,
		seconds(newest->ns), class->newest_realtime_ns / 1e9);
}

static void print_stalls(const struct printer *printer, const struct tally *tally)
{
	family(printer, "stalls", "counter", "Recorded stalls, by class.");
	for (unsigned int i = 0; i < TIO_CLASSES; i++) {
		fprintf(printer->out, "irqoff_stalls_total{class=\"%s\"} %llu", tio_class_name(i),
			tally->classes[i].stalls);
		print_exemplar(printer, &tally->classes[i]);
		fputc('\n', printer->out);
	}
	family(printer, "stalled_seconds", "counter",
	       "Time of the recorded stalls: lower bounds, without the stalls nested in them.");
	for (unsigned int i = 0; i < TIO_CLASSES; i++) {
		fprintf(printer->out, "irqoff_stalled_seconds_total{class=\"%s\"} ",
			tio_class_name(i));
		print_sum(printer, tally->classes[i].stalled_ns);
	}
	counter(printer, "long_stalls", "Recorded stalls of 100 ms and more, of all classes.",
		tally->longs);
	family(printer, "cause_stalls", "counter",
	       "Recorded stalls, by known cause; irqoff causes explains each.");
	for (size_t i = 0; i < tally->ncauses; i++)
		fprintf(printer->out, "irqoff_cause_stalls_total{cause=\"%s\"} %llu\n",
			tally->causes[i].id, tally->causes[i].stalls);
	fprintf(printer->out, "irqoff_cause_stalls_total{cause=\"other\"} %llu\n", tally->other);
}

static void print_histogram(const struct printer *printer, const char *kind,
			    const struct tio_histogram *before, const struct tio_histogram *now)
{
	struct tio_histogram sum = *before;
	__u64 below = 0;

	tio_histogram_merge(&sum, now);
	for (unsigned int i = 0; i < BOUND_LAST; i++) {
		below += sum.buckets[i];
		if (i + 1 >= BOUND_FIRST)
			fprintf(printer->out,
				"irqoff_stall_duration_seconds_bucket{kind=\"%s\",le=\"%.9g\"} %llu\n",
				kind, (1ULL << (i + 1)) / 1e6, below);
	}
	fprintf(printer->out,
		"irqoff_stall_duration_seconds_bucket{kind=\"%s\",le=\"+Inf\"} %llu\n"
		"irqoff_stall_duration_seconds_count{kind=\"%s\"} %llu\n"
		"irqoff_stall_duration_seconds_sum{kind=\"%s\"} ",
		kind, sum.count, kind, sum.count, kind);
	print_sum(printer, sum.sum_ns);
}

static void print_histograms(const struct printer *printer, const struct tally *tally)
{
	family(printer, "stall_duration_seconds", "histogram",
	       "Lower bounds of stalls from two periods on, also of those below the threshold.");
	print_histogram(printer, "hard", &tally->before.hard, &tally->now.hard);
	print_histogram(printer, "soft", &tally->before.soft, &tally->now.soft);
}

static void print_end(const struct printer *printer)
{
	if (printer->format == METRICS_OPENMETRICS)
		fputs("# EOF\n", printer->out);
}

/**
 * metrics_print_absent() - print what is known where no agent has counted
 * @out: where to
 * @version: of this program
 * @format: OpenMetrics only where it was asked for
 *
 * There are no counters: 0 would be one that was set back.
 */
void metrics_print_absent(FILE *out, const char *version, enum metrics_format format)
{
	const struct printer printer = { .out = out, .format = format };
	struct tally tally;

	tally_begin(&tally, "", version);
	print_up(&printer, false);
	print_build(&printer, &tally);
	print_end(&printer);
	tally_free(&tally);
}

/**
 * metrics_print() - print all metrics
 * @out: where to
 * @tally: an agent's counters
 * @now_ns: the monotonic clock
 * @format: OpenMetrics only where it was asked for
 *
 * A node has at most 80 series: labels are of a few words that are known before. Counters are
 * sums over a boot.
 */
void metrics_print(FILE *out, const struct tally *tally, __u64 now_ns, enum metrics_format format)
{
	const struct printer printer = { .out = out, .format = format };

	print_cover(&printer, tally, now_ns);
	print_stalls(&printer, tally);
	print_histograms(&printer, tally);
	print_end(&printer);
}
