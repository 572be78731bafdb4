// SPDX-License-Identifier: GPL-2.0-only
/* Captures of several nodes, merged. */
#include "page.h"

#include <unistd.h>

#include "base/sequence_set.h"
#include "group/fleet.h"
#include "wire.h"

static char dir[32];
static char *paths[64];
static struct inputs inputs;
static struct fleet fleet;

static int open_dir(void **state)
{
	strcpy(dir, "/tmp/irqoff-test-XXXXXX");
	return mkdtemp(dir) ? 0 : -1;
}

static int close_dir(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(paths) && paths[i]; i++) {
		unlink(paths[i]);
		free(paths[i]);
		paths[i] = NULL;
	}
	fleet_free(&fleet);
	inputs_free(&inputs);
	rmdir(dir);
	return 0;
}

#define test_dir(test)	cmocka_unit_test_setup_teardown(test, open_dir, close_dir)

/* writes a capture of the collection, and frees it */
static void save(struct collection *from)
{
	size_t len, i = inputs.count;
	char *bytes = wire_capture(from, false, &len);
	FILE *file;

	paths[i] = print_text("%s/%zu", dir, i);
	file = fopen(paths[i], "w");
	assert_int_equal(fwrite(bytes, 1, len, file), len);
	fclose(file);
	inputs_add(&inputs, paths[i]);
	free(bytes);
	collect_free(from);
}

/* a node that holds its own load of the module */
static void begin_node(struct collection *node, unsigned int number, const char *release)
{
	struct machine *machine = &node->model.machine;

	fixture_begin(node);
	snprintf(machine->host, sizeof(machine->host), "node-%u", number);
	snprintf(machine->boot_id, sizeof(machine->boot_id), "boot-%u", number);
	snprintf(machine->release, sizeof(machine->release), "%s", release);
	node->model.config.instance = number;
	node->model.config.enabled_ns = NOW_NS - 600000 * MS;
	for (size_t i = 0; i < node->model.ncounters; i++)
		node->model.counters[i].produced = 0;
	node->model.counters[0].lost = 0;
	node->model.counters[0].cleared = 0;
}

static void add_culprit(struct collection *node, __u64 seq, __u64 end_ns, __u64 min_ns, __u64 at)
{
	struct entry *entry = add_asked(&node->model, 0, seq, end_ns, min_ns, 0);

	set_stack(&entry->rec.samples[0], AT_DELAY_TSC + 0x11, at, 0ULL);
	set_stack(&entry->rec.end, AT_SPIN_UNLOCK + 0x15, at, 0ULL);
}

/* the captures are read in the order that was given and in the other one */
static void read_both_ways(__u64 wanted)
{
	struct filter filter = { .until_ns = ~0ULL };

	for (int i = 0; i < 2; i++) {
		fleet_free(&fleet);
		assert_int_equal(fleet_read(&fleet, &inputs, &filter, SUMMARY_BY_DEFAULT,
					    SUMMARY_TOTAL), EXIT_DONE);
		assert_int_equal(fleet.stalls, wanted);
		for (size_t k = 0; k < inputs.count / 2; k++) {
			const char *path = inputs.paths[k];

			inputs.paths[k] = inputs.paths[inputs.count - 1 - k];
			inputs.paths[inputs.count - 1 - k] = path;
		}
	}
}

static const struct group *group_of(const char *culprit)
{
	for (size_t i = 0; i < fleet.summary.ngroups; i++)
		if (fleet.summary.groups[i].best->found.culprit &&
		    !strcmp(fleet.summary.groups[i].best->found.culprit, culprit))
			return &fleet.summary.groups[i];
	fail_msg("there is no %s", culprit);
	return NULL;
}

/* three nodes and two kernels; one of the culprits is on two of them */
static void save_three(void)
{
	struct collection node;

	begin_node(&node, 1, "6.1.0-31-amd64");
	add_culprit(&node, 1, NOW_NS - 90000 * MS, 20 * MS, AT_MEMORY_STAT + 0x100);
	add_culprit(&node, 2, NOW_NS - 80000 * MS, 30 * MS, AT_MEMORY_STAT + 0x100);
	save(&node);
	begin_node(&node, 2, "6.1.0-31-amd64");
	node.model.config.realtime_ns += 60000 * MS;
	add_culprit(&node, 1, NOW_NS - 70000 * MS, 25 * MS, AT_MEMORY_STAT + 0x200);
	add_culprit(&node, 2, NOW_NS - 60000 * MS, 15 * MS, AT_FLUSH_COLD + 0x44);
	save(&node);
	begin_node(&node, 3, "6.12.9-amd64");
	add_culprit(&node, 7, NOW_NS - 50000 * MS, 12 * MS, AT_FLUSH_COLD + 0x44);
	save(&node);
}

