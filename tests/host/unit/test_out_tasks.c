// SPDX-License-Identifier: GPL-2.0-only
/* Stalls that tasks are to blame for, in all outputs. */
#include <sched.h>

#include "judge/judge.h"
#include "model/policy.h"
#include "page.h"

#define POD	"6ba7b810-9dad-11d1-80b4-00c04fd430c8"
#define OTHER	"7d0f4c1e-58aa-4be3-9d0a-6b1c6f1e2a33"
#define ID	"2f6b6e2b6f9d0c4a8e1b3d5f708192a3b4c5d6e7f8091a2b3c4d5e6f70819203"

enum place { ROOT, IN_POD, IN_OTHER, IN_SCOPE };

static const struct cgroup cgroups[] = {
	[ROOT] = { .path = "/", .text = "/", .state = CGROUP_FOUND },
	[IN_POD] = {
		.path = "/kubepods/pod" POD "/" ID,
		.text = "/kubepods/pod" POD "/" ID,
		.state = CGROUP_FOUND,
		.container = &(struct container){ .pod = POD, .id = ID },
	},
	[IN_OTHER] = {
		.path = "/kubepods/pod" OTHER,
		.text = "/kubepods/pod" OTHER,
		.state = CGROUP_FOUND,
		.container = &(struct container){ .pod = OTHER },
	},
	[IN_SCOPE] = {
		.path = "/user.slice/session-3.scope",
		.text = "/user.slice/session-3.scope",
		.state = CGROUP_FOUND,
	},
};

/* a sample of a task, so many ms after the stall began */
static struct tio_sample *meet(struct entry *entry, unsigned int at_ms, const char *comm,
			       __u32 pid, enum place place)
{
	struct tio_record *rec = &entry->rec;
	struct tio_sample *sample = &rec->samples[rec->nsamples++];

	*sample = (struct tio_sample){
		.at_ns = rec->end_ns - rec->min_ns + at_ms * MS,
		.flags = TRACE_IRQOFF_F_IRQS_ON,
		.pending = 8,
		.pid = pid,
		.tgid = 4700,
		.cgroup_id = 1 + place,
		.cgroup = &cgroups[place],
		.irq.number = TIO_NO_IRQ,
	};
	strcpy(sample->comm, comm);
	set_stack(sample, AT_MEMORY_STAT + 0x40, AT_SYSCALL + 0x5d, 0ULL);
	return sample;
}

static void in_user_mode(struct tio_sample *sample)
{
	sample->flags |= TRACE_IRQOFF_F_USER;
	set_stack(sample, 0ULL);
}

/* SCHED_* and a priority as of sched:sched_switch */
static struct tio_sample *scheduled(struct tio_sample *sample, unsigned int policy,
				    unsigned int prio)
{
	sample->policy = policy + 1;
	sample->prio = prio + 1;
	return sample;
}

/* a process of many threads that ends; the same program in two pods; a task by itself */
static void collect(unsigned int ends)
{
	struct model *model = &collection.model;
	struct entry *entry;

	model_forget_entries(model);
	for (unsigned int i = 0; i < ends; i++) {
		entry = add_soft(model, 0, i, NOW_NS - (90000 - 1000 * i) * MS, 300 * MS, 0);
		entry->rec.nsamples = 0;
		for (unsigned int k = 0; k < 4; k++)
			scheduled(meet(entry, 20 + 70 * k, "threads", 4701 + 4 * i + k, IN_SCOPE),
				  SCHED_OTHER, 115);
		set_stack(&entry->rec.samples[1], AT_FLUSH_COLD + i, AT_SYSCALL + 0x5d, 0ULL);
		in_user_mode(&entry->rec.samples[2]);
	}
	for (unsigned int i = 0; i < 2; i++) {
		entry = add_soft(model, 1, i, NOW_NS - (70000 - 1000 * i) * MS, (60 - i) * MS, 0);
		entry->rec.nsamples = 0;
		in_user_mode(scheduled(meet(entry, 10, "java", 5000 + i, i ? IN_OTHER : IN_POD),
				       SCHED_OTHER, 120));
	}
	entry = add_soft(model, 1, 2, NOW_NS - 30000 * MS, 100 * MS, 0);
	entry->rec.nsamples = 0;
	scheduled(meet(entry, 10, "stress", 6000, ROOT), SCHED_FIFO, 49);
	in_user_mode(scheduled(meet(entry, 20, "stress", 6000, ROOT), SCHED_FIFO, 49));
	scheduled(meet(entry, 70, "threads", 4702, IN_SCOPE), SCHED_OTHER, 120);
	meet(entry, 90, "swapper/1", 0, ROOT)->flags |= TRACE_IRQOFF_F_IDLE;
	entry = add_soft(model, 1, 3, NOW_NS - 20000 * MS, 15 * MS, 0);
	entry->rec.nsamples = 0;
	meet(entry, 10, "irqoff", 7000, ROOT);
	judge_records(collection.symbols, model);
}

static int open_tasks(void **state)
{
	int ret = open_page(state);

	collect(9);
	return ret;
}

static int open_few(void **state)
{
	int ret = open_page(state);

	collect(1);
	return ret;
}

static void prints_report(void **state)
{
	print_report(false);
	assert_golden("report-tasks.txt", out, &text);
}

