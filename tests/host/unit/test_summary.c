// SPDX-License-Identifier: GPL-2.0-only
#include "waiters.h"

#include "group/summary.h"

#define BY(key)	(1U << SUMMARY_##key)

/* groups as lines of "key,key count total longest", in ms */
static void assert_groups(const struct model *model, unsigned int by, enum summary_sort sort,
			  const char *wanted)
{
	struct summary summary;
	char got[1024] = "", buf[64];
	size_t len = 0;

	summary_build(&summary, model, by, sort);
	for (size_t i = 0; i < summary.ngroups; i++) {
		const struct group *group = &summary.groups[i];

		for (unsigned int key = 0; key < SUMMARY_KEYS; key++)
			if (by & 1U << key)
				len += snprintf(got + len, sizeof(got) - len, "%s,",
						summary_key_text(buf, sizeof(buf), group->best,
								 key));
		len += snprintf(got + len, sizeof(got) - len, " %llu %llu %llu\n", group->count,
				group->total_ns / MS, group->longest_ns / MS);
	}
	assert_string_equal(got, wanted);
	summary_free(&summary);
}

static void by_default(void **state)
{
	struct collection collection;

	fixture_collect(&collection);
	assert_groups(&collection.model, SUMMARY_BY_DEFAULT, SUMMARY_TOTAL,
		      "(unknown),stolen, 1 52 52\n"
		      "estimation_timer [ip_vs],softirq-long, 1 45 45\n"
		      "memory_stat_format,hardirq-off, 2 35 20\n"
		      "__schedule,softirq-off, 1 31 31\n"
		      "vring_interrupt,hardirq-long, 1 28 28\n"
		      "memory_stat_format,softirq-off, 1 13 33\n"
		      "(unknown),unknown, 1 12 12\n"
		      /* only its end was seen */
		      "cgroup_rstat_flush_locked,hardirq-off, 1 24 24\n");
	collect_free(&collection);
}

/* 20 of the 33 ms of softirqs off are also the 20 ms of interrupts off */
static void nested_time_once(void **state)
{
	struct collection collection;
	struct summary summary;
	__u64 total_ns = 0;

	fixture_collect(&collection);
	assert_groups(&collection.model, BY(CULPRIT), SUMMARY_TOTAL,
		      "(unknown), 2 64 52\n"
		      "memory_stat_format, 3 48 33\n"
		      "estimation_timer [ip_vs], 1 45 45\n"
		      "__schedule, 1 31 31\n"
		      "vring_interrupt, 1 28 28\n"
		      "cgroup_rstat_flush_locked, 1 24 24\n");
	summary_build(&summary, &collection.model, BY(CPU), SUMMARY_TOTAL);
	for (size_t i = 0; i < summary.ngroups; i++)
		total_ns += summary.groups[i].total_ns;
	assert_int_equal(total_ns, (31 + 24 + 15 + 20 + 33 - 20 + 45 + 12 + 28 + 52) * MS);
	summary_free(&summary);
	collect_free(&collection);
}

/* bounds may make the nested time longer than the stall: its own time is then 0 */
static void own_time_never_wraps(void **state)
{
	struct model model = { 0 };
	struct entry *entry = add_soft(&model, 0, 0, 1000 * MS, 20 * MS, TRACE_IRQOFF_F_BH_OFF);

	entry->rec.nested_ns = 21 * MS;
	assert_groups(&model, BY(CPU), SUMMARY_TOTAL, "0, 1 0 20\n");
	model_free(&model);
}