static void which_nodes_saw_it(void **state)
{
	const struct group *stat, *flush;

	save_three();
	read_both_ways(5);
	assert_int_equal(fleet.captures, 3);
	assert_int_equal(places_nodes(&fleet.places, NULL), 3);
	stat = group_of("memory_stat_format");
	flush = group_of("cgroup_rstat_flush_locked");
	assert_int_equal(stat->count, 3);
	assert_int_equal(places_nodes(&fleet.places, &stat->places), 2);
	assert_int_equal(flush->count, 2);
	assert_int_equal(places_nodes(&fleet.places, &flush->places), 2);
	/* 10 minutes each; node 2's clock is a minute ahead, so its stall is the newest */
	assert_int_equal(fleet.window.nodes_ns, 3 * 600000 * MS);
	assert_int_equal(stat->best->rec.min_ns, 25 * MS);
}

static void print_fleet(bool json, const char *golden)
{
	char *printed = NULL;
	size_t size;
	struct page whole = {
		.model = &fleet.all,
		.fleet = &fleet,
		.window = fleet.window,
		.screen.width = 80,
		.verbose = true,
		.out = open_memstream(&printed, &size),
	};

	fleet_select(&whole.columns, SUMMARY_BY_DEFAULT, fleet.summary.victims, NULL);
	if (json)
		json_fleet(&whole, &fleet.summary);
	else
		text_fleet(&whole, &fleet.summary);
	assert_golden(golden, whole.out, &printed);
}

static void prints(void **state)
{
	save_three();
	read_both_ways(5);
	print_fleet(false, "report-merged.txt");
	print_fleet(true, "merged.json");
}

/* a later capture of the same load has some records again, and has lost others */
static void counts_once(void **state)
{
	struct collection node;

	for (unsigned int i = 0; i < 3; i++) {
		begin_node(&node, 1, "6.1.0-31-amd64");
		node.model.config.now_ns += i * 300000 * MS;
		node.model.config.realtime_ns += i * 300000 * MS;
		node.model.counters[0].lost = i * 2;
		node.model.counters[0].produced = i * 2 + 4;
		for (unsigned int k = 0; k < 4; k++)
			add_culprit(&node, 2 * i + k,
				    NOW_NS - 400000 * MS + (2 * i + k) * 100000 * MS, 20 * MS,
				    AT_MEMORY_STAT + 0x100);
		save(&node);
	}
	read_both_ways(8);
	assert_int_equal(fleet.records, 8);
	/* the older captures have what was overwritten */
	assert_int_equal(fleet.lost, 0);
	assert_int_equal(places_nodes(&fleet.places, NULL), 1);
	assert_int_equal(group_of("memory_stat_format")->count, 8);
	/* from 10 minutes before the first capture to the last one */
	assert_int_equal(fleet.window.nodes_ns, (600000 + 2 * 300000) * MS);
}

/* what a clear dropped, an older capture has; what was overwritten since then, none has */
static void loses_behind_a_clear(void **state)
{
	struct collection node;

	for (unsigned int i = 0; i < 2; i++) {
		begin_node(&node, 1, "6.1.0-31-amd64");
		node.model.config.realtime_ns += i * 300000 * MS;
		node.model.counters[0].produced = i ? 10 : 4;
		node.model.counters[0].cleared = i ? 4 : 0;
		node.model.counters[0].lost = i ? 3 : 0;
		for (unsigned int k = i ? 7 : 0; k < (i ? 10 : 4); k++)
			add_culprit(&node, k, NOW_NS - (20 - k) * 1000 * MS, 20 * MS,
				    AT_MEMORY_STAT + 0x100);
		save(&node);
	}
	read_both_ways(7);
	assert_int_equal(fleet.lost, 3);
}

