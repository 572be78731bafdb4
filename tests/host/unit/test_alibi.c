// SPDX-License-Identifier: GPL-2.0-only
/* Was a time free of long stalls? */
#include "judge/judge.h"
#include "waiters.h"

#include "alibi/alibi_why.h"
#include "base/units.h"
#include "output/out.h"

#define SECOND		(1000 * MS)
#define ENABLED_NS	(100 * SECOND)
#define TO_NS		(1000 * SECOND)
#define THRESHOLD_NS	(10 * MS)
/* the wall clock at the kernel's 0 */
#define BOOT_NS		(1000000 * SECOND)

static struct filter filter;
static struct alibi alibi;
static const char *dev_how;	/* NULL: no device is asked about */

static int begin(void **state)
{
	open_waiters(state);
	watch_waiters(&(struct watching){
		.cpus = 2, .from_ns = ENABLED_NS, .to_ns = TO_NS, .threshold_ns = THRESHOLD_NS,
		.boot_ns = BOOT_NS,
	});
	filter = (struct filter){ .until_ns = ~0ULL };
	dev_how = NULL;
	return 0;
}

static int end(void **state)
{
	alibi_free(&alibi);
	free(filter.cpus);
	return close_waiters(state);
}

static void ask(__u64 from_s, __u64 to_s, __u64 over_ns)
{
	struct alibi_book book;

	alibi_free(&alibi);
	alibi = (struct alibi){
		.from_ns = BOOT_NS + from_s * SECOND,
		.to_ns = to_s ? BOOT_NS + to_s * SECOND : ~0ULL,
		.over_ns = over_ns,
		.dev = dev_how ? "eth0" : NULL,
		.dev_how = dev_how,
	};
	model_sort(model);
	alibi_open(&book, model, &filter);
	alibi_ask(&alibi, &book);
	alibi_close(&book);
}

static void assert_none(__u64 from_s, __u64 to_s, __u64 over_ns)
{
	ask(from_s, to_s, over_ns);
	if (alibi.verdict != ALIBI_NO_STALL)
		fail_msg("gap %s", alibi_gap_word(alibi.gap));
	assert_int_equal(alibi.gap, ALIBI_NO_GAP);
}

static void assert_gap(__u64 from_s, __u64 to_s, __u64 over_ns, enum alibi_gap gap)
{
	ask(from_s, to_s, over_ns);
	assert_int_equal(alibi.gap, gap);
	assert_int_equal(alibi.verdict, ALIBI_CANNOT_TELL);
}

/* adds a record that ended then; its counters say that it is there */
static struct entry *record(__u32 cpu, bool soft, __u64 end_ns, __u64 min_ns, __u64 max_ns)
{
	__u64 seq = model->counters[cpu].produced++;
	struct entry *entry = soft ? add_soft(model, cpu, seq, end_ns, min_ns, 0) :
				     add_hard(model, cpu, seq, end_ns, min_ns);

	entry->rec.max_ns = max_ns;
	model->counters[cpu].kept++;
	return entry;
}

static void nothing_happened(void **state)
{
	assert_none(100, 0, 20 * MS);
	assert_string_equal(alibi.asked, "0-1");
	assert_none(500, 501, 20 * MS);
	/* the shortest that can be told: threshold, period and slack */
	assert_none(500, 501, 0);
	assert_int_equal(alibi.over_ns, 11200000);
	assert_gap(500, 501, 11200000 - 1, ALIBI_SHORT);
}

static void stalled(void **state)
{
	const struct entry *entry;

	entry = record(1, false, 600 * SECOND, 30 * MS, 31 * MS);
	ask(599, 601, 30 * MS);
	assert_int_equal(alibi.verdict, ALIBI_STALLED);
	assert_int_equal(alibi.nstalls, 1);
	assert_ptr_equal(alibi.stalls[0], entry);
	/* one that is met by the time's begin or end alone */
	ask(600, 601, 30 * MS);
	assert_int_equal(alibi.verdict, ALIBI_STALLED);
	assert_none(601, 0, 30 * MS);
	assert_none(100, 599, 30 * MS);
	/* of another CPU */
	filter.cpus = alloc(1, sizeof(*filter.cpus));
	filter.ncpus = 1;
	assert_none(599, 601, 30 * MS);
	assert_string_equal(alibi.asked, "0");
	filter.cpus[0] = (struct cpu_range){ 5, 6 };
	assert_gap(599, 601, 30 * MS, ALIBI_NO_CPU);
}

/* a stall is told whatever else is not known, of a filter's dropped records as well */
static void stalled_and_more(void **state)
{
	record(0, true, 600 * SECOND, 30 * MS, 31 * MS);
	filter.min_ns = 40 * MS;
	filter_apply(&filter, model);
	assert_int_equal(model->nentries, 0);
	ask(50, 0, 30 * MS);
	assert_int_equal(alibi.verdict, ALIBI_STALLED);
	assert_int_equal(alibi.gap, ALIBI_SETTINGS);
}

