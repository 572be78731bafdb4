// SPDX-License-Identifier: GPL-2.0-only
/* Whom a record blames in which ksoftirqd waited, and how many tasks a group of these met. */
#include <sched.h>

#include "fixture.h"

#include "capture/strip.h"
#include "group/summary.h"
#include "judge/culprit.h"
#include "judge/had_cpu.h"
#include "judge/judge.h"
#include "judge/on_behalf.h"

#define AT_WORK		0xffffffff81100000ULL
#define AT_EXIT		0xffffffff81101000ULL
#define AT_DO_SYSCALL	0xffffffff81102000ULL
#define AT_SMPBOOT	0xffffffff81103000ULL
#define AT_KTHREAD	0xffffffff81104000ULL
#define AT_BEAT		0xffffffffc0400000ULL

static const char kallsyms[] =
	"ffffffff81000000 T _stext\n"
	"ffffffff81100000 t tomoyo_cred_prepare\n"
	"ffffffff81101000 t do_exit\n"
	"ffffffff81102000 T do_syscall_64\n"
	"ffffffff81103000 t smpboot_thread_fn\n"
	"ffffffff81104000 t kthread\n"
	"ffffffff81105000 T _etext\n"
	"ffffffffc0400000 t whole_beat\t[trace_irqoff]\n";

static const char modules[] = "trace_irqoff 4096 0 - Live 0xffffffffc0400000\n";

static const struct cgroup one = { .state = CGROUP_FOUND, .path = "/one", .text = "/one" };
static const struct cgroup two = { .state = CGROUP_FOUND, .path = "/two", .text = "/two" };

static struct model model;
static struct symbols *symbols;

static int begin(void **state)
{
	symbols = symbols_of(kallsyms, modules);
	return 0;
}

static int end(void **state)
{
	model_free(&model);
	model = (struct model){ 0 };
	symbols_close(symbols);
	return 0;
}

/* a stall of 100 ms, without samples */
static struct entry *wait(void)
{
	__u64 seq = model.nentries;
	struct entry *entry = add_soft(&model, 0, seq, (1000 + 200 * seq) * MS, 100 * MS, 0);

	entry->rec.nsamples = 0;
	return entry;
}

/*
 * One more sample, of a task in the kernel. It speaks for the time to the next one; the first
 * also for that before it.
 */
static struct tio_sample *meet(struct entry *entry, unsigned int at_ms, const char *comm,
			       __u32 pid)
{
	struct tio_record *rec = &entry->rec;
	struct tio_sample *sample = &rec->samples[rec->nsamples++];

	*sample = (struct tio_sample){
		.at_ns = rec->end_ns - rec->min_ns + at_ms * MS,
		.flags = TRACE_IRQOFF_F_IRQS_ON,
		.pending = 8,
		.pid = pid,
		.tgid = pid,
		.cgroup_id = 1,
		.irq.number = TIO_NO_IRQ,
	};
	strcpy(sample->comm, comm);
	set_stack(sample, AT_WORK + 1, AT_EXIT + 1, AT_DO_SYSCALL + 1, 0ULL);
	return sample;
}

static void in_user_mode(struct tio_sample *sample)
{
	sample->flags |= TRACE_IRQOFF_F_USER;
	set_stack(sample, 0ULL);
}

static void of_kernel(struct tio_sample *sample, __u64 loop)
{
	set_stack(sample, AT_WORK + 1, loop + 1, AT_KTHREAD + 1, 0ULL);
}

/* NULL: nobody is blamed; @by: what names the culprit */
static void assert_blamed(struct entry *entry, const char *culprit, const char *by)
{
	tio_judge(&entry->rec, &entry->found.verdict);
	assert_int_equal(entry_class(entry), TIO_CLASS_KSOFTIRQD_WAIT);
	culprit_find(symbols, entry);
	if (!culprit) {
		assert_null(entry->found.culprit);
		assert_int_equal(entry->found.culprit_by, CULPRIT_BY_NOTHING);
		assert_int_equal(entry->found.met, 0);
		return;
	}
	assert_non_null(entry->found.culprit);
	assert_string_equal(entry->found.culprit, culprit);
	assert_string_equal(culprit_by_name(entry->found.culprit_by), by);
}