static void prints_report_json(void **state)
{
	print_report(true);
	assert_golden("report-tasks.json", out, &text);
}

static void prints_records(void **state)
{
	print_list(false);
	print_list(true);
	assert_golden("list-tasks.txt", out, &text);
}

static void prints_records_json(void **state)
{
	print_json_list();
	assert_golden("list-tasks.json", out, &text);
}

static void policies(void **state)
{
	static const struct {
		unsigned int policy, prio;
		const char *text;
	} cases[] = {
		{ 0, 0, "" }, { 1, 0, "SCHED_OTHER" }, { 1, 121, "SCHED_OTHER" },
		{ 1, 116, "SCHED_OTHER nice -5" }, { 4, 140, "SCHED_BATCH nice 19" },
		{ 2, 1, "SCHED_FIFO 99" }, { 2, 99, "SCHED_FIFO 1" }, { 3, 50, "SCHED_RR 50" },
		/* its priority is that of who waits for it */
		{ 1, 50, "SCHED_OTHER 50" },
		{ 7, 0, "SCHED_DEADLINE" },
		{ 5, 121, "" }, { 64, 121, "" }, { 255, 255, "" },
	};
	char buf[UNITS_LEN];

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_string_equal(policy_print(buf, cases[i].policy, cases[i].prio),
				    cases[i].text);
	assert_true(policy_is_plain(SCHED_OTHER + 1, 121));
	assert_false(policy_is_plain(SCHED_OTHER + 1, 120));
	assert_false(policy_is_plain(SCHED_BATCH + 1, 121));
}

static void assert_place(const struct cgroup *cgroup, const char *wanted)
{
	char buf[CELL_LEN];

	assert_string_equal(text_task_place(buf, cgroup), wanted);
}

/* behind the culprit of a row */
static void places(void **state)
{
	const struct cgroup docker = { .text = "/docker/" ID,
				       .container = &(struct container){ .id = ID } };
	static const struct cgroup hidden = { .text = "cgroup:4444", .state = CGROUP_UNKNOWN };

	assert_place(NULL, "");
	assert_place(&cgroups[ROOT], "");
	assert_place(&cgroups[IN_POD], "pod 6ba7b810");
	assert_place(&cgroups[IN_SCOPE], "session-3.scope");
	assert_place(&docker, "container 2f6b6e2b6f9d");
	assert_place(&hidden, "cgroup:4444");
}

static void assert_met(const struct met *met, __u64 all_ns, const char *wanted)
{
	char *got = text_met(met, all_ns);

	assert_string_equal(got, wanted);
	free(got);
}

static void words(void **state)
{
	static const struct cgroup hidden = { .text = "cgroup:4444", .state = CGROUP_UNKNOWN };
	struct tio_sample sample = { .pid = 7 };
	struct met met = { .sample = &sample, .comm = "java", .tasks = 1, .user = true, .ns = 3 };

	assert_met(&met, 3, "1 task of java, pid 7, user");
	assert_met(&met, 4, "1 task of java, pid 7, user: 75 % of the time");
	sample.cgroup = &hidden;
	met.kernel = true;
	assert_met(&met, 3, "1 task of java, pid 7, user and kernel, cgroup:4444");
	sample.cgroup = NULL;
	met.tasks = 1024;
	met.more = true;
	assert_met(&met, 3, "1024 or more tasks of java, user and kernel");
	/* one sample says by itself where it was taken */
	met.count = 1;
	met.busy_in = "do_exit";
	assert_met(&met, 3, "1024 or more tasks of java, user and kernel");
	met.count = 4000;
	assert_met(&met, 3,
		   "4000 samples, 1024 or more tasks of java, all in do_exit, user and kernel");
	met = (struct met){ .sample = &sample, .comm = "kworker", .kthread = true, .tasks = 2 };
	assert_met(&met, 0, "2 tasks of kworker, kernel threads");
	/* a stripped capture has no names */
	met = (struct met){ .sample = &sample, .tasks = 2, .kernel = true };
	assert_met(&met, 0, "2 tasks, kernel");
}

/* a line that leaves out who runs on the node names no task either */
static void flat_lines(void **state)
{
	const struct page flat = page();
	const struct entry *entry = collection.model.entries[0];
	char *line = json_flat(&flat, entry, NULL, false);
	char *stripped = json_flat(&flat, entry, NULL, true);

	assert_non_null(strstr(line, "\"culprit\":\"(task threads)\","));
	assert_non_null(strstr(stripped, "\"culprit\":\"(task)\","));
	assert_null(strstr(stripped, "threads"));
	free(stripped);
	free(line);
	fclose(out);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(prints_report, open_tasks, close_page),
		cmocka_unit_test_setup_teardown(prints_report_json, open_tasks, close_page),
		cmocka_unit_test_setup_teardown(prints_records, open_few, close_page),
		cmocka_unit_test_setup_teardown(prints_records_json, open_few, close_page),
		cmocka_unit_test(policies),
		cmocka_unit_test(places),
		cmocka_unit_test(words),
		cmocka_unit_test_setup_teardown(flat_lines, open_few, close_page),
	};

	return cmocka_run_group_tests_name("out_tasks", tests, NULL, NULL);
}
