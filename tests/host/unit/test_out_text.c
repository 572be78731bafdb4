// SPDX-License-Identifier: GPL-2.0-only
/* Reports as text, against golden/, and what every screen keeps to. */
#include "judge/judge.h"
#include "page.h"

static void assert_report_by(unsigned int by, enum summary_sort sort, bool filtered,
			     const char *golden)
{
	struct page printed = page();
	struct summary summary;

	printed.filtered = filtered;
	summary_build(&summary, &collection.model, by, sort);
	report_select(&printed.columns, by, summary.victims, NULL);
	text_report(&printed, &summary);
	summary_free(&summary);
	assert_golden(golden, out, &text);
}

static void assert_report(const char *golden)
{
	assert_report_by(SUMMARY_BY_DEFAULT, SUMMARY_TOTAL, false, golden);
}

static void prints_report(void **state)
{
	assert_report("report.txt");
}

static void assert_losses(const char *wanted)
{
	char buf[CELL_LEN];

	assert_string_equal(text_losses(buf, &collection.model), wanted);
}

/* what is lost, cut off and left out, alone and together */
static void losses(void **state)
{
	struct model *model = &collection.model;

	assert_losses("6 records overwritten by newer ones");
	model->counters[0].lost_before = 4;
	assert_losses("2 records overwritten by newer ones");
	model->counters[0].lost_before = 0;
	model->received.missing = 2;
	assert_losses("2 of 9 kept records are missing; 6 records overwritten by newer ones");
	model->counters[0].lost = 0;
	assert_losses("2 of 9 kept records are missing");
	model->received.missing = 0;
	assert_losses("no record overwritten");
	model->received.contradictory = 1;
	assert_losses("1 record is left out, as it contradicts itself");
	model->received.no_counters = true;
	assert_losses("1 record is left out, as it contradicts itself; "
		      "how many records are missing is not known");
}

/* rates refer to the time that was watched */
static void report_stopped(void **state)
{
	struct page printed = page();
	struct summary summary;

	fixture_stop(&collection.model, TRACE_IRQOFF_STOP_USER);
	printed.window = window_of(&collection.model, 0, ~0ULL);
	summary_build(&summary, &collection.model, SUMMARY_BY_DEFAULT, SUMMARY_TOTAL);
	summary_top(&summary, 1);
	report_select(&printed.columns, SUMMARY_BY_DEFAULT, false, NULL);
	text_report(&printed, &summary);
	summary_free(&summary);
	assert_golden("report-stopped.txt", out, &text);
}

/* an older module does not tell since when */
static void report_stopped_somewhen(void **state)
{
	struct page printed = page();

	fixture_age(&collection.model);
	collection.model.config.enabled = false;
	collection.model.config.enabled_ns = 0;
	printed.window = window_of(&collection.model, 0, ~0ULL);
	report_page(&printed, SUMMARY_BY_DEFAULT, NULL, false);
	fclose(out);
	assert_non_null(strstr(text, "\nNow not enabled (irqoff start enables it), threshold"));
	assert_non_null(strstr(text, "\nIt is not known when watching stopped, so there are no "));
	assert_non_null(strstr(text, " 1    -     45.000    - "));
	free(text);
}

static void report_ends(void **state)
{
	assert_report("report-ends.txt");
}

static void report_regular(void **state)
{
	struct page printed = page();

	report_page(&printed, SUMMARY_BY_DEFAULT, "culprit,count,regularity", false);
	assert_golden("report-regular.txt", out, &text);
}

/* each record has what its row in the report has */
static void list_regular(void **state)
{
	struct page printed = page();

	list_select(&printed.columns, &collection.model, "record,culprit,regularity");
	text_list(&printed, false);
	assert_golden("list-regular.txt", out, &text);
}

/* the culprit is the interrupt, because the sampled handler is one of thousands */
static void report_storm(void **state)
{
	struct model *model = &collection.model;
	struct entry *entry;

	model_forget_entries(model);
	entry = add_asked(model, 0, 0, NOW_NS, 40 * MS, TRACE_IRQOFF_F_HARDIRQ);
	entry->rec.handlers = 4096;
	entry->rec.handler_ns = 39 * MS;
	entry->rec.end.irq.number = TIO_NO_IRQ;
	strcpy(entry->rec.end.irq.name, "irq_work");
	set_stack(&entry->rec.samples[0], AT_VRING_INTERRUPT + 0x3c, 0ULL);
	judge_records(collection.symbols, &collection.model);
	assert_report("report-storm.txt");
}

