// SPDX-License-Identifier: GPL-2.0-only
/* On whose behalf culprits ran: which tasks count, how much, and how they are named. */
#include "fixture.h"

#include "capture/strip.h"
#include "group/summary.h"
#include "judge/on_behalf.h"

#define AT_READ		0xffffffff81100000ULL
#define AT_FLUSH	0xffffffff81101000ULL
#define AT_WORKER	0xffffffff81102000ULL
#define AT_KTHREAD	0xffffffff81103000ULL
#define AT_KSYS_READ	0xffffffff81104000ULL
#define AT_EXIT_GROUP	0xffffffff81105000ULL
#define AT_CALL		0xffffffff81106000ULL
#define AT_DO_SYSCALL	0xffffffff81107000ULL
#define AT_RTNETLINK	0xffffffff81108000ULL
#define AT_DELLINK	0xffffffff81109000ULL
#define AT_GENETLINK	0xffffffff8110a000ULL

static const char kallsyms[] =
	"ffffffff81000000 T _stext\n"
	"ffffffff81100000 t memory_stat_format\n"
	"ffffffff81101000 t flush_memcg_stats_dwork\n"
	"ffffffff81102000 t worker_thread\n"
	"ffffffff81103000 t kthread\n"
	"ffffffff81104000 T ksys_read\n"
	"ffffffff81105000 T __x64_sys_exit_group\n"
	"ffffffff81106000 t x64_sys_call\n"
	"ffffffff81107000 T do_syscall_64\n"
	"ffffffff81108000 t rtnetlink_rcv_msg\n"
	"ffffffff81109000 t rtnl_dellink\n"
	"ffffffff8110a000 t genl_rcv_msg\n"
	"ffffffff8110b000 T _etext\n";

#define POD	"6ba7b810-9dad-11d1-80b4-00c04fd430c8"
#define OTHER	"7d0f4c1e-58aa-4be3-9d0a-6b1c6f1e2a33"
#define ID	"2f6b6e2b6f9d0c4a8e1b3d5f708192a3b4c5d6e7f8091a2b3c4d5e6f70819203"

static const struct cgroup in_pod = { .state = CGROUP_FOUND,
				      .container = &(struct container){ .pod = POD, .id = ID } };
static const struct cgroup in_other = { .state = CGROUP_FOUND,
					.container = &(struct container){ .pod = OTHER } };
static const struct cgroup outside = { .state = CGROUP_FOUND };

static struct model model;
static struct symbols *symbols;

static int begin(void **state)
{
	symbols = symbols_of(kallsyms, "");
	return 0;
}

static int end(void **state)
{
	model_free(&model);
	model = (struct model){ 0 };
	symbols_close(symbols);
	return 0;
}

/* a stall with a culprit, of a task in a cgroup */
static struct entry *add(enum tio_class class, __u32 flags, const char *comm,
			 const struct cgroup *cgroup, __u64 ns)
{
	__u64 seq = model.nentries;
	struct entry *entry = add_asked(&model, 0, seq, (1000 + 100 * seq) * MS, ns, flags);
	struct tio_sample *sample = &entry->rec.samples[0];

	memset(sample->comm, 0, sizeof(sample->comm));
	strcpy(sample->comm, comm);
	set_stack(sample, AT_READ + 1, 0ULL);
	entry->found.verdict = (struct tio_verdict){
		.class = class,
		.evidence = TIO_EVIDENCE_SAMPLE,
	};
	entry->rec.samples[0].cgroup = cgroup;
	entry->found.culprit = copy_text("memory_stat_format");
	return entry;
}

static void sum(struct summary *summary)
{
	for (size_t i = 0; i < model.nentries; i++)
		behalf_find(symbols, model.entries[i]);
	summary_build(summary, &model, 1U << SUMMARY_CULPRIT, SUMMARY_TOTAL);
}

static void assert_for(const char *wanted, __u64 ms)
{
	const struct behalf *most;
	struct summary summary;
	char buf[CELL_LEN];

	sum(&summary);
	assert_int_equal(summary.ngroups, 1);
	most = behalf_most(&summary.groups[0].behalves);
	if (wanted) {
		assert_non_null(most);
		assert_string_equal(behalf_print(buf, most), wanted);
		assert_int_equal(behalf_ns(most), ms * MS);
	} else {
		assert_null(most);
	}
	summary_free(&summary);
}

static void task_with_most_time(void **state)
{
	add(TIO_CLASS_HARDIRQ_OFF, 0, "cadvisor", &in_pod, 20 * MS);
	add(TIO_CLASS_HARDIRQ_OFF, 0, "kubelet", &outside, 30 * MS);
	add(TIO_CLASS_HARDIRQ_OFF, 0, "cadvisor", &in_pod, 21 * MS);
	add(TIO_CLASS_HARDIRQ_OFF, 0, "cadvisor", &in_other, 25 * MS);
	assert_for("cadvisor, pod " POD ", container 2f6b6e2b6f9d", 41);
}