static void packets(void **state)
{
	struct model model = { 0 };
	struct summary summary;
	struct entry *entry;

	entry = add_soft(&model, 0, 0, 1000 * MS, 20 * MS, TRACE_IRQOFF_F_BH_OFF);
	entry->rec.net.waited = 1;
	entry->rec.net.dropped = 5;
	entry = add_soft(&model, 0, 1, 2000 * MS, 20 * MS, TRACE_IRQOFF_F_BH_OFF);
	entry->rec.net.waited = 1;
	entry->rec.net.dropped = 7;
	add_soft(&model, 0, 2, 3000 * MS, 20 * MS, TRACE_IRQOFF_F_BH_OFF);
	summary_build(&summary, &model, BY(CPU), SUMMARY_TOTAL);
	assert_int_equal(summary.ngroups, 1);
	assert_int_equal(summary.groups[0].packets_waited, 2);
	assert_int_equal(summary.groups[0].packets_dropped, 12);
	summary_free(&summary);
	model_free(&model);
}

static void other_keys(void **state)
{
	struct collection collection;

	fixture_collect(&collection);
	assert_groups(&collection.model, BY(CPU), SUMMARY_COUNT, "1, 5 171 52\n0, 4 69 33\n");
	assert_groups(&collection.model, BY(COMM) | BY(CPU), SUMMARY_LONGEST,
		      "1,innocent, 3 95 52\n1,swapper/1, 2 76 45\n0,swapper/1, 1 13 33\n0,kubelet, 3 56 24\n");
	assert_groups(&collection.model, BY(CLASS), SUMMARY_COUNT,
		      "hardirq-off, 3 59 24\nsoftirq-off, 2 44 33\nhardirq-long, 1 28 28\n"
		      "softirq-long, 1 45 45\nstolen, 1 52 52\nunknown, 1 12 12\n");
	collect_free(&collection);
}

#define POD		"6ba7b810-9dad-11d1-80b4-00c04fd430c8"
#define IN_POD		POD "/2f6b6e2b6f9d0c4a8e1b3d5f708192a3b4c5d6e7f8091a2b3c4d5e6f70819203"
#define IN_DOCKER	"/docker/d6701ec289c56e4391acb11d07474b3139466857a305490575508a8b7a9fcf22"

/* a task outside of containers is not grouped with unknown cgroups */
static void containers(void **state)
{
	struct collection collection;

	fixture_collect(&collection);
	assert_groups(&collection.model, BY(CGROUP), SUMMARY_TOTAL,
		      "(unknown), 3 98 52\n"
		      "/kubepods/burstable/pod" POD ", 1 45 45\n"
		      "/system.slice/kubelet.service, 1 28 28\n"
		      "/kubepods/burstable/pod" IN_POD ", 1 24 24\n"
		      "cgroup:4343 (gone), 1 20 20\n"
		      IN_DOCKER ", 1 13 33\n"
		      "cgroup:4444, 1 12 12\n");
	assert_groups(&collection.model, BY(POD), SUMMARY_TOTAL,
		      "(unknown), 4 110 52\n" POD ", 2 69 45\n(none), 2 41 33\n(gone), 1 20 20\n");
	assert_groups(&collection.model, BY(CONTAINER), SUMMARY_TOTAL,
		      "(unknown), 4 110 52\n(none), 2 73 45\n2f6b6e2b6f9d, 1 24 24\n"
		      "(gone), 1 20 20\nd6701ec289c5, 1 13 33\n");
	assert_groups(&collection.model, BY(CONTAINER) | BY(POD), SUMMARY_LONGEST,
		      "(unknown),(unknown), 4 110 52\n" POD ",(none), 1 45 45\n"
		      "(none),d6701ec289c5, 1 13 33\n(none),(none), 1 28 28\n"
		      POD ",2f6b6e2b6f9d, 1 24 24\n(gone),(gone), 1 20 20\n");
	collect_free(&collection);
}

/* ids that differ only in the part that is not shown */
static void whole_ids(void **state)
{
	const struct cgroup cgroups[] = {
		{ .state = CGROUP_FOUND,
		  .container = &(struct container){ .id = "2f6b6e2b6f9d0" } },
		{ .state = CGROUP_FOUND,
		  .container = &(struct container){ .id = "2f6b6e2b6f9d1" } },
	};
	struct model model = { 0 };

	for (unsigned int i = 0; i < 4; i++)
		add_hard(&model, 0, i, (100 + i) * MS, (10 + i) * MS)->rec.end.cgroup =
			&cgroups[i % 2];
	judge_all(&model);
	assert_groups(&model, BY(CONTAINER), SUMMARY_TOTAL,
		      "2f6b6e2b6f9d, 2 24 13\n2f6b6e2b6f9d, 2 22 12\n");
	model_free(&model);
}