static void bounds(void **state)
{
	struct entry *entry = record(0, true, 600 * SECOND, 29 * MS, 31 * MS);

	assert_gap(599, 601, 30 * MS, ALIBI_BOUNDS);
	assert_ptr_equal(alibi.entry, entry);
	assert_none(599, 601, 31 * MS + 1);
	entry->rec.open = true;
	model->counters[0].produced = 0;
	assert_gap(599, 601, 30 * MS, ALIBI_BOUNDS);
}

/* a softirq stall has no record where less than the threshold lies outside of hard ones */
static void nested(void **state)
{
	struct entry *first = record(0, false, 600 * SECOND, 20 * MS, 21 * MS);

	assert_gap(599, 601, 32 * MS, ALIBI_NESTED);
	assert_ptr_equal(alibi.entry, first);
	assert_none(599, 601, 33 * MS);
	/* with a second one 5 ms later it may have been longer; not with one 12 ms later */
	record(0, false, 600 * SECOND + 25 * MS, 20 * MS, 20 * MS);
	assert_gap(599, 601, 52 * MS, ALIBI_NESTED);
	assert_none(599, 601, 53 * MS);
	record(0, false, 600 * SECOND + 57 * MS, 20 * MS, 20 * MS);
	assert_none(599, 601, 53 * MS);
	/* a record of the softirq stall itself says how long it was */
	record(0, true, 600 * SECOND + 26 * MS, 48 * MS, 49 * MS);
	assert_none(599, 601, 50 * MS);
}

static void not_watched(void **state)
{
	free(model->config.watched);
	model->config.watched = copy_text("0");
	assert_gap(500, 0, 20 * MS, ALIBI_UNWATCHED);
	assert_string_equal(alibi.cpus, "1");
	free(model->config.watched);
	model->config.watched = copy_text("0-1");
	model->config.behind = copy_text("1");
	assert_gap(500, 0, 20 * MS, ALIBI_BEHIND);
	*model->config.behind = '\0';
	model_add_busy(model, 1, false, 3);
	assert_gap(500, 0, 20 * MS, ALIBI_BUSY);
	assert_int_equal(alibi.cpu, 1);
}

/* who asks from the time on that is printed is told, so it is never printed as an earlier one */
static void told_from(void **state)
{
	char *why;

	model->counters[1].settled_ns = 400 * SECOND + 1;
	assert_gap(399, 0, 20 * MS, ALIBI_SETTINGS);
	why = alibi_why(model, &alibi);
	assert_string_equal(strrchr(why, '.'), ".001");
	free(why);
}

static void settings(void **state)
{
	model->counters[1].settled_ns = 400 * SECOND;
	assert_gap(399, 0, 20 * MS, ALIBI_SETTINGS);
	assert_int_equal(alibi.cpu, 1);
	assert_int_equal(alibi.at_ns, BOOT_NS + 400 * SECOND);
	assert_none(400, 0, 20 * MS);
	/* the CPU goes by an older, higher threshold */
	model->counters[1].threshold_ns = 50 * MS;
	assert_gap(400, 0, 20 * MS, ALIBI_SHORT);
	assert_none(400, 0, 60 * MS);
	model->counters[1].settled_ns = 0;
	assert_gap(400, 0, 60 * MS, ALIBI_UNKNOWN);
}

static void times(void **state)
{
	assert_gap(99, 0, 20 * MS, ALIBI_SETTINGS);
	model->counters[0].settled_ns = SECOND;
	model->counters[1].settled_ns = SECOND;
	assert_gap(99, 0, 20 * MS, ALIBI_EARLY);
	assert_int_equal(alibi.at_ns, BOOT_NS + ENABLED_NS);
	assert_gap(500, 1001, 20 * MS, ALIBI_LATE);
	/* a time that begins after the capture was saved, without an end or with one */
	assert_gap(1500, 0, 20 * MS, ALIBI_LATE);
	assert_gap(1500, 1600, 20 * MS, ALIBI_LATE);
	/* one that begins just then has no length: nothing can be said of it */
	assert_gap(TO_NS / SECOND, 0, 20 * MS, ALIBI_LATE);
	/* it is still written, and has records of later than its counters */
	model->counted_ns = 900 * SECOND;
	assert_gap(500, 0, 20 * MS, ALIBI_LATE);
	assert_int_equal(alibi.at_ns, BOOT_NS + 900 * SECOND);
	assert_none(500, 900, 20 * MS);
	model->counted_ns = 0;
	model->config.enabled = false;
	model->config.stopped_known = true;
	model->config.stopped_ns = 800 * SECOND;
	assert_gap(500, 0, 20 * MS, ALIBI_LATE);
	assert_int_equal(alibi.at_ns, BOOT_NS + 800 * SECOND);
	assert_none(500, 800, 20 * MS);
}