static void cgroup_not_known(void **state)
{
	add(TIO_CLASS_HARDIRQ_OFF, 0, "cadvisor", NULL, 20 * MS);
	assert_for("cadvisor", 20);
}

/* the interrupted task of these is innocent */
static void interrupts_run_for_nobody(void **state)
{
	add(TIO_CLASS_HARDIRQ_OFF, TRACE_IRQOFF_F_SERVING_SOFTIRQ, "bystander", &in_pod, 20 * MS);
	add(TIO_CLASS_HARDIRQ_LONG, TRACE_IRQOFF_F_HARDIRQ, "bystander", &in_pod, 20 * MS);
	add(TIO_CLASS_SOFTIRQ_LONG, TRACE_IRQOFF_F_SERVING_SOFTIRQ, "ksoftirqd/0", &outside,
	    20 * MS);
	add(TIO_CLASS_HARDIRQ_LONG, 0, "bystander", &in_pod, 20 * MS);
	add(TIO_CLASS_SOFTIRQ_LONG, 0, "bystander", &in_pod, 20 * MS);
	add(TIO_CLASS_HARDIRQ_OFF, TRACE_IRQOFF_F_IDLE, "swapper/0", &outside, 20 * MS);
	add(TIO_CLASS_STOLEN, 0, "bystander", &in_pod, 20 * MS);
	assert_for(NULL, 0);
}

/* ... but their time is not that of a task that called the same function */
static void part_of_the_time(void **state)
{
	struct summary summary;

	add(TIO_CLASS_SOFTIRQ_LONG, TRACE_IRQOFF_F_SERVING_SOFTIRQ, "bystander", &in_pod, 30 * MS);
	add(TIO_CLASS_SOFTIRQ_OFF, TRACE_IRQOFF_F_BH_OFF, "conntrack", &outside, 10 * MS);
	assert_for("conntrack", 10);
	sum(&summary);
	assert_int_equal(summary.groups[0].total_ns, 40 * MS);
	summary_free(&summary);
}

static void task_that_has_the_cpu(void **state)
{
	struct entry *entry = add(TIO_CLASS_KSOFTIRQD_WAIT, TRACE_IRQOFF_F_USER, "stress", &in_pod,
				  20 * MS);

	set_stack(&entry->rec.samples[0], 0ULL);
	assert_for("stress, pod " POD ", container 2f6b6e2b6f9d", 20);
}

static void nobody_is_blamed(void **state)
{
	struct entry *entry = add(TIO_CLASS_SOFTIRQ_OFF, 0, "innocent", &in_pod, 20 * MS);

	free(entry->found.culprit);
	entry->found.culprit = NULL;
	assert_for(NULL, 0);
}

/* threads of one kind are one, whatever their numbers */
static void kernel_threads(void **state)
{
	static const char * const names[] = { "kworker/0:1", "kworker/u4:2", "kworker/1:0" };

	add(TIO_CLASS_HARDIRQ_OFF, 0, "kworker/0:1", &outside, 25 * MS);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		struct entry *entry = add(TIO_CLASS_HARDIRQ_OFF, 0, names[i], &outside, 10 * MS);

		set_stack(&entry->rec.samples[0], AT_FLUSH + 1, AT_WORKER + 1, AT_KTHREAD + 1,
			  0ULL);
	}
	assert_for("kernel thread kworker", 30);
}

/* a task's calls are apart, and one that a stack does not show is none */
static void system_calls(void **state)
{
	static const __u64 stacks[][4] = {
		{ AT_READ + 1, AT_KSYS_READ + 1, AT_DO_SYSCALL + 1 },
		{ AT_READ + 1, AT_EXIT_GROUP + 1, AT_CALL + 1, AT_DO_SYSCALL + 1 },
		{ AT_READ + 1, AT_KSYS_READ + 1, AT_CALL + 1, AT_DO_SYSCALL + 1 },
		/* its own helper, or an exception that came in there */
		{ AT_READ + 1, AT_KSYS_READ + 1, AT_FLUSH + 1 },
		{ AT_READ + 1, AT_FLUSH + 1, AT_DO_SYSCALL + 1 },
		/* cut off right there */
		{ AT_READ + 1, AT_KSYS_READ + 1 },
	};
	static const __u64 ms[] = { 20, 25, 10, 15, 14, 28 };

	for (size_t i = 0; i < ARRAY_SIZE(stacks); i++) {
		struct entry *entry = add(TIO_CLASS_HARDIRQ_OFF, 0, "cat", &outside, ms[i] * MS);
		unsigned int count = 0;

		while (count < ARRAY_SIZE(stacks[i]) && stacks[i][count])
			count++;
		set_frames(&entry->rec.samples[0], stacks[i], count);
	}
	for (size_t i = 0; i < model.nentries; i++)
		behalf_find(symbols, model.entries[i]);
	assert_string_equal(model.entries[0]->found.operation, "read");
	assert_string_equal(model.entries[1]->found.operation, "exit_group");
	assert_string_equal(model.entries[2]->found.operation, "read");
	for (size_t i = 3; i < model.nentries; i++)
		assert_null(model.entries[i]->found.operation);
	/* 57 ms of no call, 30 of read, 25 of exit_group */
	assert_for("cat", 57);
	add(TIO_CLASS_HARDIRQ_OFF, 0, "cat", &in_pod, 1 * MS);
	set_frames(&model.entries[6]->rec.samples[0], stacks[0], 3);
	model.entries[6]->rec.min_ns = 80 * MS;
	assert_for("cat (read), pod " POD ", container 2f6b6e2b6f9d", 80);
}

