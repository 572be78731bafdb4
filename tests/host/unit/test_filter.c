// SPDX-License-Identifier: GPL-2.0-only
#include "fixture.h"

#include "base/say.h"
#include "model/filter.h"
#include "said.h"

static struct filter filter;

static int begin(void **state)
{
	filter_init(&filter);
	return 0;
}

static int end(void **state)
{
	filter_free(&filter);
	return 0;
}

/* without the options that it was given */
static void renew(void)
{
	filter_free(&filter);
	filter_init(&filter);
}

/* expects these records to be left, in this order */
static void assert_left(const char *wanted, ...)
{
	struct collection collection;
	char left[256] = "";
	const char *value;
	va_list options;

	fixture_collect(&collection);
	renew();
	filter.now_ns = NOW_REALTIME_NS;
	va_start(options, wanted);
	for (int option; (option = va_arg(options, int));) {
		value = va_arg(options, const char *);
		assert_int_equal(filter_option(&filter, option, value), EXIT_DONE);
	}
	va_end(options);
	filter_apply(&filter, &collection.model);
	for (size_t i = 0; i < collection.model.nentries; i++) {
		const struct tio_record *rec = &collection.model.entries[i]->rec;
		size_t len = strlen(left);

		if (rec->open)
			snprintf(left + len, sizeof(left) - len, " open");
		else
			snprintf(left + len, sizeof(left) - len, " %u:%llu", rec->cpu, rec->seq);
	}
	assert_string_equal(*left ? left + 1 : left, wanted);
	collect_free(&collection);
}

/* CPUs 0 and 1 were watched, CPU 1 no longer is */
static void watched(void **state)
{
	static const struct {
		const char *cpus;
		bool wanted;
	} cases[] = {
		{ NULL, true }, { "0", true }, { "1", false }, { "1-9", false }, { "7,0-2", true },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct collection collection;

		fixture_collect(&collection);
		collection.model.counters[1].watched = false;
		renew();
		if (cases[i].cpus)
			filter_option(&filter, FILTER_CPU, cases[i].cpus);
		assert_int_equal(filter_watched(&filter, &collection.model), cases[i].wanted);
		collect_free(&collection);
	}
}

/* the machine has CPUs 0-3 */
static void absent(void **state)
{
	static const struct {
		const char *cpus;
		const char *wanted;	/* NULL: there is one of them */
	} cases[] = {
		{ NULL, NULL }, { "3", NULL }, { "2-9", NULL }, { "9,1", NULL }, { "4", "4" },
		{ "9", "9" }, { "9-12,17", "9-12,17" },
	};
	char buf[64];

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct collection collection;
		const char *got;

		fixture_collect(&collection);
		renew();
		if (cases[i].cpus)
			filter_option(&filter, FILTER_CPU, cases[i].cpus);
		got = filter_absent(buf, sizeof(buf), &filter, &collection.model);
		assert_string_equal(got ? got : "there", cases[i].wanted ?: "there");
		*collection.model.machine.cpus = '\0';
		assert_null(filter_absent(buf, sizeof(buf), &filter, &collection.model));
		collect_free(&collection);
	}
}

/* a list that finds no room is cut */
static void absent_cut(void **state)
{
	const struct model model = { .machine.cpus = "0,2-3,8" };
	char buf[8];

	assert_int_equal(filter_option(&filter, FILTER_CPU, "1000000,4-7,200-300"), EXIT_DONE);
	assert_string_equal(filter_absent(buf, sizeof(buf), &filter, &model), "1000000");
	renew();
	assert_int_equal(filter_option(&filter, FILTER_CPU, "1000000,8"), EXIT_DONE);
	assert_null(filter_absent(buf, sizeof(buf), &filter, &model));
}

static void sorted_and_whole(void **state)
{
	assert_left("0:66 1:0 0:67 0:68 1:1 0:69 1:2 1:3 open", 0);
}

/* a stall that was open when it was read, before another one ended */
static void open_comes_last(void **state)
{
	struct model model = { 0 };
	struct entry *open = add_soft(&model, 0, 0, 100 * MS, 20 * MS, TRACE_IRQOFF_F_BH_OFF);

	open->rec.open = true;
	add_hard(&model, 1, 8, 200 * MS, 20 * MS);
	add_hard(&model, 1, 7, 200 * MS, 20 * MS);
	add_hard(&model, 0, 9, 200 * MS, 20 * MS);
	model_sort(&model);
	assert_int_equal(model.entries[0]->rec.seq, 9);
	assert_int_equal(model.entries[1]->rec.seq, 7);
	assert_int_equal(model.entries[2]->rec.seq, 8);
	assert_ptr_equal(model.entries[3], open);
	model_free(&model);
}

