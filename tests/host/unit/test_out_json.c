// SPDX-License-Identifier: GPL-2.0-only
/* JSON output: all of it against golden/, and by key what programs rely on. */
#include "causes/causes.h"
#include "page.h"

#include <json-c/json.h>
#include <time.h>

static struct json_object *parsed(void)
{
	struct json_object *object;

	fflush(out);
	object = json_tokener_parse(text);
	assert_non_null(object);
	return object;
}

static struct json_object *reported(unsigned int by)
{
	struct page whole = page();
	struct summary summary;

	summary_build(&summary, &collection.model, by, SUMMARY_TOTAL);
	json_report(&whole, &summary);
	summary_free(&summary);
	return parsed();
}

static struct json_object *listed(void)
{
	print_json_list();
	return parsed();
}

/* closes the stream of a test without a golden file */
static void drop(struct json_object *object)
{
	json_object_put(object);
	fclose(out);
	free(text);
}

static struct json_object *member(struct json_object *object, const char *key)
{
	struct json_object *value = NULL;

	if (!json_object_object_get_ex(object, key, &value))
		fail_msg("there is no %s", key);
	return value;
}

static const char *string(struct json_object *object, const char *key)
{
	return json_object_get_string(member(object, key));
}

static __u64 number(struct json_object *object, const char *key)
{
	return json_object_get_uint64(member(object, key));
}

static void prints_report(void **state)
{
	struct json_object *object, *groups;

	object = reported(SUMMARY_BY_DEFAULT);
	groups = member(object, "groups");
	assert_int_equal(json_object_array_length(groups), 8);
	assert_null(member(json_object_array_get_idx(groups, 0), "culprit"));
	assert_string_equal(string(json_object_array_get_idx(groups, 1), "culprit"),
			    "estimation_timer [ip_vs]");
	assert_string_equal(string(json_object_array_get_idx(groups, 1), "evidence"), "sample");
	assert_string_equal(string(json_object_array_get_idx(groups, 2), "evidence"), "both");
	assert_int_equal(number(json_object_array_get_idx(groups, 5), "total_ns"), 13 * MS);
	assert_null(member(json_object_array_get_idx(groups, 6), "culprit"));
	assert_string_equal(string(json_object_array_get_idx(groups, 7), "evidence"), "end");
	assert_int_equal(number(object, "records"), 9);
	assert_int_equal(number(object, "busy"), 0);
	assert_int_equal(number(object, "lost"), 6);
	assert_int_equal(number(object, "threshold_us"), 10000);
	assert_int_equal(number(object, "schema_version"), 1);
	assert_string_equal(string(object, "host"), "node-7");
	assert_string_equal(string(object, "boot_id"), "7d0f4c1e-58aa-4be3-9d0a-6b1c6f1e2a33");
	assert_string_equal(string(object, "instance"), "0badc0ffee123456");
	json_object_put(object);
	assert_golden("report.json", out, &text);
}

static void prints_list(void **state)
{
	struct json_object *object, *records, *record;

	object = listed();
	records = member(object, "records");
	assert_int_equal(json_object_array_length(records), 9);
	record = json_object_array_get_idx(records, 4);
	assert_string_equal(string(record, "culprit"), "estimation_timer [ip_vs]");
	assert_string_equal(string(record, "class"), "softirq-long");
	assert_string_equal(string(record, "record"), "1:1");
	assert_int_equal(number(record, "min_ns"), 45 * MS);
	assert_int_equal(json_object_array_length(member(record, "samples")), 2);
	record = json_object_array_get_idx(records, 5);
	assert_null(member(record, "culprit"));
	assert_null(member(record, "handler_ns"));
	record = json_object_array_get_idx(records, 8);
	assert_null(member(record, "seq"));
	assert_string_equal(string(record, "record"), "1:open");
	assert_null(member(record, "end"));
	json_object_put(object);
	assert_golden("list.json", out, &text);
}