static void records_are_missing(void **state)
{
	struct alibi_book book;

	record(0, false, 600 * SECOND, 12 * MS, 13 * MS);
	model->counters[0].produced = 5;
	model->counters[0].lost = 4;
	model->entries[0]->rec.seq = 4;
	assert_gap(500, 0, 40 * MS, ALIBI_EARLY);
	assert_int_equal(alibi.at_ns, BOOT_NS + 600 * SECOND);
	assert_none(601, 0, 40 * MS);
	/* newer ones */
	model->counters[0].produced = 7;
	assert_gap(601, 0, 40 * MS, ALIBI_LOST);
	assert_int_equal(alibi.count, 2);
	alibi.damaged = true;
	alibi_open(&book, model, &filter);
	alibi_ask(&alibi, &book);
	alibi_close(&book);
	assert_int_equal(alibi.verdict, ALIBI_CANNOT_TELL);
	model_forget_entries(model);
	model->counters[0] = (struct cpu_counters){ .settled_ns = ENABLED_NS, .cleared = 3,
						    .produced = 3, .watched = true };
	assert_gap(601, 0, 40 * MS, ALIBI_CLEARED);
}

static void not_known(void **state)
{
	free(model->config.online);
	model->config.online = NULL;
	assert_gap(500, 0, 20 * MS, ALIBI_UNKNOWN);
	model->config.online = copy_text("0-2");
	assert_gap(500, 0, 20 * MS, ALIBI_UNWATCHED);
	model_forget_counters(model);
	free(model->config.watched);
	model->config.watched = copy_text("0-2");
	assert_gap(500, 0, 20 * MS, ALIBI_UNKNOWN);
	/* not the module's fault */
	model->received.no_counters = true;
	assert_gap(500, 0, 20 * MS, ALIBI_GROWING);
	model->received.no_counters = false;
}

static void print(struct page *page, __u64 from_s, __u64 to_s, __u64 over_ns)
{
	ask(from_s, to_s, over_ns);
	if (page->screen.width)
		text_alibi(page, &alibi);
	else
		json_alibi(page, &alibi);
}

static void printed(void **state)
{
	struct page page = { .model = model, .symbols = waiters.symbols, .screen.width = 80 };
	size_t size;
	char *text;

	setenv("TZ", "UTC", 1);
	strcpy(model->machine.host, "node7");
	strcpy(model->machine.release, "6.1.0-37-amd64");
	add_holder(1, 0, 600 * SECOND, 30 * MS);
	model->counters[1].produced = 1;
	judge_records(waiters.symbols, &waiters.model);
	page.out = open_memstream(&text, &size);
	print(&page, 700, 701, 0);
	fputc('\n', page.out);
	print(&page, 599, 601, 20 * MS);
	fputc('\n', page.out);
	print(&page, 50, 601, 5 * MS);
	fputc('\n', page.out);
	print(&page, 700, 701, 5 * MS);
	fputc('\n', page.out);
	dev_how = "These CPUs serve eth0, as its interrupts and RPS are set now";
	print(&page, 700, 701, 0);
	assert_golden("alibi.txt", page.out, &text);

	page.screen.width = 0;
	page.out = open_memstream(&text, &size);
	print(&page, 50, 601, 20 * MS);
	assert_golden("alibi.json", page.out, &text);
}

/* each gap has a sentence of its own, and a remedy */
static void sentences(void **state)
{
	alibi = (struct alibi){ .entry = record(0, false, 600 * SECOND, 20 * MS, 21 * MS) };
	for (alibi.gap = ALIBI_NO_GAP + 1; alibi.gap < ALIBI_GAPS; alibi.gap++) {
		char *why = alibi_why(model, &alibi), *remedy = alibi_remedy(&alibi);

		assert_non_null(alibi_gap_word(alibi.gap));
		assert_true(alibi.gap == ALIBI_UNKNOWN || !strstr(why, "too old"));
		assert_true(*remedy);
		free(why);
		free(remedy);
	}
}

/* settings that the module takes, and that tell stalls as long as that */
static void finer_settings(void **state)
{
	static const struct {
		__u64 over_ns;
		const char *wanted;
	} cases[] = {
		{ 11200000, "threshold=10000us period=1000us;" },
		{ 1300000, "threshold=825us period=275us;" },
		{ 400000, "threshold=150us period=50us;" },
		{ 399000, "ask with --min 11200us; for shorter ones, no settings" },
		{ 1, "no settings" },
	};

	alibi.gap = ALIBI_SHORT;
	alibi.shortest_ns = 11200000;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char *remedy;

		alibi.over_ns = cases[i].over_ns;
		remedy = alibi_remedy(&alibi);
		if (!strstr(remedy, cases[i].wanted))
			fail_msg("%s", remedy);
		free(remedy);
	}
}

#define test_alibi(test)	cmocka_unit_test_setup_teardown(test, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_alibi(nothing_happened),
		test_alibi(stalled),
		test_alibi(stalled_and_more),
		test_alibi(bounds),
		test_alibi(nested),
		test_alibi(not_watched),
		test_alibi(told_from),
		test_alibi(settings),
		test_alibi(times),
		test_alibi(records_are_missing),
		test_alibi(not_known),
		test_alibi(printed),
		test_alibi(sentences),
		test_alibi(finer_settings),
	};

	return cmocka_run_group_tests_name("alibi", tests, NULL, NULL);
}