/* the same numbers of another boot, or of another load, are other records */
static void other_loads(void **state)
{
	struct collection node;

	for (unsigned int i = 0; i < 3; i++) {
		begin_node(&node, 1, i == 2 ? "6.12.9-amd64" : "6.1.0-31-amd64");
		node.model.config.instance = i == 1 ? 77 : 1;
		if (i == 2)
			strcpy(node.model.machine.boot_id, "next boot");
		add_culprit(&node, 1, NOW_NS - 10000 * MS, 20 * MS, AT_MEMORY_STAT + 0x100);
		save(&node);
	}
	read_both_ways(3);
	/* it is one node, which ran two kernels */
	assert_int_equal(places_nodes(&fleet.places, NULL), 1);
	assert_int_equal(places_under(&fleet.places, NULL, 0), 1);
	assert_int_equal(places_under(&fleet.places, NULL, 1), 1);
}

/* an open stall counts in the last capture, which has it or the record that it became */
static void open_stalls(void **state)
{
	struct collection node;

	for (unsigned int i = 0; i < 2; i++) {
		begin_node(&node, 1, "6.1.0-31-amd64");
		node.model.config.now_ns += i * 1000 * MS;
		node.model.config.realtime_ns += i * 1000 * MS;
		add_culprit(&node, 0, NOW_NS + i * 1000 * MS, 20 * MS, AT_MEMORY_STAT + 0x100);
		node.model.entries[0]->rec.open = !i;
		save(&node);
	}
	read_both_ways(1);
	assert_int_equal(fleet.open_left_out, 1);
}

/* memory is for groups: records that stand for none are gone when the next capture is read */
static void keeps_one_record_a_group(void **state)
{
	struct collection node;
	size_t kept = 0;

	for (unsigned int i = 0; i < 20; i++) {
		begin_node(&node, i, "6.1.0-31-amd64");
		for (unsigned int k = 0; k < 30; k++)
			add_culprit(&node, k, NOW_NS - 30000 * MS + (k + i) * 30 * MS, 20 * MS,
				    k % 2 ? AT_MEMORY_STAT + 0x100 : AT_FLUSH_COLD + 0x44);
		save(&node);
	}
	read_both_ways(600);
	for (size_t i = 0; i < fleet.nkept; i++)
		kept += fleet.kept[i]->model.nentries + fleet.kept[i]->model.ndropped;
	assert_int_equal(fleet.summary.ngroups, 2);
	assert_int_equal(kept, 2);
	assert_in_range(fleet.nkept, 1, 2);
}

/* victims are counted under the stall that they waited for, on its node */
static void victims(void **state)
{
	struct collection node;
	__u64 count = 0, with_victims = 0;

	for (unsigned int i = 0; i < 2; i++) {
		fixture_collect_victims(&node);
		node.model.config.instance = i;
		snprintf(node.model.machine.host, sizeof(node.model.machine.host), "n%u", i);
		for (size_t k = 0; !i && k < node.model.nentries; k++)
			with_victims += !!node.model.entries[k]->found.waits_for;
		save(&node);
	}
	assert_true(with_victims > 0);
	{
		struct filter filter = { .until_ns = ~0ULL };

		assert_int_equal(fleet_read(&fleet, &inputs, &filter, SUMMARY_BY_DEFAULT,
					    SUMMARY_TOTAL), EXIT_DONE);
	}
	for (size_t i = 0; i < fleet.summary.ngroups; i++)
		count += group_victims(&fleet.summary.groups[i])->seen.count;
	assert_int_equal(count, 2 * with_victims);
}

static void add(struct sequence_set *numbers, __u64 number, bool wanted)
{
	assert_int_equal(sequence_set_add(numbers, number % 3, number), wanted);
}

static void numbers_are_known(void **state)
{
	struct sequence_set numbers = { 0 };

	for (__u64 i = 0; i < 300; i += 2)
		add(&numbers, i, true);
	for (__u64 i = 299; i < 300; i -= 2)
		add(&numbers, i, true);
	for (__u64 i = 0; i < 300; i++)
		add(&numbers, i, false);
	assert_int_equal(numbers.count, 300);
	add(&numbers, ~0ULL, true);
	add(&numbers, ~0ULL, false);
	sequence_set_free(&numbers);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_dir(which_nodes_saw_it),
		test_dir(prints),
		test_dir(counts_once),
		test_dir(loses_behind_a_clear),
		test_dir(other_loads),
		test_dir(open_stalls),
		test_dir(keeps_one_record_a_group),
		test_dir(victims),
		cmocka_unit_test(numbers_are_known),
	};

	return cmocka_run_group_tests_name("fleet", tests, NULL, NULL);
}