/* many tasks of one name, each for a moment: the sample that decides met another one */
static void threads_of_a_process(void **state)
{
	struct entry *entry = wait();
	const struct met *met;
	struct had_cpu had;

	meet(entry, 10, "threads", 101);
	meet(entry, 30, "stress", 7);
	in_user_mode(meet(entry, 70, "threads", 102));
	assert_blamed(entry, "(task threads)", "shared");
	assert_int_equal(entry->found.verdict.sample, 1);
	assert_int_equal(entry->found.met, 1 << 0 | 1 << 2);
	/* the two have 30 ms each, and the first one's stack is the evidence */
	assert_ptr_equal(entry_naming_sample(entry), &entry->rec.samples[0]);
	/* one of them was in none of the kernel's */
	assert_null(entry->found.busy_in);
	had_cpu_find(&had, symbols, entry);
	assert_int_equal(had.count, 2);
	assert_int_equal(had.ns, 100 * MS);
	met = &had.all[0];
	assert_ptr_equal(had_cpu_most(&had), met);
	assert_string_equal(met->comm, "threads");
	assert_int_equal(met->tasks, 2);
	assert_int_equal(met->count, 2);
	assert_int_equal(met->ns, 60 * MS);
	assert_true(met->user && met->kernel && !met->kthread);
	met = &had.all[1];
	assert_string_equal(met->comm, "stress");
	assert_int_equal(met->tasks, 1);
	assert_int_equal(met->ns, 40 * MS);
	assert_true(!met->user && met->kernel);
}

/* what each was met in is chance; what all were in is said, whoever called it */
static void shared_function(void **state)
{
	struct entry *entry = wait();
	bool jumped;

	(void)state;
	meet(entry, 10, "threads", 101);
	assert_blamed(entry, "(task threads)", "leaf");
	assert_string_equal(entry->found.busy_in, "tomoyo_cred_prepare");
	set_stack(meet(entry, 30, "threads", 102), AT_EXIT + 9, AT_WORK + 9, AT_DO_SYSCALL + 1,
		  0ULL);
	set_stack(meet(entry, 60, "threads", 103), AT_EXIT + 5, AT_DO_SYSCALL + 1, 0ULL);
	/* of another name */
	set_stack(meet(entry, 90, "stress", 7), AT_WORK + 1, AT_DO_SYSCALL + 1, 0ULL);
	assert_blamed(entry, "(task threads)", "shared");
	assert_string_equal(entry->found.busy_in, "do_exit");
	assert_string_equal(culprit_step(symbols, entry, 0, &jumped), "do_exit");
	assert_null(culprit_step(symbols, entry, 1, &jumped));
	/* nothing but the system call */
	set_stack(&entry->rec.samples[2], AT_WORK + 5, AT_DO_SYSCALL + 1, 0ULL);
	set_stack(&entry->rec.samples[1], AT_EXIT + 5, AT_DO_SYSCALL + 1, 0ULL);
	assert_blamed(entry, "(task threads)", "shared");
	assert_null(entry->found.busy_in);
}

/* of the tasks to blame the one with the largest share shows it */
static void longest_shows_it(void **state)
{
	struct entry *entry = wait();

	meet(entry, 10, "stress", 7);
	meet(entry, 20, "stress", 7);
	in_user_mode(meet(entry, 30, "stress", 7));
	assert_blamed(entry, "(task stress)", "shared");
	assert_ptr_equal(entry_naming_sample(entry), &entry->rec.samples[2]);
	assert_null(entry->found.busy_in);
}

static void one_sample(void **state)
{
	struct entry *entry = wait();

	in_user_mode(meet(entry, 10, "stress", 7));
	assert_blamed(entry, "(task stress)", "leaf");
}

/* tasks of one name in two pods are two programs */
static void cgroups_apart(void **state)
{
	struct entry *entry = wait();
	struct had_cpu had;

	meet(entry, 10, "java", 1);
	meet(entry, 20, "java", 2)->cgroup_id = 2;
	meet(entry, 60, "java", 3);
	assert_blamed(entry, "(task java)", "shared");
	assert_int_equal(entry->found.met, 1 << 0 | 1 << 2);
	/* a hierarchy has ids of its own */
	entry->rec.samples[2].flags |= TRACE_IRQOFF_F_CGROUP_V1;
	assert_blamed(entry, "(task java)", "leaf");
	had_cpu_find(&had, symbols, entry);
	assert_int_equal(had.count, 3);
}

