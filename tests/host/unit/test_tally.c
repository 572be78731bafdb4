// SPDX-License-Identifier: GPL-2.0-only
/* An agent's counters: each record once, over ends of the agent and loads of the module. */
#include "page.h"

#include "agent/metrics.h"
#include "agent/tally.h"

#define BOOT	"6421b76b-5162-47ac-a93e-b75cb5adba76"

static struct tally tally;
static struct causes causes;
static struct model module;

/* a follower begins with this load, whose CPU 0 had made some records */
static void instance(__u64 number, __u64 made)
{
	struct followed cpu = { .cpu = 0, .lost_from = made };
	const struct follow follow = { .instance = number, .cpus = &cpu, .ncpus = 1 };

	tally_instance(&tally, &follow);
}

static int begin(void **state)
{
	causes.rows = alloc(2, sizeof(*causes.rows));
	causes.rows[0] = (struct cause){ .id = copy_text("one"), .stall = true };
	causes.rows[1] = (struct cause){ .id = copy_text("two"), .stall = true };
	causes.count = 2;
	tally_begin(&tally, BOOT, "1.2.3");
	tally_name_causes(&tally, &causes);
	instance(7, 0);
	module = (struct model){ .config = { .instance = 7, .now_ns = NOW_NS,
					     .realtime_ns = NOW_REALTIME_NS } };
	return 0;
}

static int end(void **state)
{
	tally_free(&tally);
	causes_free(&causes);
	model_free(&module);
	return 0;
}

/* a record that ended so many ms ago */
static bool take(__u32 cpu, __u64 seq, enum tio_class class, __u64 ms, __u64 ago_ms,
		 const struct cause *cause)
{
	const struct entry entry = {
		.rec = { .cpu = cpu, .seq = seq, .min_ns = ms * MS,
			 .end_ns = NOW_NS - ago_ms * MS },
		.found.verdict.class = class,
	};

	return tally_take(&tally, &module, &entry, cause);
}

static __u64 counted(void)
{
	__u64 sum = 0;

	for (unsigned int i = 0; i < TIO_CLASSES; i++)
		sum += tally.classes[i].stalls;
	return sum;
}

static __u64 produced(void)
{
	__u64 sum = 0;

	for (size_t i = 0; i < tally.next.ncursors; i++)
		sum += tally.next.cursors[i].seq;
	return sum;
}

static void each_once(void **state)
{
	assert_true(take(0, 0, TIO_CLASS_HARDIRQ_OFF, 20, 500, &causes.rows[0]));
	assert_true(take(0, 1, TIO_CLASS_HARDIRQ_OFF, 30, 400, NULL));
	assert_true(take(3, 0, TIO_CLASS_SOFTIRQ_LONG, 150, 300, &causes.rows[1]));
	/* the agent begins again, and the module has them still */
	assert_false(take(0, 0, TIO_CLASS_HARDIRQ_OFF, 20, 500, &causes.rows[0]));
	assert_false(take(3, 0, TIO_CLASS_SOFTIRQ_LONG, 150, 300, &causes.rows[1]));
	assert_int_equal(tally.classes[TIO_CLASS_HARDIRQ_OFF].stalls, 2);
	assert_int_equal(tally.classes[TIO_CLASS_HARDIRQ_OFF].stalled_ns, 50 * MS);
	assert_int_equal(tally.classes[TIO_CLASS_SOFTIRQ_LONG].stalls, 1);
	assert_int_equal(tally.causes[0].stalls, 1);
	assert_int_equal(tally.causes[1].stalls, 1);
	assert_int_equal(tally.other, 1);
	assert_int_equal(tally.longs, 1);
	assert_int_equal(tally.lost + tally.cleared, 0);
	assert_int_equal(counted(), produced());
}