/* each line is a document; keys with flat values come first */
static void prints_lines(void **state)
{
	struct page whole = page();
	char *copy, *line, *rest;
	size_t lines = 0;

	json_lines(&whole);
	fflush(out);
	copy = copy_text(text);
	rest = copy;
	while (*rest && (line = strsep(&rest, "\n"))) {
		struct json_object *object = json_tokener_parse(line);
		bool nested = false;

		assert_non_null(object);
		json_object_object_foreach(object, key, value) {
			/* nested values begin with waits_for, which may be null */
			if (!strcmp(key, "waits_for"))
				nested = true;
			if (json_object_is_type(value, json_type_object) ||
			    json_object_is_type(value, json_type_array))
				assert_true(nested);
		}
		assert_int_equal(number(object, "schema_version"), 1);
		assert_string_equal(string(object, "host"), "node-7");
		json_object_put(object);
		lines++;
	}
	assert_int_equal(lines, 9);
	free(copy);
	assert_golden("list.jsonl", out, &text);
}

/* a stack that was written before is written as if it were the first */
static void lines_alone(void **state)
{
	struct page whole = page();
	struct entry **entries = collection.model.entries;
	const struct tio_sample *stack = &entries[4]->rec.samples[0];
	char *all;

	for (size_t i = 0; i < collection.model.nentries; i++) {
		struct tio_sample *end = &entries[i]->rec.end;

		/* the stack of one that was busy in something has the way to it */
		if (entries[i]->found.busy_in)
			continue;
		/* what has names is always written anew */
		entries[i]->nnames = 0;
		end->frames = stack->frames;
		end->nframes = stack->nframes;
		end->calls = i % 2 ? stack->calls : NULL;
		end->stale = i / 2 % 2;
	}
	json_lines(&whole);
	fflush(out);
	all = copy_text(text);
	rewind(out);
	for (size_t i = 0; i < collection.model.nentries; i++)
		json_line(&whole, entries[i]);
	fflush(out);
	assert_string_equal(text, all);
	free(all);
	fclose(out);
	free(text);
}

/* a table takes each line as a row; stripped lines have no names of the node's */
static void flat_lines(void **state)
{
	const struct page flat = page();
	const struct cause cause = { .id = "known" };
	char *line, *stripped;

	for (size_t i = 0; i < collection.model.nentries; i++) {
		line = json_flat(&flat, collection.model.entries[i], i ? NULL : &cause, false);
		fputs(line, out);
		stripped = json_flat(&flat, collection.model.entries[i], NULL, true);
		assert_non_null(strstr(stripped, "\"host\":null,"));
		assert_non_null(strstr(stripped, "\"comm\":null,"));
		assert_non_null(strstr(stripped, "\"container\":null,"));
		assert_null(strstr(stripped, "node-7"));
		free(stripped);
		free(line);
	}
	assert_golden("flat.jsonl", out, &text);
}

/* unknown values of a task are null here, as they are in a record */
static void report_by_task(void **state)
{
	const struct cgroup pod = {
		.path = "/pod1",
		.text = "/pod1",
		.state = CGROUP_FOUND,
		.container = &(struct container){ .pod = "1", .id = "2f6b6e2b6f9d0" },
	};
	struct json_object *object, *groups, *group;

	model_forget_entries(&collection.model);
	add_hard(&collection.model, 0, 0, NOW_NS, 50 * MS)->rec.open = true;
	add_hard(&collection.model, 1, 0, NOW_NS - MS, 40 * MS)->rec.end.cgroup = &pod;
	judge_all(&collection.model);
	object = reported(1U << SUMMARY_CPU | 1U << SUMMARY_COMM | 1U << SUMMARY_CGROUP);
	groups = member(object, "groups");
	assert_int_equal(json_object_array_length(groups), 2);
	group = json_object_array_get_idx(groups, 0);
	assert_null(member(group, "comm"));
	assert_null(member(group, "cgroup"));
	assert_null(member(group, "cgroup_gone"));
	assert_null(member(group, "pod"));
	assert_null(member(group, "container"));
	assert_string_equal(string(group, "evidence"), "none");
	group = json_object_array_get_idx(groups, 1);
	assert_string_equal(string(group, "comm"), "kubelet");
	assert_string_equal(string(group, "cgroup"), "/pod1");
	assert_false(json_object_get_boolean(member(group, "cgroup_gone")));
	assert_string_equal(string(group, "pod"), "1");
	assert_string_equal(string(group, "container"), "2f6b6e2b6f9d0");
	assert_int_equal(number(group, "cpu"), 1);
	assert_false(json_object_object_get_ex(group, "culprit", NULL));
	drop(object);
}