static void sorted(void **state)
{
	struct model model = { 0 };

	/* CPU 0: most stalls; CPU 1: most time in all; CPU 2: the longest stall */
	for (__u64 i = 0; i < 5; i++)
		add_hard(&model, 0, i, (100 + i) * MS, 10 * MS);
	for (__u64 i = 0; i < 3; i++)
		add_hard(&model, 1, i, (200 + i) * MS, 40 * MS);
	add_hard(&model, 2, 0, 300 * MS, 90 * MS);
	assert_groups(&model, BY(CPU), SUMMARY_TOTAL, "1, 3 120 40\n2, 1 90 90\n0, 5 50 10\n");
	assert_groups(&model, BY(CPU), SUMMARY_COUNT, "0, 5 50 10\n1, 3 120 40\n2, 1 90 90\n");
	assert_groups(&model, BY(CPU), SUMMARY_LONGEST, "2, 1 90 90\n1, 3 120 40\n0, 5 50 10\n");
	model_free(&model);
}

/* a short stall with victims, 57 ms in all, and a longer one without */
static void sorted_with_victims(void **state)
{
	struct model model = { 0 };
	struct entry *holder = add_hard(&model, 0, 0, 100 * MS, 20 * MS);

	add_hard(&model, 1, 0, 100 * MS, 19 * MS)->found.waits_for = holder;
	add_hard(&model, 2, 0, 100 * MS, 18 * MS)->found.waits_for = holder;
	add_hard(&model, 3, 0, 200 * MS, 56 * MS);
	assert_groups(&model, BY(CPU), SUMMARY_TOTAL, "0, 1 20 20\n3, 1 56 56\n");
	assert_groups(&model, BY(CPU), SUMMARY_LONGEST, "3, 1 56 56\n0, 1 20 20\n");
	add_hard(&model, 3, 1, 300 * MS, 2 * MS);
	assert_groups(&model, BY(CPU), SUMMARY_TOTAL, "3, 2 58 56\n0, 1 20 20\n");
	model_free(&model);
}

static void cpus_by_number(void **state)
{
	struct model model = { 0 };

	add_hard(&model, 10, 0, 100 * MS, 10 * MS);
	add_hard(&model, 9, 0, 101 * MS, 10 * MS);
	assert_groups(&model, BY(CPU), SUMMARY_TOTAL, "9, 1 10 10\n10, 1 10 10\n");
	model_free(&model);
}

static void best_stands_for_its_group(void **state)
{
	struct collection collection;
	struct summary summary;

	fixture_collect(&collection);
	summary_build(&summary, &collection.model, BY(CPU), SUMMARY_COUNT);
	/* neither one that is open, nor a newer one of which only the end was seen */
	assert_int_equal(summary.groups[0].best->rec.seq, 3);
	assert_int_equal(summary.groups[1].best->rec.seq, 68);
	summary_free(&summary);
	collect_free(&collection);
}

/* the best of stalls that the filter left out, but that others waited for */
static void best_of_those_waited_for(void **state)
{
	struct model holders = { 0 }, model = { 0 };
	struct summary summary;

	for (__u64 seq = 0; seq < 3; seq++)
		add_hard(&holders, 0, seq, (100 + 100 * seq) * MS, 20 * MS);
	for (unsigned int i = 0; i < 3; i++)
		add_hard(&model, 1, i, (101 + 100 * i) * MS, 20 * MS)->found.waits_for =
			holders.entries[(i + 1) % 3];
	summary_build(&summary, &model, BY(CPU), SUMMARY_TOTAL);
	assert_int_equal(summary.ngroups, 1);
	assert_int_equal(summary.groups[0].best->rec.seq, 2);
	summary_free(&summary);
	model_free(&model);
	model_free(&holders);
}