/* no stack shows an NMI handler, and samples say nothing then */
static void report_nmi(void **state)
{
	struct model *model = &collection.model;
	struct page printed = page();
	struct entry *entry;

	model_forget_entries(model);
	entry = add_asked(model, 0, 0, NOW_NS, 40 * MS, TRACE_IRQOFF_F_IRQS_ON);
	entry->rec.nmi_ns = 30 * MS;
	entry->rec.steal = 2 * MS + 1;
	entry->rec.nmi_handler = AT_ESTIMATION;
	set_stack(&entry->rec.end, AT_SYSCALL + 1, 0ULL);
	judge_records(collection.symbols, &collection.model);
	report_page(&printed, SUMMARY_BY_DEFAULT, NULL, false);
	text_list(&printed, true);
	fclose(out);
	assert_non_null(strstr(text, "\nestimation_timer [ip_vs] hardirq-long     1 "));
	assert_non_null(strstr(text, "\n    (NMI handlers took most of the stall; "
			       "this is what was interrupted:)\n"));
	assert_non_null(strstr(text, "\n  in NMI handlers   30 ms\n"));
	assert_non_null(strstr(text, "\n  steal             2 ms\n"));
	free(text);
}

/* one by its end, and one whose NMI came late, by what runs beneath the kernel */
static void print_doubtful(enum tio_beneath beneath, __u32 smis)
{
	struct model *model = &collection.model;
	struct page printed = page();
	struct entry *entries[2];

	model_forget_entries(model);
	entries[0] = add_hard(model, 0, 0, NOW_NS - 1000 * MS, 40 * MS);
	set_stack(&entries[0]->rec.end, AT_MEMORY_STAT + 1, AT_SYSCALL + 1, 0ULL);
	entries[1] = add_asked(model, 0, 1, NOW_NS, 40 * MS, 0);
	entries[1]->rec.samples[0].delay_ns = 30 * MS;
	entries[1]->rec.samples[0].at_ns = NOW_NS;
	set_stack(&entries[1]->rec.samples[0], AT_ESTIMATION + 1, AT_CALL_TIMER_FN + 1, 0ULL);
	for (int i = 0; i < 2; i++) {
		entries[i]->rec.beneath = beneath;
		entries[i]->rec.smis = smis;
	}
	judge_records(collection.symbols, &collection.model);
	report_page(&printed, SUMMARY_BY_DEFAULT, NULL, false);
	list_select(&printed.columns, model, NULL);
	text_list(&printed, false);
	text_list(&printed, true);
}

/* a hypervisor that does not count what it takes: ends are no proof, and late samples none */
static void doubt_in_guest(void **state)
{
	print_doubtful(TIO_BENEATH_HYPERVISOR, 0);
	assert_golden("doubt-guest.txt", out, &text);
}

static void doubt_on_hardware(void **state)
{
	print_doubtful(TIO_BENEATH_FIRMWARE, 1);
	assert_golden("doubt-hardware.txt", out, &text);
}

static void doubt_uncounted(void **state)
{
	print_doubtful(TIO_BENEATH_FIRMWARE, 0);
	fclose(out);
	assert_non_null(strstr(text, " in one instruction meanwhile, or in firmware\n"));
	free(text);
}

/* a sum is less than the longest stall where others are nested in that one */
static void report_nested(void **state)
{
	struct model *model = &collection.model;
	struct summary summary;
	struct page printed = page();

	model_forget_entries(model);
	for (int i = 0; i < 3; i++) {
		struct entry *entry = add_soft(model, i, 0, NOW_NS, 40 * MS,
					       i ? TRACE_IRQOFF_F_BH_OFF : 0);

		entry->rec.nested_ns = 15 * MS;
		set_stack(&entry->rec.samples[0], AT_SCHEDULE + 0x21, 0ULL);
	}
	judge_records(collection.symbols, &collection.model);
	for (size_t i = 0; i < model->nentries; i++)
		if (model->entries[i]->rec.cpu)
			model->entries[i]->found.verdict.class = TIO_CLASS_SOFTIRQ_OFF;
		else
			model->entries[i]->found.verdict.class = TIO_CLASS_UNKNOWN;
	model->entries[2]->found.waits_for = model->entries[1];
	printed.window = window_of(model, 0, ~0ULL);
	summary_build(&summary, model, SUMMARY_BY_DEFAULT, SUMMARY_TOTAL);
	report_select(&printed.columns, SUMMARY_BY_DEFAULT, summary.victims, NULL);
	text_report(&printed, &summary);
	printed.screen.width = SHARE_WIDTH;
	text_share(&printed, &summary);
	summary_free(&summary);
	assert_golden("report-nested.txt", out, &text);
}