/* numbers of threads of one kind say where they run */
static void kernel_threads(void **state)
{
	struct entry *entry = wait();
	struct had_cpu had;

	of_kernel(meet(entry, 10, "kworker/0:1", 1), AT_EXIT);
	meet(entry, 30, "a/b", 2);
	of_kernel(meet(entry, 70, "kworker/0:2H", 3), AT_EXIT);
	assert_blamed(entry, "(task kworker)", "shared");
	had_cpu_find(&had, symbols, entry);
	assert_true(had.all[0].kthread);
	assert_int_equal(had.all[0].tasks, 2);
	assert_string_equal(had.all[1].comm, "a/b");
}

/* whatever has more of the time than any task */
static void never_blamed(void **state)
{
	static const __u32 idle[] = { TRACE_IRQOFF_F_IDLE, TRACE_IRQOFF_F_IDLE_LOOP };
	struct entry *entry = wait();
	struct tio_sample *sample;

	meet(entry, 10, "stress", 7);
	sample = meet(entry, 30, "ksoftirqd/0", 14);
	of_kernel(sample, AT_SMPBOOT);
	assert_blamed(entry, NULL, NULL);
	/* any task may take the name; it is told by its stack */
	of_kernel(sample, AT_EXIT);
	assert_blamed(entry, "(task ksoftirqd)", "leaf");
	in_user_mode(sample);
	assert_blamed(entry, "(task ksoftirqd/0)", "leaf");
	sample->flags = TRACE_IRQOFF_F_IRQS_ON;
	/* another thread of the same kind is no ksoftirqd */
	strcpy(sample->comm, "migration/0");
	of_kernel(sample, AT_SMPBOOT);
	assert_blamed(entry, "(task migration)", "leaf");
	/* not known */
	set_stack(sample, 0ULL);
	assert_blamed(entry, NULL, NULL);
	set_stack(sample, AT_WORK + 1, 0ULL);
	*sample->comm = '\0';
	assert_blamed(entry, NULL, NULL);
	strcpy(sample->comm, "swapper/0");
	for (size_t i = 0; i < ARRAY_SIZE(idle); i++) {
		sample->flags = TRACE_IRQOFF_F_IRQS_ON | idle[i];
		assert_blamed(entry, NULL, NULL);
	}
	/* no longer than the task */
	entry->rec.samples[0].at_ns = entry->rec.end_ns - 90 * MS;
	sample->at_ns = entry->rec.end_ns - 50 * MS;
	assert_blamed(entry, "(task stress)", "leaf");
}

/* the task beneath an interrupt or a softirq is innocent, and so may be the others */
static void interrupts_count_for_nobody(void **state)
{
	struct entry *entry = wait();
	struct had_cpu had;

	meet(entry, 10, "bystander", 8)->flags |= TRACE_IRQOFF_F_SERVING_SOFTIRQ;
	meet(entry, 30, "stress", 7);
	meet(entry, 65, "bystander", 8)->flags |= TRACE_IRQOFF_F_SERVING_SOFTIRQ;
	assert_blamed(entry, "(task stress)", "leaf");
	had_cpu_find(&had, symbols, entry);
	assert_int_equal(had.count, 1);
	assert_int_equal(had.nobody_ns, 0);
	assert_int_equal(had.all[0].ns, 35 * MS);
}

/* ksoftirqd has the CPU at the end */
static void end_says_nothing(void **state)
{
	struct entry *entry = wait();

	meet(entry, 10, "stress", 7);
	strcpy(entry->rec.end.comm, "ksoftirqd/0");
	of_kernel(&entry->rec.end, AT_SMPBOOT);
	assert_blamed(entry, "(task stress)", "leaf");
}

static void stripped(void **state)
{
	struct entry *entry = wait();

	meet(entry, 10, STRIPPED_COMM, 7);
	assert_blamed(entry, "(task)", "leaf");
	/* ksoftirqd is told by its stack then */
	of_kernel(&entry->rec.samples[0], AT_SMPBOOT);
	assert_blamed(entry, NULL, NULL);
}

static void tracer(void **state)
{
	struct entry *entry = wait();

	set_stack(meet(entry, 10, "stress", 7), AT_BEAT + 1, AT_DO_SYSCALL + 1, 0ULL);
	assert_blamed(entry, "(trace_irqoff)", "leaf");
	assert_int_equal(entry->found.met, 0);
}