/* as many as were cleared since then are not lost */
static void tells_lost_from_cleared(void **state)
{
	const struct entry later = { .rec = { .cpu = 0, .seq = 9 } };

	take(0, 0, TIO_CLASS_STOLEN, 20, 900, NULL);
	assert_true(tally_misses(&tally, &later));
	take(0, 5, TIO_CLASS_STOLEN, 20, 800, NULL);
	assert_int_equal(tally.lost, 4);
	assert_int_equal(tally.lost_ns, NOW_NS - 800 * MS);
	*model_add_counters(&module) = (struct cpu_counters){ .cpu = 0, .cleared = 3 };
	take(0, 10, TIO_CLASS_STOLEN, 20, 700, NULL);
	assert_int_equal(tally.cleared, 3);
	assert_int_equal(tally.lost, 5);
	/* these are used up */
	take(0, 12, TIO_CLASS_STOLEN, 20, 600, NULL);
	assert_int_equal(tally.cleared, 3);
	assert_int_equal(tally.lost, 6);
	module.counters[0].cleared = 50;
	take(0, 14, TIO_CLASS_STOLEN, 20, 500, NULL);
	assert_int_equal(tally.cleared, 4);
	assert_int_equal(tally.lost, 6);
	assert_int_equal(counted() + tally.lost + tally.cleared, produced());
}

static void another_load_adds_up(void **state)
{
	struct cpu_histograms *histograms = model_add_histograms(&module);

	histograms->loaded.hard = (struct tio_histogram){
		.count = 2, .sum_ns = 50, .buckets[5] = 2,
	};
	module.config.watched = copy_text("0-3");
	module.config.online = copy_text("0-7");
	take(0, 0, TIO_CLASS_STOLEN, 20, 900, NULL);
	tally_module(&tally, &module);
	assert_int_equal(tally.module.watched_cpus, 0);
	assert_int_equal(tally.online_cpus, 8);
	module.config.enabled = true;
	tally_module(&tally, &module);
	assert_int_equal(tally.module.watched_cpus, 4);
	assert_int_equal(tally.now.hard.count, 2);
	/* a metric does not fall where somebody drops records */
	histograms->cleared_ns = 3;
	tally_module(&tally, &module);
	assert_int_equal(tally.now.hard.count, 2);
	/* what a follower did not see of a later load is lost all the same */
	instance(8, 5);
	assert_int_equal(tally.before.hard.count, 2);
	assert_int_equal(tally.now.hard.count, 0);
	assert_true(take(0, 0, TIO_CLASS_STOLEN, 20, 100, NULL));
	assert_int_equal(tally.classes[TIO_CLASS_STOLEN].stalls, 2);
	tally_module(&tally, &module);
	tally_module(&tally, &module);
	assert_int_equal(tally.before.hard.count + tally.now.hard.count, 4);
}

/* an open stall is remembered for as long as it goes on, and counts once it has ended */
static void open_counts_later(void **state)
{
	struct entry *entry = model_add_entry(&module, TIO_SAMPLES), *shorter;

	entry->rec = (struct tio_record){ .cpu = 2, .open = true, .min_ns = 1500 * MS,
					  .end_ns = NOW_NS };
	entry->found.verdict.class = TIO_CLASS_HARDIRQ_OFF;
	shorter = model_add_entry(&module, TIO_SAMPLES);
	shorter->rec = (struct tio_record){ .cpu = 3, .open = true, .min_ns = 999 * MS,
					    .end_ns = NOW_NS };
	assert_false(tally_take(&tally, &module, entry, NULL));
	assert_int_equal(counted(), 0);
	tally_look(&tally, &module, 1000 * MS);
	assert_int_equal(tally.nopen, 1);
	assert_int_equal(tally.open[0].cpu, 2);
	assert_int_equal(tally.open[0].start_ns, NOW_NS - 1500 * MS);
	entry->rec.open = false;
	tally_look(&tally, &module, 1000 * MS);
	assert_int_equal(tally.nopen, 0);
}

/* what is overwritten after all was counted is lost, whatever was cleared before */
static void cleared_is_used_up(void **state)
{
	for (__u64 seq = 0; seq < 5; seq++)
		take(0, seq, TIO_CLASS_STOLEN, 20, 900 - seq, NULL);
	*model_add_counters(&module) = (struct cpu_counters){ .produced = 5, .cleared = 5 };
	tally_module(&tally, &module);
	module.counters[0].produced = 9;
	take(0, 8, TIO_CLASS_STOLEN, 20, 100, NULL);
	assert_int_equal(tally.lost, 3);
	assert_int_equal(tally.cleared, 0);
}