/* cgroup_gone tells why a group's pod and container are null */
static void report_by_container(void **state)
{
	struct json_object *object, *groups, *group;

	object = reported(1U << SUMMARY_POD | 1U << SUMMARY_CONTAINER);
	groups = member(object, "groups");
	assert_int_equal(json_object_array_length(groups), 6);
	group = json_object_array_get_idx(groups, 0);
	assert_null(member(group, "pod"));
	assert_null(member(group, "cgroup_gone"));
	group = json_object_array_get_idx(groups, 1);
	assert_string_equal(string(group, "pod"), "6ba7b810-9dad-11d1-80b4-00c04fd430c8");
	assert_null(member(group, "container"));
	assert_false(json_object_get_boolean(member(group, "cgroup_gone")));
	group = json_object_array_get_idx(groups, 2);
	assert_null(member(group, "pod"));
	assert_null(member(group, "container"));
	assert_non_null(member(group, "cgroup_gone"));
	assert_false(json_object_get_boolean(member(group, "cgroup_gone")));
	group = json_object_array_get_idx(groups, 4);
	assert_null(member(group, "pod"));
	assert_true(json_object_get_boolean(member(group, "cgroup_gone")));
	assert_false(json_object_object_get_ex(group, "cgroup", NULL));
	json_object_put(object);
	assert_golden("report-by-pod.json", out, &text);
}

static struct json_object *nth_sample(struct json_object *list, size_t record, size_t sample)
{
	struct json_object *records = member(list, "records");

	return json_object_array_get_idx(member(json_object_array_get_idx(records, record),
						"samples"), sample);
}

static void asked_samples(void **state)
{
	struct json_object *object, *sample;

	object = listed();
	/* the CPU's own sample */
	sample = nth_sample(object, 4, 0);
	assert_false(json_object_get_boolean(member(sample, "nmi")));
	assert_false(json_object_get_boolean(member(sample, "requester_late")));
	assert_false(json_object_object_get_ex(sample, "delay_ns", NULL));
	/* taken outside of interrupts */
	sample = nth_sample(object, 1, 0);
	assert_true(json_object_get_boolean(member(sample, "nmi")));
	assert_false(json_object_get_boolean(member(sample, "requester_late")));
	assert_int_equal(number(sample, "delay_ns"), 3200);
	assert_null(member(sample, "handler_ns"));
	assert_null(member(sample, "irq"));
	assert_null(member(sample, "irq_name"));
	/* taken in a device's interrupt, and in the CPU's own */
	sample = nth_sample(object, 6, 0);
	assert_int_equal(number(sample, "handler_ns"), 12300000);
	assert_int_equal(number(sample, "irq"), 24);
	assert_string_equal(string(sample, "irq_name"), "virtio0-input.0");
	sample = nth_sample(object, 7, 1);
	assert_null(member(sample, "irq"));
	assert_string_equal(string(sample, "irq_name"), "local_timer");
	assert_true(json_object_get_boolean(member(nth_sample(object, 7, 0), "requester_late")));
	drop(object);
}

static struct json_object *nth_end(struct json_object *list, size_t record)
{
	return member(json_object_array_get_idx(member(list, "records"), record), "end");
}

static void ends(void **state)
{
	struct json_object *object, *end;

	object = listed();
	end = nth_end(object, 0);
	assert_false(json_object_get_boolean(member(end, "requester_late")));
	assert_int_equal(number(end, "handler_ns"), 39 * MS);
	assert_int_equal(number(end, "irq"), 24);
	assert_string_equal(string(end, "irq_name"), "virtio0-input.0");
	end = nth_end(object, 1);
	assert_null(member(end, "irq"));
	assert_string_equal(string(end, "irq_name"), "local_timer");
	/* a storm of one interrupt, and of several */
	end = nth_end(object, 2);
	assert_null(member(end, "handler_ns"));
	assert_null(member(end, "irq"));
	assert_string_equal(string(end, "irq_name"), "irq_work");
	assert_false(json_object_object_get_ex(nth_end(object, 3), "irq_name", NULL));
	/* the reason why it is stolen */
	end = nth_end(object, 4);
	assert_false(json_object_get_boolean(member(end, "nmi")));
	assert_true(json_object_get_boolean(member(end, "requester_late")));
	assert_false(json_object_object_get_ex(end, "delay_ns", NULL));
	assert_false(json_object_object_get_ex(end, "handler_ns", NULL));
	drop(object);
}

