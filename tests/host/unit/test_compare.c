// SPDX-License-Identifier: GPL-2.0-only
/* Captures before a change and after it. */
#include "page.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "capture/capture_meta.h"
#include "capture/capture_write.h"
#include "group/comparison.h"
#include "wire.h"

#define SECOND	(1000 * MS)
#define NODES	6
#define MOST	64

static char dir[32];
static char *paths[MOST];
static size_t npaths;
static struct inputs sides[SIDES];
static struct filter filter;
static struct comparison comparison;

static int open_dir(void **state)
{
	strcpy(dir, "/tmp/irqoff-test-XXXXXX");
	filter = (struct filter){ .until_ns = ~0ULL };
	return mkdtemp(dir) ? 0 : -1;
}

static int close_dir(void **state)
{
	while (npaths) {
		unlink(paths[--npaths]);
		free(paths[npaths]);
	}
	comparison_free(&comparison);
	inputs_free(&sides[BEFORE]);
	inputs_free(&sides[AFTER]);
	rmdir(dir);
	return 0;
}

#define test_dir(test)	cmocka_unit_test_setup_teardown(test, open_dir, close_dir)

/* a node that was watched for an hour, with its own load of the module; CPU 0 has all stalls */
static void begin_node(struct collection *node, unsigned int number)
{
	struct model *model = &node->model;

	fixture_begin(node);
	snprintf(model->machine.host, sizeof(model->machine.host), "node-%u", number);
	snprintf(model->machine.boot_id, sizeof(model->machine.boot_id), "boot-%u", number);
	model->config.instance = number;
	model->config.enabled_ns = NOW_NS - 3600 * SECOND;
	for (size_t i = 0; i < model->ncounters; i++)
		model->counters[i] = (struct cpu_counters){ .cpu = i, .watched = true };
}

static struct entry *add(struct collection *node, __u64 min_ns, __u64 at)
{
	struct cpu_counters *counters = &node->model.counters[0];
	struct entry *entry = add_asked(&node->model, 0, counters->produced,
					NOW_NS - 3000 * SECOND + counters->produced * SECOND,
					min_ns, 0);

	set_stack(&entry->rec.samples[0], AT_DELAY_TSC + 0x11, at + 0x44, 0ULL);
	set_stack(&entry->rec.end, AT_SPIN_UNLOCK + 0x15, at + 0x44, 0ULL);
	counters->produced++;
	counters->kept++;
	return entry;
}

static void add_many(struct collection *node, unsigned int count, __u64 at)
{
	while (count--)
		add(node, 20 * MS, at);
}

/* writes a capture of the collection, and frees it */
static void save(struct collection *from, unsigned int side)
{
	size_t len;
	char *bytes = wire_capture(from, false, &len);
	FILE *file;

	assert_in_range(npaths, 0, MOST - 1);
	paths[npaths] = print_text("%s/%zu", dir, npaths);
	file = fopen(paths[npaths], "w");
	assert_int_equal(fwrite(bytes, 1, len, file), len);
	fclose(file);
	inputs_add(&sides[side], paths[npaths++]);
	free(bytes);
	collect_free(from);
}

/* one culprit got worse, one better, one stays, one is new; nodes differ */
static void save_sides(unsigned int nodes)
{
	static const unsigned int part[NODES] = { 8, 10, 13, 9, 12, 7 };

	for (unsigned int i = 0; i < SIDES * nodes; i++) {
		unsigned int n = part[i % nodes], side = i / nodes;
		struct collection node;

		begin_node(&node, i);
		add_many(&node, n * (side ? 5 : 1), AT_MEMORY_STAT);
		add_many(&node, n * (side ? 1 : 4), AT_FLUSH_COLD);
		add_many(&node, n + (i * 7) % 5, AT_SYSCALL);
		add_many(&node, side ? n : 0, AT_PAGE_FAULT);
		save(&node, side);
	}
}

static int read_all(void)
{
	int ret;

	comparison_free(&comparison);
	ret = comparison_read(&comparison, &sides[BEFORE], &sides[AFTER], &filter,
			      SUMMARY_BY_DEFAULT);
	comparison_judge(&comparison);
	return ret;
}