static void assert_text(const struct summary *summary, const char *wanted)
{
	char *got = behalf_text(behalf_most(&summary->groups[0].behalves));

	assert_string_equal(got, wanted);
	free(got);
}

static void assert_process(const char *wanted)
{
	struct summary summary;

	sum(&summary);
	assert_text(&summary, wanted);
	summary_free(&summary);
}

static struct tio_sample *add_process(const struct cgroup *cgroup, __u32 pid, __u32 threads)
{
	struct entry *entry = add(TIO_CLASS_HARDIRQ_OFF, 0, "cat", cgroup, 20 * MS);
	struct tio_sample *sample = &entry->rec.samples[0];

	sample->pid = pid;
	sample->tgid = pid - pid % 100;
	sample->threads = threads;
	sample->parent = 103;
	strcpy(sample->parent_comm, "sh");
	return sample;
}

/* what serves the message of a system call, while that is one in all records */
static void handlers(void **state)
{
	struct tio_sample *sample = add_process(&outside, 15400, 1);

	(void)state;
	set_stack(sample, AT_READ + 1, AT_DELLINK + 1, AT_RTNETLINK + 1, AT_KSYS_READ + 1,
		  AT_CALL + 1, AT_DO_SYSCALL + 1, 0ULL);
	behalf_find(symbols, model.entries[0]);
	assert_process("cat (read, rtnl_dellink), pid 15400, parent sh (103)");
	/* one caller may call another one, and one that calls the culprit says nothing more */
	set_stack(sample, AT_READ + 1, AT_DELLINK + 1, AT_RTNETLINK + 1, AT_GENETLINK + 1,
		  AT_KSYS_READ + 1, AT_DO_SYSCALL + 1, 0ULL);
	behalf_find(symbols, model.entries[0]);
	assert_process("cat (read, rtnl_dellink), pid 15400, parent sh (103)");
	set_stack(sample, AT_READ + 1, AT_RTNETLINK + 1, AT_KSYS_READ + 1, AT_DO_SYSCALL + 1,
		  0ULL);
	behalf_find(symbols, model.entries[0]);
	assert_process("cat (read), pid 15400, parent sh (103)");
	set_stack(sample, AT_READ + 1, AT_DELLINK + 1, AT_RTNETLINK + 1, AT_KSYS_READ + 1,
		  AT_DO_SYSCALL + 1, 0ULL);
	behalf_find(symbols, model.entries[0]);
	/* no call: then nobody knows whose message it is */
	sample = add_process(&outside, 15400, 1);
	set_stack(sample, AT_READ + 1, AT_DELLINK + 1, AT_RTNETLINK + 1, AT_FLUSH + 1, 0ULL);
	behalf_find(symbols, model.entries[1]);
	assert_null(model.entries[1]->found.handler);
	sample = add_process(&outside, 15400, 1);
	set_stack(sample, AT_READ + 1, AT_FLUSH + 1, AT_RTNETLINK + 1, AT_KSYS_READ + 1,
		  AT_DO_SYSCALL + 1, 0ULL);
	behalf_find(symbols, model.entries[2]);
	assert_string_equal(model.entries[2]->found.handler, "flush_memcg_stats_dwork");
	assert_process("cat (read), pid 15400, parent sh (103)");
}