static void report_victims(void **state)
{
	assert_report("report-victims.txt");
}

/* victims, without the stalls that they waited for */
static void report_victims_alone(void **state)
{
	struct filter filter;

	filter_init(&filter);
	assert_int_equal(filter_option(&filter, FILTER_CPU, "1-2"), EXIT_DONE);
	filter_apply(&filter, &collection.model);
	filter_free(&filter);
	assert_report("report-victims-alone.txt");
}

/* the first group, and all groups that blame nobody */
static void report_top(void **state)
{
	struct page printed = page();
	struct summary summary;

	summary_build(&summary, &collection.model, SUMMARY_BY_DEFAULT, SUMMARY_TOTAL);
	summary_top(&summary, 1);
	assert_int_equal(summary.left_out, 5);
	assert_int_equal(summary.ngroups, 3);
	report_select(&printed.columns, SUMMARY_BY_DEFAULT, summary.victims,
		      "culprit,count,mean,total,first,last,evidence");
	text_report(&printed, &summary);
	summary_free(&summary);
	assert_golden("report-top.txt", out, &text);
}

/* victims cannot be listed below a culprit if the report is by CPU */
static void report_victims_by_cpu(void **state)
{
	assert_report_by(1U << SUMMARY_CPU, SUMMARY_TOTAL, false, "report-victims-by-cpu.txt");
}

/* victims are in columns; so are packets, where any was held up; an upper bound is rounded up */
static void report_by_cost(void **state)
{
	struct tio_softnet *net = &collection.model.entries[0]->rec.net;

	for (unsigned int packets = 0; packets < 2; packets++) {
		struct page printed = page();
		struct summary summary;

		net->waited = packets;
		net->dropped = 12 * packets;
		collection.model.entries[0]->rec.max_ns += packets;
		summary_build(&summary, &collection.model, SUMMARY_BY_DEFAULT, SUMMARY_COST);
		assert_int_equal(summary_packets(&summary), packets);
		cost_select(&printed.columns, SUMMARY_BY_DEFAULT, false, packets, NULL);
		text_groups(&printed, &summary);
		fputc('\n', out);
		summary_free(&summary);
	}
	assert_golden("report-cost.txt", out, &text);
}

/* what met the tracer's own code alone tells of nobody, and stands apart */
static void tracer_alone(void **state)
{
	struct page printed = page();
	struct summary summary;

	for (unsigned int i = 0; i < 2; i++) {
		struct entry *entry = add_hard(&collection.model, 1, 80 + i, NOW_NS, 15 * MS);

		entry->found.verdict.class = TIO_CLASS_HARDIRQ_LONG;
		entry->found.culprit = copy_text("(trace_irqoff)");
	}
	summary_build(&summary, &collection.model, SUMMARY_BY_DEFAULT, SUMMARY_TOTAL);
	report_select(&printed.columns, SUMMARY_BY_DEFAULT, false, NULL);
	text_groups(&printed, &summary);
	fflush(out);
	assert_non_null(strstr(text, "estimation_timer"));
	assert_null(strstr(text, "(trace_irqoff)"));
	text_footers(&printed, &summary, NULL);
	fclose(out);
	assert_non_null(strstr(text, "(trace_irqoff), hardirq-long: 2 stalls, 30.000 ms, "));
	summary_free(&summary);
	free(text);
}

/* with a long culprit, a marked class and stalls of 9 s as well */
static void cost_fits(void **state)
{
	struct entry *entry = add_hard(&collection.model, 0, 77, NOW_NS, 9000 * MS);

	entry->found.verdict.class = TIO_CLASS_SOFTIRQ_LONG;
	entry->found.verdict.evidence = TIO_EVIDENCE_END;
	entry->found.verdict.sample = TIO_END;
	entry->found.culprit = copy_text("a_culprit_with_a_name_that_does_not_fit_by_far");
	entry->rec.net.dropped = 99999;
	for (unsigned int i = 0; i < 4; i++) {
		struct page printed = page();
		struct summary summary;

		printed.screen.width = 80;
		printed.marks = true;
		summary_build(&summary, &collection.model, SUMMARY_BY_DEFAULT, SUMMARY_COST);
		cost_select(&printed.columns, SUMMARY_BY_DEFAULT, i & 1, i & 2, NULL);
		text_groups(&printed, &summary);
		summary_free(&summary);
	}
	fclose(out);
	for (const char *line = text; *line; line += strcspn(line, "\n") + 1)
		if (strcspn(line, "\n") > 80)
			fail_msg("%s", line);
	assert_non_null(strstr(text, "softirq-long*"));
	free(text);
}