static const struct compared *group_of(const char *culprit)
{
	for (size_t i = 0; i < comparison.ngroups; i++)
		if (!strcmp(comparison.groups[i]->texts[SUMMARY_CULPRIT], culprit))
			return comparison.groups[i];
	return NULL;
}

/* who waits for a lock is not blamed, and no row has it */
static void waits_for_a_lock(void **state)
{
	for (unsigned int side = 0; side < SIDES; side++) {
		struct collection node;

		begin_node(&node, side);
		add_many(&node, 3, AT_FLUSH_COLD);
		for (unsigned int i = 0; i < 5; i++)
			set_lock(&add(&node, 20 * MS, AT_MEMORY_STAT)->rec.samples[0],
				 TRACE_IRQOFF_LOCK_SPIN, ALLOCATED);
		save(&node, side);
	}
	assert_int_equal(read_all(), EXIT_DONE);
	for (unsigned int side = 0; side < SIDES; side++) {
		assert_int_equal(comparison.sides[side].stalls, 3);
		assert_int_equal(comparison.sides[side].blameless, 5);
	}
	assert_int_equal(comparison.ngroups, 1);
	assert_null(group_of("memory_stat_format"));
}

static void assert_cannot_tell(const char *why)
{
	assert_int_equal(read_all(), EXIT_DONE);
	assert_non_null(comparison.cannot_tell);
	assert_string_equal(comparison.cannot_tell, why);
}

static void what_got_worse(void **state)
{
	const struct compared *group;

	save_sides(NODES);
	assert_int_equal(read_all(), EXIT_DONE);
	assert_null(comparison.cannot_tell);
	assert_int_equal(comparison.sides[AFTER].nodes, NODES);
	/* two CPUs for an hour on each node */
	assert_int_equal(comparison.sides[AFTER].all_ns, NODES * 2 * 3600 * SECOND);
	group = group_of("memory_stat_format");
	assert_int_equal(group->counts[BEFORE], 59);
	assert_int_equal(group->counts[AFTER], 295);
	assert_int_equal(group->seen_on[AFTER], NODES);
	assert_true(group->ratio.ratio > 4.99 && group->ratio.ratio < 5.01);
	assert_int_equal(group->verdict, VERDICT_WORSE);
	assert_int_equal(group_of("cgroup_rstat_flush_locked")->verdict,
			 VERDICT_BETTER);
	assert_int_equal(comparison.verdicts[VERDICT_WORSE], 2);
	assert_int_equal(comparison.verdicts[VERDICT_BETTER], 1);
	assert_int_equal(comparison.verdicts[VERDICT_SAME], 1);
	assert_int_equal(comparison.groups[1]->verdict, VERDICT_WORSE);
}

static void print(bool json, const char *golden)
{
	char *printed = NULL;
	size_t size;
	struct page page = { .screen.width = 80, .out = open_memstream(&printed, &size) };

	read_all();
	compare_select(&page.columns, SUMMARY_BY_DEFAULT);
	if (json)
		json_compare(&page, &comparison);
	else
		text_compare(&page, &comparison);
	assert_golden(golden, page.out, &printed);
}

static void prints(void **state)
{
	save_sides(NODES);
	print(false, "compare.txt");
	print(true, "compare.json");
}

static void prints_what_it_cannot_tell(void **state)
{
	save_sides(2);
	print(false, "compare-few.txt");
	print(true, "compare-few.json");
}

/* how much nodes differ is not known of two */
static void few_nodes(void **state)
{
	save_sides(2);
	assert_cannot_tell("the baseline has 2 nodes and needs at least 3; "
			   "add captures of other nodes");
}

/* of a node that was seen twice there is one, though its captures are two */
static void captures_of_a_node(void **state)
{
	struct collection node;

	save_sides(NODES);
	begin_node(&node, 0);
	add_many(&node, 90, AT_MEMORY_STAT);
	/* half an hour later the same load has all that it had, and one stall more */
	node.model.config.now_ns += 1800 * SECOND;
	node.model.config.realtime_ns += 1800 * SECOND;
	add(&node, 20 * MS, AT_SYSCALL)->rec.end_ns = NOW_NS + 60 * SECOND;
	save(&node, BEFORE);
	assert_int_equal(read_all(), EXIT_DONE);
	assert_int_equal(comparison.sides[BEFORE].nodes, NODES);
	assert_int_equal(comparison.sides[BEFORE].captures, NODES + 1);
	assert_int_equal(group_of("memory_stat_format")->counts[BEFORE], 59);
	assert_int_equal(comparison.sides[BEFORE].all_ns, 2 * (NODES * 3600 + 1800) * SECOND);
}