/* a stall that the filter left out does not stand for those that it let pass */
static void best_of_those_counted(void **state)
{
	for (unsigned int i = 0; i < 2; i++) {
		struct model holders = { 0 }, model = { 0 };
		struct summary summary;

		add_hard(&holders, 0, 9, 200 * MS, 20 * MS);
		if (!i)
			add_hard(&model, 0, 7, 100 * MS, 20 * MS);
		add_hard(&model, 1, 0, 199 * MS, 20 * MS)->found.waits_for = holders.entries[0];
		if (i)
			add_hard(&model, 0, 7, 199 * MS, 20 * MS);
		summary_build(&summary, &model, BY(CPU), SUMMARY_TOTAL);
		assert_int_equal(summary.ngroups, 1);
		assert_int_equal(summary.groups[0].count, 1);
		assert_int_equal(group_victims(&summary.groups[0])->seen.count, 1);
		assert_int_equal(summary.groups[0].best->rec.seq, 7);
		summary_free(&summary);
		model_free(&model);
		model_free(&holders);
	}
}

/* times of several nodes have nothing to do with each other */
static void regularity_of_one_node(void **state)
{
	struct model model = { 0 };

	for (unsigned int i = 0; i < 6; i++)
		add_hard(&model, 0, i, (100 + 1000 * i) * MS, 20 * MS);
	for (unsigned int nodes = 1; nodes <= 2; nodes++) {
		struct regularity regularity;
		struct summary summary;

		summary_begin(&summary, BY(CPU));
		for (unsigned int i = 0; i < nodes; i++)
			summary_add(&summary, &model, i);
		summary_end(&summary, SUMMARY_TOTAL);
		summary_regularity(&summary.groups[0], &regularity);
		assert_int_equal(regularity.period_ns, nodes == 1 ? 1000 * MS : 0);
		summary_free(&summary);
	}
	model_free(&model);
}

/* each CPU has another kind of evidence */
static void evidence(void **state)
{
	static const char * const wanted[] = { "end", "sample", "both", "end", "none" };
	struct model model = { 0 };
	struct summary summary;

	add_hard(&model, 0, 0, 100 * MS, 90 * MS);
	add_asked(&model, 1, 0, 100 * MS, 80 * MS, 0);
	add_hard(&model, 2, 0, 100 * MS, 20 * MS);
	add_asked(&model, 2, 1, 200 * MS, 20 * MS, 0);
	add_hard(&model, 2, 2, 300 * MS, 20 * MS);
	/* an open stall without samples does not change the other's evidence */
	add_hard(&model, 3, 0, 100 * MS, 40 * MS)->rec.open = true;
	add_hard(&model, 3, 1, 200 * MS, 10 * MS);
	add_hard(&model, 4, 0, 100 * MS, 30 * MS)->rec.open = true;
	judge_all(&model);
	summary_build(&summary, &model, BY(CPU), SUMMARY_TOTAL);
	assert_int_equal(summary.ngroups, ARRAY_SIZE(wanted));
	for (size_t i = 0; i < ARRAY_SIZE(wanted); i++)
		assert_string_equal(summary_evidence_name(&summary.groups[i]), wanted[i]);
	summary_free(&summary);
	model_free(&model);
}