static void each(void **state)
{
	assert_left("1:1 0:69 1:2 1:3 open", FILTER_SINCE, "2m", 0);
	assert_left("0:66 1:0 0:67", FILTER_UNTIL, "5m", 0);
	assert_left("0:67 0:68 1:1", FILTER_SINCE, "06:55", FILTER_UNTIL, "06:58", 0);
	assert_left("1:0 1:1 1:2 1:3 open", FILTER_CPU, "1", 0);
	assert_left("0:66 1:0 0:67 0:68 1:1 0:69 1:2 1:3 open", FILTER_CPU, "0-1", 0);
	assert_left("1:0 1:1 1:2 1:3 open", FILTER_CPU, "7,1-3", 0);
	assert_left("", FILTER_CPU, "2-4000", 0);
	assert_left("0:66 1:0 0:67", FILTER_CLASS, "hardirq-off", 0);
	assert_left("1:2", FILTER_CLASS, "hardirq-long", 0);
	assert_left("1:2 1:3", FILTER_CLASS, "stolen,hardirq-long", 0);
	assert_left("0:68 0:69 open", FILTER_CLASS, "unknown,softirq-off", 0);
	assert_left("1:1", FILTER_CLASS, "softirq-long", 0);
	/* the lower bound counts */
	assert_left("0:68 1:1 1:3", FILTER_MIN, "33ms", 0);
	assert_left("1:3 open", FILTER_NEWEST, "2", 0);
	assert_left("0:66 1:0 0:67 0:68 1:1 0:69 1:2 1:3 open", FILTER_NEWEST, "100", 0);
}

static void together(void **state)
{
	/* the newest of the matching records, not the matching ones of the newest */
	assert_left("0:67", FILTER_CLASS, "hardirq-off", FILTER_NEWEST, "1", 0);
	assert_left("0:68", FILTER_CPU, "0", FILTER_MIN, "25ms", FILTER_SINCE, "1h", 0);
}

/* selects records by name; other options can still leave them out */
static void by_name(void **state)
{
	struct collection collection;

	fixture_collect(&collection);
	assert_int_equal(filter_name(&filter, "0:67"), EXIT_DONE);
	assert_int_equal(filter_name(&filter, "1:open"), EXIT_DONE);
	assert_int_equal(filter_name(&filter, "1:0"), EXIT_DONE);
	filter_apply(&filter, &collection.model);
	assert_int_equal(collection.model.nentries, 3);
	assert_int_equal(collection.model.entries[0]->rec.seq, 0);
	assert_int_equal(collection.model.entries[1]->rec.seq, 67);
	assert_true(collection.model.entries[2]->rec.open);
	assert_int_equal(filter_found(&filter, &collection.model), EXIT_DONE);
	assert_int_equal(filter_name(&filter, "0:66"), EXIT_DONE);
	assert_int_equal(filter_found(&filter, &collection.model), EXIT_DONE);
	collect_free(&collection);
}

static int found(const struct filter *filter, const struct model *model)
{
	int status;

	said_begin();
	status = filter_found(filter, model);
	said_end();
	return status;
}

struct told {
	const char *cpus;
	const char *wanted;
};

/* what is said of the CPUs that were named */
static void assert_told(void (*tell)(const struct filter *, const struct model *),
			const struct model *model, const struct told *told)
{
	renew();
	assert_int_equal(filter_option(&filter, FILTER_CPU, told->cpus), EXIT_DONE);
	said_begin();
	tell(&filter, model);
	said_end();
	assert_string_equal(said, told->wanted);
}

/* some of the CPUs that were named are not there; where none is, the answer says so */
static void absent_in_part(void **state)
{
	static const struct told cases[] = {
		{ "0,77", "irqoff: there is no CPU 77 (CPUs 0-3)\n" },
		{ "2-9", "irqoff: there is no CPU 4 (CPUs 0-3)\n" },
		{ "0-3", "" }, { "77", "" },
	};
	const struct model model = { .machine.cpus = "0-3" };

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_told(filter_tell_absent, &model, &cases[i]);
}

static void offline_in_part(void **state)
{
	static const struct told cases[] = {
		{ "2-3", "irqoff: CPU 3 of --cpu is not online; online are 0-2\n" },
		/* that one is not there, which is said elsewhere */
		{ "2,4", "" },
		/* then the answer says so */
		{ "3", "" }, { "0-2", "" },
	};
	char online[] = "0-2";
	const struct model model = { .machine.cpus = "0-3", .config.online = online };

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_told(filter_tell_offline, &model, &cases[i]);
}