/* stalls that the other side's threshold would not have recorded do not count */
static void cut_to_the_higher_threshold(void **state)
{
	const struct compared *group;

	for (unsigned int i = 0; i < SIDES * NODES; i++) {
		unsigned int side = i / NODES;
		struct collection node;

		begin_node(&node, i);
		add_many(&node, 10 + i % 3, AT_MEMORY_STAT);
		for (unsigned int k = 0; !side && k < 30; k++)
			add(&node, 3 * MS, AT_MEMORY_STAT)->rec.threshold_ns = 2 * MS;
		node.model.config.threshold_us = side ? 10000 : 2000;
		/* it was higher before, as a record says */
		if (i == NODES)
			add(&node, 60 * MS, AT_SYSCALL)->rec.threshold_ns = 15 * MS;
		save(&node, side);
	}
	assert_int_equal(read_all(), EXIT_DONE);
	assert_int_equal(comparison.threshold_ns, 15 * MS);
	group = group_of("memory_stat_format");
	assert_int_equal(group->counts[BEFORE], group->counts[AFTER]);
	assert_int_equal(group->verdict, VERDICT_SAME);
}

static void lost_records(void **state)
{
	struct collection node;

	save_sides(NODES);
	begin_node(&node, 100);
	add_many(&node, 20, AT_SYSCALL);
	node.model.counters[0].produced += 4;
	save(&node, AFTER);
	assert_int_equal(read_all(), EXIT_DONE);
	assert_null(comparison.cannot_tell);
	assert_int_equal(comparison.sides[AFTER].lost, 4);
	begin_node(&node, 101);
	node.model.counters[0].produced = 4;
	add_many(&node, 1, AT_SYSCALL);
	node.model.counters[0].produced += 40;
	save(&node, AFTER);
	assert_cannot_tell("8.0 % of the records of the compared side are lost, more than 1 %");
}

/* one of ten may be left out, not two of eight */
static void left_out(void **state)
{
	struct collection node;

	save_sides(NODES);
	for (unsigned int i = 0; i < 2; i++) {
		begin_node(&node, 100 + i);
		node.model.counters[0].produced = 9;
		node.model.counters[0].cleared = 9;
		save(&node, BEFORE);
	}
	assert_cannot_tell("2 of 8 captures of the baseline are left out, more than 10 %");
	print(false, "compare-cleared.txt");
}

static void other_periods(void **state)
{
	struct collection node;

	save_sides(NODES);
	begin_node(&node, 100);
	node.model.config.period_us = 4000;
	save(&node, AFTER);
	assert_cannot_tell("periods range from 1 ms to 4 ms, and a shorter one finds more stalls; "
			   "compare captures of one period");
}

/* a side that has the baseline's own time */
static void same_time(void **state)
{
	char *why;

	save_sides(NODES);
	inputs_add(&sides[AFTER], paths[0]);
	why = print_text("%s covers a time that the baseline has of the same node; "
			 "-i takes later captures", paths[0]);
	assert_cannot_tell(why);
	free(why);
}

/* a later capture of the baseline's load counts from where that one ended */
static void later_time(void **state)
{
	struct collection node;

	save_sides(NODES);
	begin_node(&node, 0);
	add_many(&node, 200, AT_PAGE_FAULT);
	node.model.config.now_ns += 600 * SECOND;
	node.model.config.realtime_ns += 600 * SECOND;
	save(&node, AFTER);
	assert_int_equal(read_all(), EXIT_DONE);
	assert_null(comparison.cannot_tell);
	assert_int_equal(comparison.sides[AFTER].all_ns, 2 * (NODES * 3600 + 600) * SECOND);
	assert_int_equal(group_of("asm_exc_page_fault")->counts[AFTER], 59);
}