static void report_by_cpu(void **state)
{
	assert_report_by(1U << SUMMARY_CPU | 1U << SUMMARY_COMM, SUMMARY_COUNT, true,
			 "report-by-cpu.txt");
}

static void report_by_pod(void **state)
{
	assert_report_by(1U << SUMMARY_POD | 1U << SUMMARY_CONTAINER, SUMMARY_TOTAL, false,
			 "report-by-pod.txt");
}

enum view {
	REPORT, REPORT_BY_POD, LIST, LIST_TREE, LIST_VERBOSE, STATUS, HIST, HIST_PER_CPU,
	NO_RECORDS,
	VIEWS
};

static void print_view(enum view view)
{
	struct page screen = page();
	struct summary summary;

	switch (view) {
	case REPORT:
	case REPORT_BY_POD:
		screen.filtered = true;
		summary_build(&summary, &collection.model,
			      view == REPORT ? SUMMARY_BY_DEFAULT :
			      1U << SUMMARY_POD | 1U << SUMMARY_CGROUP, SUMMARY_TOTAL);
		report_select(&screen.columns, summary.by, summary.victims, NULL);
		text_report(&screen, &summary);
		summary_free(&summary);
		break;
	case STATUS:
		status_select(&screen.columns, &collection.model, NULL);
		text_status(&screen);
		break;
	case HIST:
	case HIST_PER_CPU:
		text_hist(&screen, view == HIST_PER_CPU);
		break;
	default:
		if (view == NO_RECORDS)
			model_forget_entries(&collection.model);
		screen.tree = view == LIST_TREE;
		list_select(&screen.columns, &collection.model, NULL);
		text_list(&screen, view == LIST_VERBOSE);
	}
}

/* all lines fit except a cgroup's path, which is useless if truncated */
static void screens_fit(void **state)
{
	void (*const fill[])(struct collection *collection) = {
		fixture_collect, fixture_collect_ends, fixture_collect_victims,
	};

	for (size_t i = 0; i < VIEWS * ARRAY_SIZE(fill); i++) {
		size_t size;

		fill[i / VIEWS](&collection);
		out = open_memstream(&text, &size);
		print_view(i % VIEWS);
		fclose(out);
		assert_true(size > 0);
		for (const char *line = text; *line; line += strcspn(line, "\n") + 1)
			if (strcspn(line, "\n") > 80 && strncmp(line, "    cgroup: /", 13))
				fail_msg("%zu: %s", i % VIEWS, line);
		free(text);
		collect_free(&collection);
	}
}

enum asked { FOR_ALL, FOR_SOME, FOR_UNWATCHED, FOR_ABSENT };

/* a report of a node that had no stall says where to look next */
static void assert_says(const char *wanted, bool report, enum asked asked)
{
	bool none = strstr(wanted, " of watching CPU");

	if (!report || asked != FOR_ALL || !none) {
		assert_string_equal(text, wanted);
		return;
	}
	assert_non_null(strstr(text, wanted));
	assert_non_null(strstr(text, "node-7, "));
	assert_non_null(strstr(text, "Some delays are no stalls: "));
}

/* report and list print the same message */
static void assert_nothing(enum asked asked, const char *wanted)
{
	for (int i = 0; i < 2; i++) {
		struct page empty = page();
		struct summary none = { .by = SUMMARY_BY_DEFAULT };
		size_t size;

		empty.out = open_memstream(&text, &size);
		empty.screen.width = 0;
		empty.filtered = asked != FOR_ALL;
		empty.unwatched = asked == FOR_UNWATCHED || asked == FOR_ABSENT;
		empty.absent = asked == FOR_ABSENT ? "9" : NULL;
		if (i)
			text_list(&empty, true);
		else
			text_report(&empty, &none);
		fclose(empty.out);
		assert_says(wanted, !i, asked);
		free(text);
	}
}

static const char stopped[] =
	"No stall was recorded in 2 h 3 min of watching; "
	"now not enabled, stopped 5 min 0 s ago (irqoff start enables it), threshold 1.5 ms.\n";