/* counters that begin later than the module, or anew, miss nothing of before */
static void begins_in_the_midst(void **state)
{
	tally_free(&tally);
	tally_begin(&tally, BOOT, "1.2.3");
	instance(9, 100);
	take(0, 36, TIO_CLASS_STOLEN, 20, 900, NULL);
	take(0, 99, TIO_CLASS_STOLEN, 20, 800, NULL);
	assert_int_equal(tally.lost, 0);
	assert_int_equal(tally.lost_ns, 0);
	assert_int_equal(tally.uncounted, 98);
	take(0, 102, TIO_CLASS_STOLEN, 20, 700, NULL);
	assert_int_equal(tally.lost, 2);
	assert_int_equal(counted() + tally.lost + tally.uncounted, produced());
}

/* a threshold that was higher a while ago, or a CPU that nobody knows of: not watched like this */
static void watched_as_it_is_now(void **state)
{
	struct cpu_counters *other;

	*model_add_counters(&module) = (struct cpu_counters){
		.cpu = 0, .watched = true, .watched_ns = 100, .settled_ns = 300,
	};
	other = model_add_counters(&module);
	*other = (struct cpu_counters){
		.cpu = 1, .watched = true, .watched_ns = 200, .settled_ns = 100,
	};
	tally_module(&tally, &module);
	assert_int_equal(tally.module.watched_ns, 300);
	module.counters[1].settled_ns = 0;
	tally_module(&tally, &module);
	assert_int_equal(tally.module.watched_ns, 0);
	module.counters[1].watched = false;
	tally_module(&tally, &module);
	assert_int_equal(tally.module.watched_ns, 300);
}

#define MANY	80

/* too many have no counter of their own */
static void many_causes(void **state)
{
	struct causes many = { 0 };
	char id[16];

	many.rows = alloc(MANY, sizeof(*many.rows));
	for (unsigned int i = 0; i < MANY; i++) {
		snprintf(id, sizeof(id), "cause-%u", i);
		many.rows[many.count++] = (struct cause){ .id = copy_text(id), .stall = i != 3 };
	}
	tally_name_causes(&tally, &many);
	assert_int_equal(tally.ncauses, TALLY_CAUSES);
	/* after one and two: all but the third, which has no signature */
	assert_string_equal(tally.causes[TALLY_CAUSES - 1].id, "cause-62");
	take(0, 0, TIO_CLASS_STOLEN, 20, 900, &many.rows[MANY - 10]);
	assert_int_equal(tally.other, 1);
	for (unsigned int i = 0; i < MANY; i++)
		free(many.rows[i].id);
	free(many.rows);
}

/* what the tests of output and of the file have */
static void fill(void)
{
	*model_add_counters(&module) = (struct cpu_counters){
		.cpu = 0, .watched = true, .watched_ns = 5, .settled_ns = 6,
		.cost_known = true, .cost_ppm = 574,
	};
	model_add_histograms(&module)->loaded.soft = (struct tio_histogram){
		.buckets = { [9] = 3, [10] = 2, [17] = 1, [27] = 1 }, .count = 7,
		.sum_ns = 134218000123456ULL, .max_ns = 134217728000000ULL,
	};
	module.config.enabled = true;
	module.config.threshold_us = 10000;
	module.config.period_us = 1000;
	module.config.watched = copy_text("0-2");
	module.config.online = copy_text("0-3");
	fill_text(module.config.module_version, sizeof(module.config.module_version), "1.2.2");
	take(0, 2, TIO_CLASS_HARDIRQ_OFF, 20, 5000, &causes.rows[0]);
	take(1, 0, TIO_CLASS_SOFTIRQ_LONG, 150, 4000, &causes.rows[1]);
	take(1, 1, TIO_CLASS_SOFTIRQ_LONG, 15, 3000, NULL);
	tally_module(&tally, &module);
	tally.running = true;
	tally.updated_ns = NOW_NS;
	tally.interval_ns = 60000 * MS;
}

static void assert_metrics(const char *golden, enum metrics_format format, __u64 now_ns)
{
	char *printed = NULL;
	size_t size;
	FILE *to = open_memstream(&printed, &size);
	unsigned int series = 0;

	metrics_print(to, &tally, now_ns, format);
	fflush(to);
	for (char *line = printed; *line; line = strchr(line, '\n') + 1)
		series += *line != '#';
	assert_in_range(series, 50, 120 - (TALLY_CAUSES - tally.ncauses));
	assert_golden(golden, to, &printed);
}