/* a capture was saved at 7:00 */
static void put_back(void **state)
{
	static const struct {
		const char *since;
		bool told;
	} cases[] = {
		{ "07:30", true }, { "06:30", false }, { "10m", false }, { "yesterday", false },
		{ "2026-11-20 23:00", false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		renew();
		assert_int_equal(filter_option(&filter, FILTER_SINCE, cases[i].since), EXIT_DONE);
		said_begin();
		assert_int_equal(filter_refer(&filter, NOW_REALTIME_NS), EXIT_DONE);
		said_end();
		if (cases[i].told)
			assert_non_null(strstr(said, "07:30 means that of 2026-11-20, as the "));
		else
			assert_string_equal(said, "");
	}
}

#define HAS	"CPU 0 has 0:66 to 0:69\n"

static void assert_not_found(const char *name, struct received received, const char *wanted)
{
	struct collection collection;

	fixture_collect(&collection);
	collection.model.received = received;
	renew();
	assert_int_equal(filter_name(&filter, name), EXIT_DONE);
	filter_apply(&filter, &collection.model);
	assert_int_equal(found(&filter, &collection.model), EXIT_FAILED);
	assert_string_equal(said, wanted);
	collect_free(&collection);
}

static void no_such_name(void **state)
{
	static const char * const names[][2] = {
		{ "0:65",
		  "irqoff: record 0:65 is gone (overwritten by newer ones, or cleared): " HAS },
		{ "0:open", "irqoff: no stall of CPU 0 is open; "
			    "it may have ended: irqoff list --cpu 0 -n 1\n" },
		{ "7:1", "irqoff: there is no CPU 7 (CPUs 0-3)\n" },
		{ "7:open", "irqoff: there is no CPU 7 (CPUs 0-3)\n" },
		{ "3:1", "irqoff: there is no record 3:1: CPU 3 has no records\n" },
		{ "0:70", "irqoff: there is no record 0:70: " HAS },
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		assert_not_found(names[i][0], (struct received){ 0 }, names[i][1]);
}

/* a record that is named may be yet to come, or one that was cut off */
static void no_such_name_yet(void **state)
{
	struct received received = { .cut = true };

	assert_not_found("0:70", received, "irqoff: record 0:70 is not there yet; "
			 "the capture is still written: " HAS);
	/* numbers only rise: that one will not come */
	received.no_counters = true;
	assert_not_found("0:0", received,
			 "irqoff: record 0:0 is gone (of before, if it was there): " HAS);
	received.damaged = true;
	assert_not_found("0:70", received,
			 "irqoff: record 0:70 is gone (cut off, if it was there): " HAS);
}

/* filters of CPUs and names apply to a record that was being written; it is not there */
static void busy(void **state)
{
	struct model model = { 0 };

	*model_add_counters(&model) = (struct cpu_counters){ .cpu = 1, .produced = 9, .lost = 1 };
	model_add_busy(&model, 1, false, 8);
	model_add_busy(&model, 0, false, 8);
	filter_option(&filter, FILTER_MIN, "50ms");
	filter_apply(&filter, &model);
	assert_int_equal(model.nbusy, 2);
	filter_option(&filter, FILTER_CPU, "1");
	filter_apply(&filter, &model);
	assert_int_equal(model.nbusy, 1);
	assert_int_equal(model.busy[0].cpu, 1);
	renew();
	filter_name(&filter, "1:8");
	filter_apply(&filter, &model);
	assert_int_equal(found(&filter, &model), EXIT_FAILED);
	assert_string_equal(said, "irqoff: record 1:8 could not be read while its CPU was writing; "
			    "ask again\n");
	renew();
	filter_name(&filter, "1:7");
	filter_apply(&filter, &model);
	assert_int_equal(model.nbusy, 0);
	model_add_busy(&model, 1, true, 0);
	renew();
	filter_name(&filter, "1:open");
	filter_apply(&filter, &model);
	assert_int_equal(model.nbusy, 1);
	assert_int_equal(found(&filter, &model), EXIT_FAILED);
	assert_non_null(strstr(said, "the open stall of CPU 1 could not be read "));
	model_free(&model);
}

/* what became of a record, by the counters of its CPU */
static void lost_or_cleared(void **state)
{
	static const struct {
		__u64 lost;
		__u64 cleared;
		const char *wanted;
	} cases[] = {
		{ 5, 0, "irqoff: record 1:4 is gone (overwritten by newer ones): " },
		{ 0, 5, "irqoff: record 1:4 is gone (cleared): " },
		{ 1, 4, "irqoff: record 1:4 is gone (overwritten by newer ones, or cleared): " },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct model model = { 0 };

		*model_add_counters(&model) = (struct cpu_counters){ .cpu = 0, .produced = 9 };
		*model_add_counters(&model) = (struct cpu_counters){
			.cpu = 1, .produced = 5, .lost = cases[i].lost, .cleared = cases[i].cleared,
		};
		renew();
		filter_name(&filter, "1:4");
		assert_int_equal(found(&filter, &model), EXIT_FAILED);
		assert_int_equal(strncmp(said, cases[i].wanted, strlen(cases[i].wanted)), 0);
		assert_non_null(strstr(said, "): CPU 1 has no records\n"));
		/* one that is yet to come */
		renew();
		filter_name(&filter, "1:5");
		assert_int_equal(found(&filter, &model), EXIT_FAILED);
		assert_string_equal(said,
				    "irqoff: there is no record 1:5: CPU 1 has no records\n");
		model_free(&model);
	}
}

static void ranges(void **state)
{
	static const struct {
		const char *since;
		const char *until;
		int wanted;
	} cases[] = {
		{ "2m", "1m", EXIT_DONE }, { "1m", "2m", EXIT_USAGE },
		{ "2026-11-20", "2026-11-20", EXIT_DONE },
		{ "2026-11-21", "2026-11-20", EXIT_USAGE }, { "1m", NULL, EXIT_DONE },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		renew();
		filter_option(&filter, FILTER_SINCE, cases[i].since);
		if (cases[i].until)
			filter_option(&filter, FILTER_UNTIL, cases[i].until);
		assert_int_equal(filter_check(&filter), cases[i].wanted);
	}
}

/* as ping -D prints them, and whoever pastes that */
static void stamps(void **state)
{
	static const char * const good[] = {
		"1795244400.25", "[1795244400.250000]", "@1795244400.25", "1795244400250",
	};
	static const char * const bad[] = {
		"[1795244400.25", "1795244400.25]", "[]", "[", "@", "[@1795244400]", "@10", "[10m]",
	};

	for (size_t i = 0; i < ARRAY_SIZE(good) + ARRAY_SIZE(bad); i++) {
		bool is_good = i < ARRAY_SIZE(good);
		const char *text = is_good ? good[i] : bad[i - ARRAY_SIZE(good)];

		renew();
		assert_int_equal(filter_option(&filter, FILTER_SINCE, text),
				 is_good ? EXIT_DONE : EXIT_USAGE);
		if (is_good) {
			assert_int_equal(filter.since_ns, NOW_REALTIME_NS + 250 * MS);
			assert_int_equal(filter_refer(&filter, NOW_REALTIME_NS), EXIT_DONE);
			assert_int_equal(filter.since_ns, NOW_REALTIME_NS + 250 * MS);
		}
	}
}

static void refused(void **state)
{
	static const struct {
		int option;
		const char *value;
	} cases[] = {
		{ FILTER_SINCE, "10" }, { FILTER_UNTIL, "soon" }, { FILTER_CPU, "" },
		{ FILTER_CPU, "3-1" }, { FILTER_CPU, "1," }, { FILTER_CPU, "all" },
		{ FILTER_CPU, "-1" }, { FILTER_CPU, "99999999999" }, { FILTER_CLASS, "" },
		{ FILTER_CLASS, "hardirq" }, { FILTER_CLASS, "unknown," }, { FILTER_MIN, "50" },
		{ FILTER_MIN, "2m" }, { FILTER_NEWEST, "0" }, { FILTER_NEWEST, "-3" },
		{ FILTER_NEWEST, "few" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		renew();
		assert_int_equal(filter_option(&filter, cases[i].option, cases[i].value),
				 EXIT_USAGE);
	}
}

#define test_filter(test)	cmocka_unit_test_setup_teardown(test, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_filter(watched),
		test_filter(absent),
		test_filter(absent_cut),
		test_filter(absent_in_part),
		test_filter(offline_in_part),
		test_filter(put_back),
		test_filter(sorted_and_whole),
		test_filter(open_comes_last),
		test_filter(each),
		test_filter(together),
		test_filter(by_name),
		test_filter(no_such_name),
		test_filter(no_such_name_yet),
		test_filter(busy),
		test_filter(lost_or_cleared),
		test_filter(ranges),
		test_filter(stamps),
		test_filter(refused),
	};

	return cmocka_run_group_tests_name("filter", tests, NULL, NULL);
}