static void nothing(void **state)
{
	static const char none_kept[] =
		"No record is kept: of 75, 60 were cleared and 6 overwritten by newer ones; "
		"now watching CPUs 0-1 for 2 h 3 min, threshold 10 ms.\n";
	struct config *config = &collection.model.config;

	model_forget_entries(&collection.model);
	assert_nothing(FOR_SOME, "None of the 9 records kept matches the filter; "
		       "6 others were overwritten by newer ones (all CPUs).\n");
	collection.model.counters[0].lost = 0;
	collection.model.counters[1].lost = 1;
	assert_nothing(FOR_SOME, "None of the 9 records kept matches the filter; "
		       "1 other was overwritten by newer ones (all CPUs).\n");
	collection.model.counters[1].lost_before = 1;
	assert_nothing(FOR_SOME,
		       "None of the 9 records kept matches the filter; none was overwritten.\n");
	collection.model.counters[1].lost_before = 0;
	collection.model.counters[1].lost = 0;
	assert_nothing(FOR_SOME,
		       "None of the 9 records kept matches the filter; none was overwritten.\n");
	assert_nothing(FOR_UNWATCHED,
		       "None of the 9 records kept matches the filter; none was overwritten.\n"
		       "None of these CPUs is watched (watched now: 0-1).\n");
	assert_nothing(FOR_ABSENT,
		       "None of the 9 records kept matches the filter; none was overwritten.\n"
		       "There is no CPU 9 (CPUs 0-3).\n");
	config->enabled = false;
	assert_nothing(FOR_ABSENT,
		       "None of the 9 records kept matches the filter; none was overwritten.\n"
		       "There is no CPU 9 (CPUs 0-3).\n");
	assert_nothing(FOR_UNWATCHED,
		       "None of the 9 records kept matches the filter; none was overwritten.\n"
		       "Now not enabled (irqoff start enables it).\n");
	config->enabled = true;
	collection.model.counters[0].lost = 6;
	collection.model.counters[0].kept = 0;
	collection.model.counters[1].kept = 1;
	assert_nothing(FOR_SOME, "The only record kept does not match the filter; "
		       "6 others were overwritten by newer ones (all CPUs).\n");

	collection.model.counters[1].kept = 0;
	assert_nothing(FOR_ALL, none_kept);

	model_forget_counters(&collection.model);
	assert_nothing(FOR_ALL, "No stall was recorded in 2 h 3 min of watching CPUs 0-1; "
		       "the threshold is 10 ms now.\n");
	/* if there are no records at all, the filter is not to blame */
	assert_nothing(FOR_SOME, "No stall was recorded in 2 h 3 min of watching CPUs 0-1; "
		       "the threshold is 10 ms now.\n");

	strcpy(config->watched, "1");
	config->threshold_us = 1500;
	assert_nothing(FOR_ALL, "No stall was recorded in 2 h 3 min of watching CPU 1; "
		       "the threshold is 1.5 ms now.\n");

	config->enabled = false;
	assert_nothing(FOR_ALL,
		       "No records: trace_irqoff is not enabled; irqoff start enables it.\n");
	fixture_stop(&collection.model, TRACE_IRQOFF_STOP_USER);
	assert_nothing(FOR_ALL, stopped);
}

static void nothing_counted(void **state)
{
	struct page hist = page();

	model_forget_histograms(&collection.model);
	model_add_histograms(&collection.model);
	text_hist(&hist, false);
	fflush(out);
	assert_non_null(strstr(text, "\nhard: no stall counted\n\nsoft: no stall counted\n"));
	fclose(out);
	free(text);
}

/* no CPU that was watched, so that nothing could be counted */
static void never_watched(void **state)
{
	struct page hist = page();

	model_forget_histograms(&collection.model);
	text_hist(&hist, false);
	fflush(out);
	assert_non_null(strstr(text, "+0000)\nThere are no histograms.\n"));
	model_forget_counters(&collection.model);
	text_hist(&hist, false);
	text_hist(&hist, true);
	fclose(out);
	assert_null(strstr(text, "counted"));
	assert_non_null(strstr(text, "+0000)\nNo CPU was ever watched; "));
	assert_non_null(strstr(strstr(text, "No CPU") + 1, "\nNo CPU was ever watched;"));
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_page(prints_report),
		test_collection(losses),
		test_page(report_stopped),
		test_page(report_stopped_somewhen),
		test_ends(report_ends),
		test_regular(report_regular),
		test_regular(list_regular),
		test_page(report_storm),
		test_page(report_nmi),
		test_page(doubt_in_guest),
		test_page(doubt_on_hardware),
		test_page(doubt_uncounted),
		test_page(report_nested),
		test_victims(report_victims),
		test_victims(report_victims_alone),
		test_page(report_top),
		test_victims(report_victims_by_cpu),
		test_victims(report_by_cost),
		test_victims(cost_fits),
		test_page(tracer_alone),
		test_page(report_by_cpu),
		test_page(report_by_pod),
		cmocka_unit_test(screens_fit),
		test_collection(nothing),
		test_page(nothing_counted),
		test_page(never_watched),
	};

	return cmocka_run_group_tests_name("out_text", tests, NULL, NULL);
}