static void report_victims(void **state)
{
	struct json_object *object, *groups, *group;

	object = reported(SUMMARY_BY_DEFAULT);
	groups = member(object, "groups");
	assert_int_equal(json_object_array_length(groups), 3);
	group = json_object_array_get_idx(groups, 1);
	assert_string_equal(string(group, "culprit"), "vring_interrupt");
	assert_int_equal(number(group, "count"), 1);
	assert_int_equal(number(group, "total_ns"), 30 * MS);
	assert_int_equal(number(group, "victims"), 2);
	assert_int_equal(number(group, "victims_probable"), 1);
	assert_int_equal(number(group, "victims_ns"), 55 * MS);
	json_object_put(object);
	assert_golden("report-victims.json", out, &text);
}

static void report_regular(void **state)
{
	struct json_object *object, *regularity;

	object = reported(SUMMARY_BY_DEFAULT);
	regularity = member(json_object_array_get_idx(member(object, "groups"), 1), "regularity");
	assert_int_equal(number(regularity, "period_ns"), 10660 * MS);
	assert_int_equal(number(regularity, "agree"), 5);
	assert_int_equal(number(regularity, "of"), 5);
	assert_false(json_object_get_boolean(member(regularity, "grid")));
	json_object_put(object);
	assert_golden("report-regular.json", out, &text);
}

static struct json_object *link_of(struct json_object *list, size_t record)
{
	return member(json_object_array_get_idx(member(list, "records"), record), "waits_for");
}

static void links(void **state)
{
	static const struct {
		__u32 cpu;
		__u64 seq;
		bool probable;
		const char *wait;
		const char *class;
		const char *culprit;
	} wanted[] = {
		{ },
		{ 0, 80, true, "lock", "hardirq-off", "memory_stat_format" },
		{ 0, 80, true, "lock", "hardirq-off", "memory_stat_format" },
		{ },
		{ 0, 81, false, "ipi", "hardirq-long", "vring_interrupt" },
		{ 0, 81, true, "stop-machine", "hardirq-long", "vring_interrupt" },
		{ 1, 11, false, "ipi", "stolen", NULL },
		{ },
	};
	struct json_object *object;

	object = listed();
	for (size_t i = 0; i < ARRAY_SIZE(wanted); i++) {
		struct json_object *link = link_of(object, i);

		if (!wanted[i].wait) {
			assert_null(link);
			continue;
		}
		assert_int_equal(number(link, "cpu"), wanted[i].cpu);
		assert_int_equal(number(link, "seq"), wanted[i].seq);
		assert_int_equal(json_object_get_boolean(member(link, "probable")),
				 wanted[i].probable);
		assert_string_equal(string(link, "wait"), wanted[i].wait);
		assert_string_equal(string(link, "class"), wanted[i].class);
		if (wanted[i].culprit)
			assert_string_equal(string(link, "culprit"), wanted[i].culprit);
		else
			assert_null(member(link, "culprit"));
	}
	drop(object);
}

static void no_records(void **state)
{
	struct json_object *object;

	model_forget_entries(&collection.model);
	collection.model.machine = (struct machine){ 0 };
	collection.model.config.instance_known = false;
	object = listed();
	assert_int_equal(json_object_array_length(member(object, "records")), 0);
	assert_int_equal(number(object, "produced"), 75);
	assert_null(member(object, "host"));
	assert_null(member(object, "boot_id"));
	assert_null(member(object, "instance"));
	drop(object);
}

static void no_groups(void **state)
{
	struct summary none = { .by = SUMMARY_BY_DEFAULT };
	struct page empty = page();
	struct json_object *object;

	json_report(&empty, &none);
	object = parsed();
	assert_int_equal(json_object_array_length(member(object, "groups")), 0);
	drop(object);
}

static void prints_hist(void **state)
{
	struct json_object *object;

	json_hist(&collection.model, true, out);
	object = parsed();
	assert_string_equal(string(object, "since"), "load");
	assert_null(string(object, "since_time"));
	assert_int_equal(number(member(object, "hard"), "count"), 82);
	assert_int_equal(json_object_array_length(member(object, "cpus")), 2);
	json_object_put(object);
	assert_golden("hist.json", out, &text);
}