/* victims are in the group of the stall they waited for, and their time is in no total */
static void victims(void **state)
{
	struct collection collection;
	struct summary summary;

	fixture_collect_victims(&collection);
	assert_groups(&collection.model, SUMMARY_BY_DEFAULT, SUMMARY_TOTAL,
		      "memory_stat_format,hardirq-off, 1 40 40\n"
		      "vring_interrupt,hardirq-long, 1 30 30\n"
		      "(unknown),stolen, 1 25 25\n");
	/* packets of a victim count in the same group */
	collection.model.entries[0]->rec.net = (struct tio_softnet){ .waited = 1, .dropped = 3 };
	collection.model.entries[1]->rec.net = (struct tio_softnet){ .waited = 1, .dropped = 4 };
	/* the group has the holder's keys, although the victims are other CPUs */
	summary_build(&summary, &collection.model, BY(CPU), SUMMARY_TOTAL);
	assert_true(summary.victims);
	assert_int_equal(summary.ngroups, 2);
	assert_int_equal(summary.groups[0].count, 2);
	assert_int_equal(group_victims(&summary.groups[0])->seen.count, 4);
	assert_int_equal(group_victims(&summary.groups[0])->probable, 3);
	assert_int_equal(group_victims(&summary.groups[0])->ns, (38 + 37 + 28 + 27) * MS);
	assert_int_equal(summary.groups[0].packets_waited, 2);
	assert_int_equal(summary.groups[0].packets_dropped, 7);
	assert_int_equal(summary.groups[1].count, 1);
	assert_int_equal(group_victims(&summary.groups[1])->seen.count, 1);
	assert_int_equal(group_victims(&summary.groups[1])->probable, 0);
	summary_free(&summary);
	collect_free(&collection);
}

static void assert_bounds(struct bounds bounds, __u64 min_ms, __u64 max_ms)
{
	assert_int_equal(bounds.min_ns, min_ms * MS);
	assert_int_equal(bounds.max_ns, max_ms * MS);
}

/* a victim's time is a cost of the stall that it waited for; its link is proved or not */
static void cost(void **state)
{
	struct collection collection;
	struct summary summary;
	struct cost *first;

	fixture_collect_victims(&collection);
	summary_build(&summary, &collection.model, BY(CULPRIT), SUMMARY_COST);
	first = &summary.groups[0].cost;
	assert_string_equal(summary.groups[0].best->found.culprit, "memory_stat_format");
	assert_bounds(first->own, 40, 41);
	assert_bounds(first->proved, 0, 0);
	assert_bounds(first->probable, 38 + 37, 39 + 38);
	assert_bounds(cost_sum(first), 115, 118);
	assert_string_equal(summary.groups[1].best->found.culprit, "vring_interrupt");
	assert_bounds(summary.groups[1].cost.own, 30, 31);
	assert_bounds(summary.groups[1].cost.proved, 28, 29);
	assert_bounds(summary.groups[1].cost.probable, 27, 28);
	summary_free(&summary);
	collect_free(&collection);
}

/* how long nested stalls lasted is not known better than their bounds are apart */
static void cost_of_nested(void **state)
{
	struct entry entry = { .rec = {
		.min_ns = 100 * MS, .max_ns = 101 * MS, .nested_ns = 25 * MS,
		.threshold_ns = 10 * MS, .period_ns = MS,
	} };
	struct cost cost = { 0 };

	cost_add(&cost, &entry);
	/* three of them at most */
	assert_int_equal(cost.own.min_ns, 75 * MS - 3 * (MS + TIO_BOUNDS_SLACK_NS));
	assert_int_equal(cost.own.max_ns, 76 * MS);
	entry.rec.nested_ns = 100 * MS;
	cost_add(&cost, &entry);
	assert_int_equal(cost.own.min_ns, 75 * MS - 3 * (MS + TIO_BOUNDS_SLACK_NS));
	assert_int_equal(cost.own.max_ns, 77 * MS);
	/* no record of a broken capture makes the sum a small one */
	entry.rec.max_ns = ~0ULL;
	entry.rec.nested_ns = 0;
	cost_add(&cost, &entry);
	assert_int_equal(cost.own.max_ns, ~0ULL);
	entry.rec.threshold_ns = 0;
	entry.rec.nested_ns = ~0ULL;
	cost_add(&cost, &entry);
}