/* a task alone, and whose child it is, as long as that is the same in all records */
static void one_task(void **state)
{
	struct summary summary;

	(void)state;
	add_process(&outside, 15400, 1);
	add_process(&outside, 15400, 1);
	assert_process("cat, pid 15400, parent sh (103)");
	summary_begin(&summary, 1U << SUMMARY_CULPRIT);
	for (unsigned int node = 0; node < 2; node++)
		summary_add(&summary, &model, node);
	summary_end(&summary, SUMMARY_TOTAL);
	/* pids are those of a node */
	assert_text(&summary, "cat");
	summary_free(&summary);
	/* one after another, by one script */
	add_process(&outside, 15500, 1);
	assert_process("cat, parent sh (103)");
	add_process(&outside, 15500, 1)->parent = 104;
	assert_process("cat");
	/* and once more what came first */
	add_process(&outside, 15400, 1);
	assert_process("cat");
}

static void one_process(void **state)
{
	(void)state;
	add_process(&in_pod, 7400, 1);
	assert_process("cat, pid 7400, parent sh (103), pod " POD ", container 2f6b6e2b6f9d");
	add_process(&in_pod, 7455, 8001);
	add_process(&in_pod, 7456, 8000);
	assert_process("cat, tgid 7400, 8001 threads, parent sh (103), pod " POD
		       ", container 2f6b6e2b6f9d");
	add_process(&in_pod, 7500, 8000);
	assert_process("cat, parent sh (103), pod " POD ", container 2f6b6e2b6f9d");
}

/* of an older module neither threads nor a parent are known; all of the kernel's have one parent */
static void unknown_process(void **state)
{
	struct tio_sample *sample;

	(void)state;
	sample = add_process(&outside, 7455, 0);
	sample->parent = 0;
	*sample->parent_comm = '\0';
	assert_process("cat, pid 7455");
	sample = add_process(&outside, 7456, 0);
	sample->parent = 0;
	*sample->parent_comm = '\0';
	assert_process("cat, tgid 7400");
	model_free(&model);
	model = (struct model){ 0 };
	sample = add_process(&outside, 35, 1);
	strcpy(sample->comm, "kworker/0:1");
	set_stack(sample, AT_FLUSH + 1, AT_WORKER + 1, AT_KTHREAD + 1, 0ULL);
	assert_process("kernel thread kworker, pid 35");
}

/* the frames that would tell a task from a thread of the kernel are not there */
static void truncated(void **state)
{
	struct entry *entry;

	add(TIO_CLASS_HARDIRQ_OFF, TRACE_IRQOFF_F_TRUNCATED, "kworker/0:1", &outside, 25 * MS);
	add(TIO_CLASS_HARDIRQ_OFF, TRACE_IRQOFF_F_TRUNCATED, "cadvisor", &in_pod, 20 * MS);
	assert_for(NULL, 0);
	entry = add(TIO_CLASS_HARDIRQ_OFF, TRACE_IRQOFF_F_TRUNCATED, "kworker/0:1", &outside,
		    10 * MS);
	set_stack(&entry->rec.samples[0], AT_FLUSH + 1, AT_WORKER + 1, AT_KTHREAD + 1, 0ULL);
	assert_for("kernel thread kworker", 10);
}

static void stripped(void **state)
{
	add(TIO_CLASS_HARDIRQ_OFF, 0, STRIPPED_COMM, NULL, 20 * MS);
	assert_for(NULL, 0);
}

/* a thousand tasks of a stall each, and one of a tenth of the time among them */
static void many_tasks(void **state)
{
	struct summary summary;

	for (unsigned int i = 0; i < 1000; i++) {
		char comm[TIO_COMM_LEN];

		snprintf(comm, sizeof(comm), "task%u", i);
		add(TIO_CLASS_HARDIRQ_OFF, 0, comm, &outside, 10 * MS);
		if (i % 10 == 5)
			add(TIO_CLASS_HARDIRQ_OFF, 0, "cadvisor", &in_pod, 11 * MS);
	}
	sum(&summary);
	assert_int_equal(summary.groups[0].behalves.count, BEHALF_MOST);
	assert_string_equal(behalf_most(&summary.groups[0].behalves)->who->comm, "cadvisor");
	/* never more than it had */
	assert_true(behalf_ns(behalf_most(&summary.groups[0].behalves)) <= 100 * 11 * MS);
	assert_true(behalf_ns(behalf_most(&summary.groups[0].behalves)) > 700 * MS);
	summary_free(&summary);
}

int main(void)
{
#define test(name)	cmocka_unit_test_setup_teardown(name, begin, end)
	const struct CMUnitTest tests[] = {
		test(task_with_most_time),
		test(cgroup_not_known),
		test(interrupts_run_for_nobody),
		test(part_of_the_time),
		test(task_that_has_the_cpu),
		test(nobody_is_blamed),
		test(kernel_threads),
		test(system_calls),
		test(handlers),
		test(one_task),
		test(one_process),
		test(unknown_process),
		test(truncated),
		test(stripped),
		test(many_tasks),
	};

	return cmocka_run_group_tests_name("behalf", tests, NULL, NULL);
}