static void hist_cleared(void **state)
{
	struct json_object *object, *cpus;

	fixture_clear(&collection.model);
	json_hist(&collection.model, true, out);
	object = parsed();
	cpus = member(object, "cpus");
	assert_string_equal(string(object, "since"), "clear");
	assert_string_equal(string(object, "since_time"), "2026-11-21T06:55:00.000000+00:00");
	assert_int_equal(number(member(object, "hard"), "count"), 3);
	assert_int_equal(number(member(object, "soft"), "longest_ns"), 30 * MS);
	assert_int_equal(number(member(json_object_array_get_idx(cpus, 1), "hard"), "count"), 0);
	json_object_put(object);
	assert_golden("hist-cleared.json", out, &text);
}

static void prints_status(void **state)
{
	struct json_object *object, *cpu;

	json_status(&collection.model, out);
	object = parsed();
	assert_true(json_object_get_boolean(member(object, "enabled")));
	assert_string_equal(string(object, "watched"), "0-1");
	assert_string_equal(string(object, "cpus_setting"), "default");
	cpu = json_object_array_get_idx(member(object, "cpus"), 0);
	assert_int_equal(number(cpu, "produced"),
			 number(cpu, "kept") + number(cpu, "lost") + number(cpu, "cleared"));
	assert_string_equal(string(object, "nmi"), "auto");
	assert_string_equal(string(object, "guard"), "auto");
	assert_int_equal(number(object, "max_cost_ppm"), 60000);
	assert_null(member(object, "stopped_for_ns"));
	assert_null(member(object, "stopped_by"));
	assert_int_equal(number(cpu, "cost_ppm"), 2345);
	json_object_put(object);
	assert_golden("status.json", out, &text);
}

static void status_stopped(void **state)
{
	struct config *config = &collection.model.config;
	struct json_object *object;

	fixture_trouble(&collection.model);
	/* a newer module's word is a number here */
	config->knobs[TIO_KNOB_GUARD].value = 77;
	json_status(&collection.model, out);
	object = parsed();
	assert_int_equal(number(object, "stopped_for_ns"), 300000 * MS);
	assert_int_equal(number(object, "enabled_for_ns"), 0);
	assert_string_equal(string(object, "stopped_by"), "cost");
	assert_string_equal(string(object, "behind"), "1,3");
	assert_int_equal(number(object, "guard"), 77);
	json_object_put(object);
	assert_golden("status-stopped.json", out, &text);
}

/* what a module of interface 4 does not tell is null */
static void status_older(void **state)
{
	static const char * const keys[] = {
		"nmi", "nmi_cpu_rate", "nmi_rate", "guard", "max_cost_ppm", "stopped_for_ns",
		"stopped_by", "self_stops", "generation", "behind", "attached", "detaching",
		"rings", "freeing",
	};
	struct json_object *object;

	fixture_age(&collection.model);
	collection.model.config.enabled = false;
	json_status(&collection.model, out);
	object = parsed();
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		assert_null(member(object, keys[i]));
	assert_null(member(json_object_array_get_idx(member(object, "cpus"), 0), "nmi_lost"));
	json_object_put(object);
	assert_golden("status-older.json", out, &text);
}

/* counted, and no stall */
static void busy(void **state)
{
	struct json_object *object;

	model_add_busy(&collection.model, 1, false, 4);
	object = listed();
	assert_int_equal(number(object, "busy"), 1);
	assert_int_equal(json_object_array_length(member(object, "records")), 9);
	drop(object);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_page(prints_report),
		test_page(prints_list),
		test_page(prints_lines),
		test_page(lines_alone),
		test_page(flat_lines),
		test_page(report_by_task),
		test_page(report_by_container),
		test_page(asked_samples),
		test_ends(ends),
		test_victims(report_victims),
		test_regular(report_regular),
		test_victims(links),
		test_page(no_records),
		test_page(no_groups),
		test_page(prints_hist),
		test_page(hist_cleared),
		test_page(prints_status),
		test_page(status_stopped),
		test_page(status_older),
		test_page(busy),
	};

	setenv("TZ", "UTC", 1);
	tzset();
	return cmocka_run_group_tests_name("out_json", tests, NULL, NULL);
}