/* the filter leaves out the stalls they waited for, but their names are those of the groups */
static void victims_alone(void **state)
{
	struct collection collection;
	struct summary summary;
	struct filter filter;
	struct model *model = &collection.model;

	fixture_collect_victims(&collection);
	filter_init(&filter);
	filter.newest = 7;
	filter_apply(&filter, model);
	filter_free(&filter);
	assert_groups(model, BY(CULPRIT), SUMMARY_COUNT,
		      "(unknown), 1 25 25\nvring_interrupt, 1 30 30\nmemory_stat_format, 0 0 0\n");
	summary_build(&summary, model, BY(CULPRIT), SUMMARY_COUNT);
	assert_int_equal(group_victims(&summary.groups[2])->seen.count, 2);
	assert_int_equal(summary_mean_ns(&summary.groups[2]), 0);
	assert_string_equal(summary_evidence_name(&summary.groups[2]), "sample");
	summary_free(&summary);
	collect_free(&collection);
}

/* the filter leaves out the victims, by class and by CPU, but not the stalls they waited for */
static void victims_not_wanted(void **state)
{
	static const int options[] = { FILTER_CLASS, FILTER_CPU };
	static const char * const values[] = { "hardirq-long", "0" };

	for (size_t i = 0; i < ARRAY_SIZE(options); i++) {
		struct collection collection;
		struct summary summary;
		struct filter filter;

		fixture_collect_victims(&collection);
		filter_init(&filter);
		assert_int_equal(filter_option(&filter, options[i], values[i]), EXIT_DONE);
		filter_apply(&filter, &collection.model);
		filter_free(&filter);
		summary_build(&summary, &collection.model, BY(CULPRIT), SUMMARY_COUNT);
		assert_true(summary.victims);
		assert_int_equal(summary.ngroups, i ? 3 : 1);
		assert_int_equal(summary.groups[i].count, 1);
		assert_string_equal(summary.groups[i].best->found.culprit, "vring_interrupt");
		assert_int_equal(group_victims(&summary.groups[i])->seen.count, 2);
		assert_int_equal(group_victims(&summary.groups[i])->ns, (28 + 27) * MS);
		summary_free(&summary);
		collect_free(&collection);
	}
}

static void words(void **state)
{
	enum summary_sort sort;
	unsigned int by;

	assert_true(summary_parse_by("cgroup,culprit", &by));
	assert_int_equal(by, BY(CULPRIT) | BY(CGROUP));
	assert_true(summary_parse_by("class,cpu,comm", &by));
	assert_int_equal(by, BY(CLASS) | BY(CPU) | BY(COMM));
	assert_true(summary_parse_by("container,pod", &by));
	assert_int_equal(by, BY(POD) | BY(CONTAINER));
	assert_false(summary_parse_by("", &by));
	assert_false(summary_parse_by("culprit,", &by));
	assert_false(summary_parse_by("culprits", &by));
	assert_false(summary_parse_by("cul", &by));
	assert_true(summary_parse_sort("longest", &sort));
	assert_int_equal(sort, SUMMARY_LONGEST);
	assert_false(summary_parse_sort("max", &sort));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(by_default),
		cmocka_unit_test(nested_time_once),
		cmocka_unit_test(own_time_never_wraps),
		cmocka_unit_test(packets),
		cmocka_unit_test(other_keys),
		cmocka_unit_test(containers),
		cmocka_unit_test(whole_ids),
		cmocka_unit_test(sorted),
		cmocka_unit_test(sorted_with_victims),
		cmocka_unit_test(cpus_by_number),
		cmocka_unit_test(best_stands_for_its_group),
		cmocka_unit_test(best_of_those_waited_for),
		cmocka_unit_test(best_of_those_counted),
		cmocka_unit_test(regularity_of_one_node),
		cmocka_unit_test(evidence),
		cmocka_unit_test(victims),
		cmocka_unit_test(cost),
		cmocka_unit_test(cost_of_nested),
		cmocka_unit_test(victims_alone),
		cmocka_unit_test(victims_not_wanted),
		cmocka_unit_test(words),
	};

	return cmocka_run_group_tests_name("summary", tests, NULL, NULL);
}