/* where a hypervisor may have had the CPU */
static void suspects(void **state)
{
	struct entry *entry = wait();

	meet(entry, 10, "stress", 7);
	entry->rec.beneath = TIO_BENEATH_HYPERVISOR;
	entry->rec.late_ns = 90 * MS;
	tio_judge(&entry->rec, &entry->found.verdict);
	assert_int_equal(entry->found.verdict.suspected, TIO_CLASS_KSOFTIRQD_WAIT);
	culprit_find(symbols, entry);
	assert_null(entry->found.culprit);
	assert_string_equal(entry->found.suspect, "(task stress)");
}

static void sum(struct summary *summary, unsigned int by)
{
	for (size_t i = 0; i < model.nentries; i++) {
		struct entry *entry = model.entries[i];

		tio_judge(&entry->rec, &entry->found.verdict);
		culprit_find(symbols, entry);
		behalf_find(symbols, entry);
	}
	summary_build(summary, &model, by, SUMMARY_TOTAL);
}

/* a row for each name and cgroup, however many functions and tasks there were */
static void rows(void **state)
{
	struct summary summary;
	struct met met;

	for (unsigned int i = 0; i < 36; i++) {
		struct tio_sample *sample = meet(wait(), 10, "threads", 4000 + i % 12);

		sample->cgroup = i < 20 ? &one : &two;
		set_stack(sample, i % 3 ? AT_WORK + 1 : AT_EXIT + 1, AT_DO_SYSCALL + 1, 0ULL);
	}
	in_user_mode(&model.entries[35]->rec.samples[0]);
	sum(&summary, SUMMARY_BY_DEFAULT);
	assert_int_equal(summary.ngroups, 2);
	assert_int_equal(summary.groups[0].count, 20);
	assert_true(met_tasks_of(&met, summary.groups[0].tasks, summary.groups[0].best));
	assert_string_equal(met.comm, "threads");
	assert_int_equal(met.tasks, 12);
	assert_int_equal(met.count, 20);
	assert_int_equal(met.ns, 20 * 100 * MS);
	/* 13 of 20 were met in one function, and 7 in another one */
	assert_null(summary_busy(&summary.groups[0]));
	assert_int_equal(summary.groups[0].busy->count, 2);
	assert_int_equal(summary.groups[0].busy->all[0].stalls, 13);
	assert_true(summary_differs(&summary.groups[0]));
	assert_null(met_tasks_in(summary.groups[0].tasks));
	assert_true(met.kernel && !met.user && !met.more);
	assert_true(met_tasks_of(&met, summary.groups[1].tasks, summary.groups[1].best));
	assert_true(met.kernel && met.user);
	summary_free(&summary);
	/* other keys put several culprits together */
	sum(&summary, 1U << SUMMARY_CLASS);
	assert_int_equal(summary.ngroups, 1);
	assert_false(met_tasks_of(&met, summary.groups[0].tasks, summary.groups[0].best));
	summary_free(&summary);
}

static void assert_all_in(const char *wanted)
{
	struct summary summary;
	char *got;

	sum(&summary, SUMMARY_BY_DEFAULT);
	assert_int_equal(summary.ngroups, 1);
	got = met_tasks_in(summary.groups[0].tasks);
	assert_string_equal(got ?: "", wanted);
	free(got);
	summary_free(&summary);
}

/* each stall's samples share a function further in than all of them do together */
static void shared_by_stalls(void **state)
{
	struct entry *entry = wait();

	(void)state;
	meet(entry, 10, "threads", 1);
	meet(entry, 30, "threads", 2);
	assert_all_in("tomoyo_cred_prepare");
	set_stack(meet(wait(), 10, "threads", 3), AT_EXIT + 1, AT_DO_SYSCALL + 1, 0ULL);
	assert_all_in("do_exit");
	meet(wait(), 10, "threads", 4);
	assert_all_in("do_exit");
	in_user_mode(meet(wait(), 10, "threads", 5));
	assert_all_in("");
}

/* what others had the CPU for is not the culprit's */
static void part_of_the_time(void **state)
{
	struct entry *entry = wait();
	struct summary summary;

	meet(entry, 10, "threads", 1);
	meet(entry, 75, "stress", 2);
	meet(wait(), 10, "threads", 1);
	sum(&summary, SUMMARY_BY_DEFAULT);
	assert_int_equal(summary.ngroups, 1);
	assert_int_equal(summary.groups[0].tasks->count, 1);
	assert_int_equal(summary.groups[0].tasks->ns, 175 * MS);
	assert_int_equal(summary.groups[0].total_ns, 200 * MS);
	summary_free(&summary);
}