static void put(struct capture_writer *writer, const struct model *from, unsigned int cmd)
{
	struct messages messages = { 0 };
	const struct nlmsghdr *message = NULL;

	wire_model(&messages, from);
	while ((message = messages_next(&messages, cmd, message))) {
		capture_put(writer, message);
		capture_end_frame(writer);
	}
	messages_free(&messages);
}

/* settings and counters of an hour and two later, and behind them the stalls that they count */
static char *record(size_t *len)
{
	struct capture_writer *writer;
	struct collection node;
	char *bytes = NULL;
	FILE *out = open_memstream(&bytes, len);

	begin_node(&node, 0);
	node.model.config.enabled_ns = NOW_NS - 1800 * SECOND;
	writer = capture_writer(out);
	capture_put_meta(writer, &node.model, false, &(struct resume){ 0 });
	for (unsigned int hour = 0; hour < 3; hour++) {
		model_forget_entries(&node.model);
		if (hour)
			add(&node, 20 * MS, AT_MEMORY_STAT)->rec.end_ns =
				NOW_NS + hour * 3600 * SECOND - 60 * SECOND;
		node.model.config.now_ns = NOW_NS + hour * 3600 * SECOND;
		capture_put_clock(writer, node.model.config.now_ns, node.model.config.now_ns);
		put(writer, &node.model, TRACE_IRQOFF_CMD_CONFIG_GET);
		put(writer, &node.model, TRACE_IRQOFF_CMD_COUNTER_GET);
		put(writer, &node.model, TRACE_IRQOFF_CMD_RECORD_GET);
	}
	assert_true(capture_writer_close(writer));
	fclose(out);
	collect_free(&node);
	return bytes;
}

/* wherever a recorder is, what it has not written yet is neither lost nor a time without stalls */
static void still_written(void **state)
{
	bool left_out = false;
	__u64 most = 0;
	char *bytes;
	size_t len;
	int fd;

	bytes = record(&len);
	paths[npaths] = print_text("%s/%zu", dir, npaths);
	fd = open(paths[npaths], O_RDWR | O_CREAT, 0600);
	inputs_add(&sides[AFTER], paths[npaths++]);
	assert_int_equal(flock(fd, LOCK_EX), 0);
	for (size_t at = 0; at <= len; at++) {
		const struct side_read *side = &comparison.sides[AFTER];

		assert_int_equal(ftruncate(fd, at), 0);
		assert_int_equal(pwrite(fd, bytes, at, 0), at);
		read_all();
		assert_int_equal(side->lost, 0);
		assert_int_equal(side->left_out[WATCHED_UNKNOWN], 0);
		left_out |= side->left_out[WATCHED_DAMAGED];
		/* of two CPUs; each hour has a stall */
		if (side->stalls)
			assert_int_equal(side->all_ns, 2 * 3600 * SECOND * side->stalls);
		else
			assert_true(side->all_ns < 2 * 3600 * SECOND);
		most = side->stalls > most ? side->stalls : most;
	}
	assert_true(left_out);
	assert_int_equal(most, 2);
	close(fd);
	free(bytes);
}

/* filters clip the time as well */
static void filters(void **state)
{
	save_sides(NODES);
	filter.since = "10m";
	assert_int_equal(read_all(), EXIT_DONE);
	assert_int_equal(comparison.sides[BEFORE].all_ns, 2 * NODES * 600 * SECOND);
	assert_int_equal(comparison.sides[BEFORE].stalls, 0);
	assert_int_equal(comparison.ngroups, 0);
	assert_null(comparison.cannot_tell);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_dir(waits_for_a_lock),
		test_dir(what_got_worse),
		test_dir(prints),
		test_dir(prints_what_it_cannot_tell),
		test_dir(few_nodes),
		test_dir(captures_of_a_node),
		test_dir(cut_to_the_higher_threshold),
		test_dir(lost_records),
		test_dir(left_out),
		test_dir(other_periods),
		test_dir(same_time),
		test_dir(later_time),
		test_dir(still_written),
		test_dir(filters),
	};

	return cmocka_run_group_tests_name("compare", tests, NULL, NULL);
}