static void prints_metrics(void **state)
{
	fill();
	assert_metrics("metrics.prom", METRICS_TEXT, NOW_NS + 1000 * MS);
	assert_metrics("metrics.openmetrics", METRICS_OPENMETRICS, NOW_NS + 1000 * MS);
}

/* a 1 of irqoff_up is true */
static void knows_when_it_is_up(void **state)
{
	fill();
	assert_true(tally_up(&tally, NOW_NS + 129000 * MS));
	assert_false(tally_up(&tally, NOW_NS + 131000 * MS));
	tally.running = false;
	assert_false(tally_up(&tally, NOW_NS));
	tally.running = true;
	tally.module.enabled = false;
	assert_false(tally_up(&tally, NOW_NS));
	tally_gone(&tally, "0-3");
	assert_false(tally_up(&tally, NOW_NS));
	assert_metrics("metrics-gone.prom", METRICS_TEXT, NOW_NS);
}

/* programs of other versions read it */
static void assert_file(const char *text)
{
	char *printed = NULL;
	size_t size;
	FILE *to = open_memstream(&printed, &size);

	fputs(text, to);
	assert_golden("state", to, &printed);
}

static void is_read_as_it_was_written(void **state)
{
	struct tally read;
	char *once, *twice;

	fill();
	instance(0xfedcba9876543210ULL, 0);
	tally_module(&tally, &module);
	model_add_entry(&module, TIO_SAMPLES)->rec = (struct tio_record){
		.cpu = 2, .open = true, .min_ns = 5, .end_ns = NOW_NS,
	};
	tally_look(&tally, &module, 5);
	take(5, 3, TIO_CLASS_STOLEN, 2000, 2, NULL);
	once = tally_print(&tally);
	assert_file(once);
	assert_true(tally_parse(&read, once));
	twice = tally_print(&read);
	assert_string_equal(once, twice);
	assert_int_equal(read.next.instance, 0xfedcba9876543210ULL);
	free(twice);
	tally_free(&read);
	/* whatever is cut off or changed, it is no such file, and harms nothing */
	for (size_t len = strlen(once) - 2; len; len--) {
		once[len] = '\0';
		assert_false(tally_parse(&read, once));
		tally_free(&read);
	}
	free(once);
}

static void refuses(const char *from, const char *to)
{
	char *whole = tally_print(&tally), *at = strstr(whole, from), *changed;
	struct tally read;

	assert_non_null(at);
	changed = print_text("%.*s%s%s", (int)(at - whole), whole, to, at + strlen(from));
	assert_false(tally_parse(&read, changed));
	tally_free(&read);
	free(changed);
	free(whole);
}

static void refuses_others(void **state)
{
	fill();
	refuses("\"format\":1", "\"format\":2");
	refuses("\"lost\":2", "\"lost\":-2");
	refuses("\"lost\":2", "\"lost\":\"2\"");
	refuses("\"classes\":{", "\"classes\":[{");
	refuses("\"stolen\":{", "\"taken\":{");
	refuses("\"buckets\":[0,", "\"buckets\":[");
	refuses("\"longest\":[[", "\"longest\":[1,[");
	refuses("\"causes\":{\"one\":1", "\"causes\":{\"one\":null");
	refuses("\"causes\":{\"one\":1", "\"causes\":{\"o\\\"ne\":1");
	refuses("\"open\":[]", "\"open\":[[1,99,2]]");
	refuses("\"version\":\"1.2.3\"", "\"version\":\"1\\n2\"");
}

#define test_tally(test)	cmocka_unit_test_setup_teardown(test, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_tally(each_once),
		test_tally(tells_lost_from_cleared),
		test_tally(another_load_adds_up),
		test_tally(open_counts_later),
		test_tally(cleared_is_used_up),
		test_tally(begins_in_the_midst),
		test_tally(watched_as_it_is_now),
		test_tally(many_causes),
		test_tally(prints_metrics),
		test_tally(knows_when_it_is_up),
		test_tally(is_read_as_it_was_written),
		test_tally(refuses_others),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