/* the module tells a lock: then it waits for that, whatever it is in */
static void set_lock_of(struct tio_sample *sample)
{
	sample->lock = 0xffff888004c0ff00ULL;
	sample->lock_kind = TRACE_IRQOFF_LOCK_SPIN;
}

/* a section that two samples met, in other functions each */
static void add_differing(void)
{
	struct entry *entry = add_asked(&model, 1, 1, 6000 * MS, 60 * MS, 0);
	struct tio_record *rec = &entry->rec;

	rec->samples[0].at_ns = rec->end_ns - 45 * MS;
	rec->samples[0].delay_ns = 0;
	rec->samples[1] = rec->samples[0];
	rec->samples[1].at_ns = rec->end_ns - 30 * MS;
	rec->nsamples = 2;
	set_stack(&rec->samples[0], AT_WORK + 1, AT_DO_SYSCALL + 1, 0ULL);
	set_stack(&rec->samples[1], AT_EXIT + 1, AT_DO_SYSCALL + 1, 0ULL);
}

/* whoever happened to run stands behind code that holds, and before what only ends hint at */
static void behind_code_that_holds(void **state)
{
	static const char * const wanted[] = {
		"(task stress)", "tomoyo_cred_prepare", "(task threads)", "(many functions)",
		"do_exit",
	};
	struct entry *held = add_asked(&model, 1, 0, 5000 * MS, 30 * MS, 0);
	struct summary summary;

	(void)state;
	set_stack(&held->rec.samples[0], AT_WORK + 1, AT_DO_SYSCALL + 1, 0ULL);
	set_stack(&add_hard(&model, 1, 2, 7000 * MS, 290 * MS)->rec.end, AT_EXIT + 1,
		  AT_DO_SYSCALL + 1, 0ULL);
	add_differing();
	meet(wait(), 10, "threads", 1);
	meet(wait(), 10, "threads", 2);
	meet(wait(), 10, "stress", 3);
	sum(&summary, SUMMARY_BY_DEFAULT);
	assert_int_equal(summary.ngroups, ARRAY_SIZE(wanted));
	for (size_t i = 0; i < ARRAY_SIZE(wanted); i++)
		assert_string_equal(summary.groups[i].best->found.culprit, wanted[i]);
	summary_free(&summary);
}

/* one task of the kernel, whose samples have nothing in common, is no better; in user mode it is */
static void one_task_that_differs(void **state)
{
	struct entry *held = add_asked(&model, 1, 0, 5000 * MS, 30 * MS, 0), *entry;
	struct tio_sample *samples[2];
	struct summary summary;

	(void)state;
	set_stack(&held->rec.samples[0], AT_WORK + 1, AT_DO_SYSCALL + 1, 0ULL);
	entry = wait();
	samples[0] = meet(entry, 10, "kworker/0:1", 7);
	samples[1] = meet(entry, 50, "kworker/0:1", 7);
	set_stack(samples[0], AT_WORK + 1, 0ULL);
	set_stack(samples[1], AT_EXIT + 1, 0ULL);
	sum(&summary, SUMMARY_BY_DEFAULT);
	assert_string_equal(summary.groups[0].best->found.culprit, "tomoyo_cred_prepare");
	assert_true(summary_differs(&summary.groups[1]));
	summary_free(&summary);
	samples[1]->flags |= TRACE_IRQOFF_F_USER;
	sum(&summary, SUMMARY_BY_DEFAULT);
	assert_false(summary_differs(&summary.groups[0]));
	summary_free(&summary);
}

/* and behind waits for a lock that samples met */
static void behind_waits(void **state)
{
	struct entry *held = add_asked(&model, 1, 0, 5000 * MS, 30 * MS, 0);
	struct summary summary;

	(void)state;
	set_stack(&held->rec.samples[0], AT_WORK + 1, AT_DO_SYSCALL + 1, 0ULL);
	set_lock_of(&held->rec.samples[0]);
	meet(wait(), 10, "threads", 1);
	meet(wait(), 10, "threads", 2);
	judge_records(symbols, &model);
	summary_build(&summary, &model, SUMMARY_BY_DEFAULT, SUMMARY_TOTAL);
	assert_non_null(summary.groups[0].best->found.lock);
	assert_string_equal(summary.groups[0].best->found.lock,
			    "(waits for a lock of tomoyo_cred_prepare)");
	summary_free(&summary);
}

/* ... unless it has far more time than the code that holds */
static void before_what_is_little(void **state)
{
	struct entry *held = add_asked(&model, 1, 0, 5000 * MS, 20 * MS, 0);
	struct summary summary;

	(void)state;
	set_stack(&held->rec.samples[0], AT_WORK + 1, AT_DO_SYSCALL + 1, 0ULL);
	meet(wait(), 10, "threads", 1);
	meet(wait(), 10, "threads", 2);
	sum(&summary, SUMMARY_BY_DEFAULT);
	assert_string_equal(summary.groups[0].best->found.culprit, "tomoyo_cred_prepare");
	held->rec.min_ns = summary.groups[1].total_ns / 16;
	summary_free(&summary);
	sum(&summary, SUMMARY_BY_DEFAULT);
	assert_string_equal(summary.groups[0].best->found.culprit, "tomoyo_cred_prepare");
	summary_free(&summary);
	held->rec.min_ns--;
	sum(&summary, SUMMARY_BY_DEFAULT);
	assert_string_equal(summary.groups[0].best->found.culprit, "(task threads)");
	summary_free(&summary);
}

/* told of all of them or of none, within a record and of several */
static void policies(void **state)
{
	struct tio_sample *samples[4];
	struct had_cpu had;
	struct summary summary;
	struct entry *entry;

	for (unsigned int i = 0; i < 2; i++) {
		entry = wait();
		samples[2 * i] = meet(entry, 10, "threads", 100);
		samples[2 * i + 1] = meet(entry, 50, "threads", 101);
	}
	for (unsigned int i = 0; i < 4; i++) {
		samples[i]->policy = SCHED_FIFO + 1;
		samples[i]->prio = 50;
	}
	had_cpu_find(&had, symbols, entry);
	assert_int_equal(had.all[0].policy, SCHED_FIFO + 1);
	assert_int_equal(had.all[0].prio, 50);
	sum(&summary, SUMMARY_BY_DEFAULT);
	assert_int_equal(summary.groups[0].tasks->policy, SCHED_FIFO + 1);
	assert_int_equal(summary.groups[0].tasks->prio, 50);
	summary_free(&summary);
	samples[3]->prio++;
	had_cpu_find(&had, symbols, entry);
	assert_int_equal(had.all[0].policy, 0);
	sum(&summary, SUMMARY_BY_DEFAULT);
	assert_int_equal(summary.groups[0].tasks->policy, 0);
	assert_int_equal(summary.groups[0].tasks->prio, 0);
	summary_free(&summary);
}

/* pids are those of a node, and so many are told apart */
static void many(void **state)
{
	struct summary summary;

	for (unsigned int i = 0; i < MET_TASKS_MOST / 2; i++)
		meet(wait(), 10, "threads", 30000 - 7 * i);
	sum(&summary, SUMMARY_BY_DEFAULT);
	assert_int_equal(summary.groups[0].tasks->count, MET_TASKS_MOST / 2);
	summary_free(&summary);
	summary_begin(&summary, SUMMARY_BY_DEFAULT);
	for (unsigned int node = 0; node < 2; node++)
		summary_add(&summary, &model, node);
	assert_int_equal(summary.groups[0].tasks->count, MET_TASKS_MOST);
	assert_false(summary.groups[0].tasks->more);
	summary_add(&summary, &model, 2);
	assert_int_equal(summary.groups[0].tasks->count, MET_TASKS_MOST);
	assert_true(summary.groups[0].tasks->more);
	summary_end(&summary, SUMMARY_TOTAL);
	summary_free(&summary);
}

#define test_wait(test)	cmocka_unit_test_setup_teardown(test, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_wait(threads_of_a_process),
		test_wait(shared_function),
		test_wait(longest_shows_it),
		test_wait(one_sample),
		test_wait(cgroups_apart),
		test_wait(kernel_threads),
		test_wait(never_blamed),
		test_wait(interrupts_count_for_nobody),
		test_wait(end_says_nothing),
		test_wait(stripped),
		test_wait(tracer),
		test_wait(suspects),
		test_wait(rows),
		test_wait(shared_by_stalls),
		test_wait(part_of_the_time),
		test_wait(behind_code_that_holds),
		test_wait(one_task_that_differs),
		test_wait(behind_waits),
		test_wait(before_what_is_little),
		test_wait(policies),
		test_wait(many),
	};

	return cmocka_run_group_tests_name("had_cpu", tests, NULL, NULL);
}
