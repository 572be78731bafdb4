// SPDX-License-Identifier: GPL-2.0-only
/* What a lock is called, and that who waits for it is not blamed. */
#include "page.h"

#include "capture/strip.h"
#include "correlate/candidates.h"
#include "group/summary.h"
#include "judge/judge.h"
#include "judge/stacks.h"
#include "model/charge.h"
#include "names/lock_name.h"
#include "wire.h"

static int open_names(void **state)
{
	open_waiters(state);
	symbols_close(waiters.symbols);
	waiters.symbols = locks_symbols();
	return 0;
}

#define test_names(test)	cmocka_unit_test_setup_teardown(test, open_names, close_waiters)

static void assert_lock(const struct entry *entry, const char *name, const char *printed)
{
	const struct tio_sample *sample = &entry->rec.samples[0];
	char buf[LOCK_NAME_LEN];
	const char *got = lock_name(buf, waiters.symbols, entry, sample);

	assert_string_equal(got ? got : "(none)", name);
	assert_string_equal(lock_print(buf, waiters.symbols, entry, sample), printed);
}

static void variables(void **state)
{
	struct entry *entry = add_task_waiter(model, 0, 0, END, 30 * MS, AT_EXIT);
	struct tio_sample *sample = &entry->rec.samples[0];
	char buf[LOCK_NAME_LEN];

	assert_lock(entry, "tasklist_lock", "tasklist_lock");
	entry->names[0].symbol = "init_task+0x7c0/0x1e00";
	assert_lock(entry, "init_task+0x7c0", "init_task+0x7c0");
	entry->names[0].symbol = "ip_vs_lock+0x0/0x4 [ip_vs]";
	assert_lock(entry, "ip_vs_lock [ip_vs]", "ip_vs_lock [ip_vs]");
	/* the module knows it by no name; it says nothing of one in the kernel's text */
	entry->names[0].symbol = "[unloaded]";
	assert_lock(entry, "(none)", "a lock at 0xffffffff82606080");
	entry->nnames = 0;
	assert_lock(entry, "(none)", "a lock at 0xffffffff82606080");
	sample->lock = AT_EXIT + 8;
	assert_lock(entry, "(none)", "a lock at 0xffffffff81005008");
	/* none is known */
	sample->lock_kind = TRACE_IRQOFF_LOCK_NONE;
	assert_null(lock_name(buf, waiters.symbols, entry, sample));
}

static void of_each_cpu(void **state)
{
	struct entry *entry = add_task_waiter(model, 0, 0, END, 30 * MS, AT_RMQUEUE_BULK);
	struct tio_sample *sample = &entry->rec.samples[0];

	set_lock(sample, TRACE_IRQOFF_LOCK_SPIN, RUNQUEUES);
	sample->lock_cpu = 3 + 1;
	assert_lock(entry, "run queue of CPU 3", "run queue of CPU 3");
	/* wherever it lies in there */
	sample->lock = RUNQUEUES + 0x40;
	assert_lock(entry, "run queue of CPU 3", "run queue of CPU 3");
	sample->lock = TIMER_BASES;
	sample->lock_cpu = 0 + 1;
	assert_lock(entry, "timer_bases of CPU 0", "timer_bases of CPU 0");
	sample->lock = TIMER_BASES + 0x80;
	assert_lock(entry, "timer_bases+0x80 of CPU 0", "timer_bases+0x80 of CPU 0");
	/* behind the last one is memory that was allocated */
	sample->lock = PER_CPU_END;
	assert_lock(entry, "(none)", "a lock #21000 of CPU 0");
	sample->lock = PER_CPU_END + 0x100;
	assert_lock(entry, "(none)", "a lock #21100 of CPU 0");
	/* from 6.15 on they have addresses, and the module sends their names */
	sample->lock = TASKLIST;
	entry->names[0].symbol = "runqueues+0x0/0xe00";
	assert_lock(entry, "run queue of CPU 0", "run queue of CPU 0");
	/* memory that was allocated for each CPU: what takes it does not tell */
	sample->lock = OPAQUE;
	assert_lock(entry, "(none)", "a lock #4b1d0000c0ff0010 of CPU 0");
	/* as a number alone it is none of these */
	sample->lock = RUNQUEUES;
	sample->lock_cpu = 0;
	set_stack(sample, AT_SPIN_PATH + 1, AT_EXIT + 1, 0ULL);
	assert_lock(entry, "(none)", "a lock #1f000");
}

static void fields(void **state)
{
	struct entry *entry = add_task_waiter(model, 0, 0, END, 30 * MS, AT_EXIT);
	struct tio_sample *sample = &entry->rec.samples[0];

	set_lock(sample, TRACE_IRQOFF_LOCK_SPIN, ALLOCATED);
	assert_lock(entry, "(none)", "a lock at 0xffff888004c0ff00");
	set_stack(sample, AT_SPIN_PATH + 1, AT_SPIN_SAVE + 1, AT_RMQUEUE_BULK + 1, 0ULL);
	assert_lock(entry, "zone->lock", "zone->lock");
	/* inlined; by an opaque number */
	set_stack(sample, AT_SPIN_PATH + 1, AT_RMQUEUE_BULK + 1, AT_FREELIST + 1, 0ULL);
	assert_lock(entry, "zone->lock", "zone->lock");
	sample->lock = OPAQUE;
	assert_lock(entry, "zone->lock", "zone->lock");
	/* something that it calls takes it; nothing does */
	set_stack(sample, AT_SPIN_PATH + 1, AT_FREELIST + 1, AT_RMQUEUE_BULK + 1, 0ULL);
	assert_lock(entry, "(none)", "a lock #4b1d0000c0ff0010");
	set_stack(sample, AT_SPIN_PATH + 1, AT_SPIN_SAVE + 1, 0ULL);
	assert_lock(entry, "(none)", "a lock #4b1d0000c0ff0010");
	/* a variable has its own name, whoever takes it */
	set_stack(sample, AT_SPIN_PATH + 1, AT_RMQUEUE_BULK + 1, 0ULL);
	sample->lock = TASKLIST;
	assert_lock(entry, "tasklist_lock", "tasklist_lock");
}

/* @lock: NULL: the culprit is blamed */
static void assert_blame(const struct entry *entry, const char *lock, const char *who)
{
	const char *named = lock ? entry->found.waiter : entry->found.culprit;

	assert_string_equal(entry->found.lock ? entry->found.lock : "(none)",
			    lock ? lock : "(none)");
	assert_string_equal(named ? named : "(none)", who);
	assert_int_equal(charge_blames(entry), !lock);
	assert_string_equal(charge_culprit(entry), lock ? lock : who);
	if (lock) {
		assert_null(entry->found.culprit);
		assert_null(entry->found.busy_in);
		assert_int_equal(entry->found.culprit_by, CULPRIT_BY_NOTHING);
	} else {
		assert_null(entry->found.waiter);
	}
}

/* judges the records as they are now */
static void assert_judged_blame(const struct entry *entry, const char *lock, const char *who)
{
	judge();
	assert_blame(entry, lock, who);
}

static void blames_nobody(void **state)
{
	struct entry *entry = add_task_waiter(model, 0, 0, END, 30 * MS, AT_EXIT);
	struct tio_sample *sample = &entry->rec.samples[0];

	assert_judged_blame(entry, "(waits for tasklist_lock, write)", "do_exit");
	assert_int_equal(entry->found.verdict.class, TIO_CLASS_HARDIRQ_OFF);
	sample->lock_kind = TRACE_IRQOFF_LOCK_READ;
	assert_judged_blame(entry, "(waits for tasklist_lock, read)", "do_exit");
	sample->lock_kind = TRACE_IRQOFF_LOCK_SPIN;
	assert_judged_blame(entry, "(waits for tasklist_lock)", "do_exit");
	/* it goes on */
	entry->rec.open = true;
	assert_judged_blame(entry, "(waits for tasklist_lock)", "do_exit");
	entry->rec.open = false;
	/* reports show no addresses */
	sample->lock = ALLOCATED;
	assert_judged_blame(entry, "(waits for a lock of do_exit)", "do_exit");
	sample->lock_kind = TRACE_IRQOFF_LOCK_WRITE;
	assert_judged_blame(entry, "(waits for a lock of do_exit, write)", "do_exit");
	/* nor where the slow path has no name */
	set_stack(sample, AT_NOTHING, 0ULL);
	sample->lock = TASKLIST;
	judge();
	assert_string_equal(entry->found.lock, "(waits for tasklist_lock, write)");
	assert_int_equal(entry->found.waits[0], WAIT_LOCK);
	/* nor where the lock is not known, as on arm64 */
	set_stack(sample, AT_WRITE_PATH + 1, AT_WRITE_LOCK + 1, AT_EXIT + 1, 0ULL);
	set_lock(sample, TRACE_IRQOFF_LOCK_NONE, 0);
	assert_judged_blame(entry, "(waits for a lock of do_exit, write)", "do_exit");
	set_stack(sample, AT_SPIN_PATH + 1, AT_WRITE_PATH + 1, AT_EXIT + 1, 0ULL);
	assert_judged_blame(entry, "(waits for a lock of do_exit, write)", "do_exit");
	set_stack(sample, AT_SPIN_PATH + 1, AT_SPIN_SAVE + 1, AT_EXIT + 1, 0ULL);
	assert_judged_blame(entry, "(waits for a lock of do_exit)", "do_exit");
	/* nothing says that it waits */
	set_stack(sample, AT_WRITE_LOCK + 1, AT_EXIT + 1, 0ULL);
	assert_judged_blame(entry, NULL, "do_exit");
}

/* nothing proves that the CPU ran, but if it did, it waited */
static void no_suspect_waits(void **state)
{
	struct entry *entry = add_task_waiter(model, 0, 0, END, 30 * MS, AT_EXIT);

	entry->rec.beneath = TIO_BENEATH_HYPERVISOR;
	entry->rec.samples[0].delay_ns = MS / 5;
	judge();
	assert_int_equal(entry->found.verdict.suspected, TIO_CLASS_HARDIRQ_OFF);
	assert_string_equal(entry->found.suspect, "(waits for tasklist_lock, write)");
	assert_null(entry->found.lock);
	assert_null(entry->found.waiter);
	assert_null(entry->found.culprit);
	assert_false(charge_blames(entry));
	set_lock(&entry->rec.samples[0], TRACE_IRQOFF_LOCK_NONE, 0);
	judge();
	assert_string_equal(entry->found.suspect, "(waits for a lock of do_exit, write)");
}

/* another CPU requested the sample late, so the end decides, and is the release of a lock */
static void waits_to_the_last_moment(void **state)
{
	struct entry *entry = add_task_waiter(model, 0, 0, END, 30 * MS, AT_EXIT);
	struct tio_record *rec = &entry->rec;

	rec->samples[0].at_ns = END - MS / 4;
	rec->samples[0].flags |= TRACE_IRQOFF_F_ASKER_LATE;
	rec->end.flags = TRACE_IRQOFF_F_IRQS_ON | TRACE_IRQOFF_F_AT_IRQ_ENABLE;
	rec->steal = 1;
	set_stack(&rec->end, AT_WRITE_UNLOCK + 0x19, AT_EXIT + 0x90, AT_SYSCALL + 0x5d, 0ULL);
	assert_judged_blame(entry, "(waits for tasklist_lock, write)", "do_exit");
	assert_int_equal(entry->found.verdict.evidence, TIO_EVIDENCE_END);
	assert_ptr_equal(entry_waiting_sample(entry), &rec->samples[0]);
	assert_int_equal(entry->found.rwlock, TRACE_IRQOFF_LOCK_WRITE);
	/* it was sampled at work; it ended otherwise */
	set_lock(&rec->samples[0], TRACE_IRQOFF_LOCK_NONE, 0);
	set_stack(&rec->samples[0], AT_EXIT + 1, 0ULL);
	assert_judged_blame(entry, NULL, "do_exit");
	set_lock(&rec->samples[0], TRACE_IRQOFF_LOCK_WRITE, TASKLIST);
	set_stack(&rec->end, AT_EXIT + 0x90, AT_SYSCALL + 0x5d, 0ULL);
	assert_judged_blame(entry, NULL, "do_exit");
}

/* a sample that met a wait, in a stall that was none */
static void no_wait(void **state)
{
	struct entry *entry = add_task_waiter(model, 0, 0, END, 30 * MS, AT_EXIT);
	struct tio_record *rec = &entry->rec;

	/* in a storm; stolen; the end decides */
	rec->handlers = 100;
	rec->handler_ns = 29 * MS;
	judge();
	assert_null(entry->found.lock);
	rec->handlers = 0;
	rec->handler_ns = 0;
	rec->samples[0].delay_ns = 20 * MS;
	judge();
	assert_null(entry->found.lock);
	rec->samples[0].delay_ns = 0;
	rec->nsamples = 0;
	judge();
	assert_null(entry->found.lock);
	/* the samples speak for 9, 11 and 10 ms of it; the first one waits, and does not decide */
	rec->nsamples = 1;
	rec->samples[0].at_ns = 975 * MS;
	look_again(entry, 979 * MS, AT_STAT_FORMAT);
	look_again(entry, 990 * MS, AT_STAT_FORMAT);
	set_lock(&rec->samples[1], TRACE_IRQOFF_LOCK_NONE, 0);
	set_lock(&rec->samples[2], TRACE_IRQOFF_LOCK_NONE, 0);
	judge();
	assert_int_equal(entry->found.verdict.sample, 1);
	assert_null(entry->found.lock);
	/* the one that decides waits, but not for half of the time */
	set_lock(&rec->samples[1], TRACE_IRQOFF_LOCK_SPIN, ALLOCATED);
	rec->samples[0].lock_kind = TRACE_IRQOFF_LOCK_NONE;
	set_stack(&rec->samples[0], AT_STAT_FORMAT + 1, 0ULL);
	judge();
	assert_int_equal(entry->found.verdict.sample, 1);
	assert_null(entry->found.lock);
	/* of another lock; of the same one; of one that is not known */
	set_lock(&rec->samples[2], TRACE_IRQOFF_LOCK_SPIN, TASKLIST);
	judge();
	assert_null(entry->found.lock);
	set_lock(&rec->samples[2], TRACE_IRQOFF_LOCK_SPIN, ALLOCATED);
	judge();
	assert_non_null(entry->found.lock);
	rec->samples[2].lock_cpu = 1;
	judge();
	assert_null(entry->found.lock);
	set_lock(&rec->samples[2], TRACE_IRQOFF_LOCK_NONE, 0);
	set_stack(&rec->samples[2], AT_SPIN_PATH + 1, AT_STAT_FORMAT + 1, 0ULL);
	judge();
	assert_non_null(entry->found.lock);
}

static struct entry *add_lock_holder(__u32 cpu, __u64 seq, __u64 end_ns, __u64 min_ns)
{
	struct entry *entry = add_asked(model, cpu, seq, end_ns, min_ns, 0);

	set_stack(&entry->rec.samples[0], AT_STAT_FORMAT + 0x80, AT_SYSCALL + 0x5d, 0ULL);
	return entry;
}

/* a link that there is without the lock stays, and so does the victim's own name */
static void victims_stay(void **state)
{
	struct entry *holder = add_lock_holder(0, 7, END, 40 * MS);
	struct entry *victim = add_task_waiter(model, 1, 0, END, 36 * MS, AT_EXIT);

	assert_judged(victim, "0:7?");
	assert_blame(victim, NULL, "do_exit");
	assert_blame(holder, NULL, "memory_stat_format");
	holder->rec.end_ns -= 25 * MS;
	assert_judged(victim, "");
	assert_blame(victim, "(waits for tasklist_lock, write)", "do_exit");
}

/* who waits for a lock does not have it */
static void no_waiter_holds(void **state)
{
	struct entry *first = add_task_waiter(model, 0, 0, END, 90 * MS, AT_EXIT);
	struct entry *second = add_task_waiter(model, 1, 0, END, 30 * MS, AT_COPY_PROCESS);

	/* whatever its stack is called */
	set_stack(&first->rec.samples[0], AT_STAT_FORMAT + 1, 0ULL);
	first->rec.samples[0].at_ns = 980 * MS;
	assert_judged(second, "");
	assert_waits_for(first, "");
	set_lock(&first->rec.samples[0], TRACE_IRQOFF_LOCK_NONE, 0);
	assert_judged(second, "0:0?");
}

/* nor by way of others */
static void no_waiter_at_the_end(void **state)
{
	struct entry *last = add_task_waiter(model, 0, 0, END, 20 * MS, AT_EXIT);
	struct entry *middle = add_lock_holder(1, 0, END, 30 * MS);
	struct entry *first = add_lock_holder(2, 0, 988 * MS, 60 * MS);

	/* the middle one waits for the first one to answer an IPI */
	last->rec.samples[0].at_ns = 987 * MS;
	symbols_close(waiters.symbols);
	waiters.symbols = symbols_of(fixture_kallsyms, fixture_modules);
	set_stack(&middle->rec.samples[0], AT_CALL_MANY + 1, AT_MEMORY_STAT + 1, 0ULL);
	middle->rec.samples[0].at_ns = 975 * MS;
	look_again(middle, 988 * MS, AT_MEMORY_STAT);
	set_stack(&first->rec.samples[0], AT_MEMORY_STAT + 1, 0ULL);
	first->rec.samples[0].at_ns = 940 * MS;
	look_again(first, 984 * MS, AT_MEMORY_STAT);
	set_stack(&last->rec.samples[0], AT_SLOWPATH + 1, AT_MEMORY_STAT + 1, 0ULL);
	assert_judged(last, "2:0?");
	set_lock(&first->rec.samples[1], TRACE_IRQOFF_LOCK_WRITE, TASKLIST + 8);
	assert_judged(last, "2:0?");
	set_lock(&first->rec.samples[1], TRACE_IRQOFF_LOCK_WRITE, TASKLIST);
	assert_judged(last, "");
}

/* in a file that somebody changed samples may be of any time, in any order */
static void samples_out_of_order(void **state)
{
	const __u64 times[] = { 0, END - 40 * MS, END - 30 * MS, END - 20 * MS, END + MS, ~0ULL };
	const size_t count = ARRAY_SIZE(times);
	struct entry *entry = add_task_waiter(model, 1, 0, END, 36 * MS, AT_EXIT);
	struct tio_sample *samples = entry->rec.samples;

	look_again(entry, END, AT_WRITE_PATH);
	look_again(entry, END, AT_WRITE_PATH);
	set_lock(&samples[1], TRACE_IRQOFF_LOCK_WRITE, TASKLIST);
	set_lock(&samples[2], TRACE_IRQOFF_LOCK_WRITE, TASKLIST);
	for (size_t i = 0; i < count * count * count; i++) {
		samples[0].at_ns = times[i % count];
		samples[1].at_ns = times[i / count % count];
		samples[2].at_ns = times[i / count / count];
		assert_judged(entry, "");
	}
}

/* two that wait for one lock at a time wait for one holder */
static void shared_holder(void **state)
{
	struct entry *holder = add_lock_holder(0, 7, END, 40 * MS);
	struct entry *linked = add_task_waiter(model, 1, 0, END, 36 * MS, AT_EXIT);
	/* it gets the lock after the other one, so its wait ends later than the holder's stall */
	struct entry *later = add_task_waiter(model, 2, 0, END + 20 * MS, 50 * MS, AT_COPY_PROCESS);

	later->rec.samples[0].at_ns = 985 * MS;
	look_again(later, END + 10 * MS, AT_WRITE_PATH);
	assert_judged(linked, "0:7?");
	assert_waits_for(later, "0:7?");
	assert_blame(later, NULL, "copy_process");
	/* in whichever order they were met */
	later->rec.samples[0].at_ns = 980 * MS;
	assert_judged(later, "0:7?");
	/* another lock; another CPU's; none that is known */
	set_lock(&later->rec.samples[0], TRACE_IRQOFF_LOCK_WRITE, TASKLIST + 8);
	assert_judged(later, "");
	set_lock(&later->rec.samples[0], TRACE_IRQOFF_LOCK_WRITE, TASKLIST);
	later->rec.samples[0].lock_cpu = 1;
	assert_judged(later, "");
	set_lock(&later->rec.samples[0], TRACE_IRQOFF_LOCK_NONE, 0);
	assert_judged(later, "");
	/* the same one, wanted otherwise */
	set_lock(&later->rec.samples[0], TRACE_IRQOFF_LOCK_READ, TASKLIST);
	assert_judged(later, "0:7?");
	/* it was met waiting once what the linked one waited for was over */
	later->rec.samples[0].at_ns = END + MS;
	assert_judged(later, "");
	/* or once the linked one was, a little earlier */
	linked->rec.end_ns = END - MS / 2;
	later->rec.samples[0].at_ns = END - MS / 2;
	assert_judged(later, "0:7?");
	later->rec.samples[0].at_ns++;
	assert_judged(later, "");
	linked->rec.end_ns = END;
	/* it is on the holder's own CPU */
	later->rec.samples[0].at_ns = 985 * MS;
	assert_judged(later, "0:7?");
	later->rec.cpu = 0;
	assert_judged(later, "");
	later->rec.cpu = 2;
	/* what is taken for the holder waits for that lock then; it had waited before */
	look_again(holder, 984 * MS, AT_WRITE_PATH);
	set_lock(&holder->rec.samples[1], TRACE_IRQOFF_LOCK_WRITE, TASKLIST);
	assert_judged(linked, "0:7?");
	assert_waits_for(later, "");
	holder->rec.samples[1] = holder->rec.samples[0];
	holder->rec.samples[1].at_ns = 970 * MS;
	holder->rec.samples[0].at_ns = 965 * MS;
	set_lock(&holder->rec.samples[0], TRACE_IRQOFF_LOCK_WRITE, TASKLIST);
	assert_judged(linked, "0:7?");
	assert_waits_for(later, "0:7?");
}

static void prints_report(void **state)
{
	print_report(false);
	assert_golden("report-locks.txt", out, &text);
}

static void prints_json(void **state)
{
	print_report(true);
	assert_golden("report-locks.json", out, &text);
}

static void list_verbose(void **state)
{
	print_list(true);
	assert_golden("list-v-locks.txt", out, &text);
}

static void list_json(void **state)
{
	print_json_list();
	assert_golden("list-locks.json", out, &text);
}

/* nobody's stacks are those of who waited */
static void stacks_leave_out(void **state)
{
	struct stacks stacks;

	stacks_merge(&stacks, collection.symbols, &collection.model);
	assert_int_equal(stacks.root.total_ns, 50 * MS);
	stacks_free(&stacks);
	fclose(out);
	free(text);
}

/* a slow reply is nobody's doing either, and the lock stands there */
static void held_up_replies(void **state)
{
	struct candidates suspects = { 0 };

	for (size_t i = 0; i < 5; i++)
		candidates_add(&suspects, 0, &collection, NULL, collection.model.entries[i]);
	assert_null(suspects.all[0].culprit);
	assert_string_equal(suspects.all[0].lock, "(waits for tasklist_lock, write)");
	/* the holder and its victim */
	assert_string_equal(suspects.all[3].culprit, "memory_stat_format");
	assert_null(suspects.all[3].lock);
	assert_string_equal(suspects.all[4].culprit, "memory_stat_format");
	assert_null(suspects.all[4].lock);
	candidates_free(&suspects);
	fclose(out);
	free(text);
}

/* what is summed up of many: the most frequent functions, and a number for the others */
static void many_waiters(void **state)
{
	struct name_counts *some = NULL;
	char name[16], *printed;

	for (unsigned int i = 0; i < NAME_COUNTS_MOST + 3; i++) {
		snprintf(name, sizeof(name), "f%02u", i);
		name_counts_add(&some, name, 1);
	}
	name_counts_add(&some, "f07", 1);
	name_counts_sort(some);
	printed = name_counts_text(some, 3);
	assert_string_equal(printed, "f07 2, f00 1, f01 1, others 32");
	free(printed);
	assert_int_equal(some->count, NAME_COUNTS_MOST);
	assert_int_equal(name_counts_others(some), 3);
	name_counts_free(some);
	printed = name_counts_text(NULL, 3);
	assert_string_equal(printed, "");
	free(printed);
}

static void assert_meanwhile(const struct tio_meanwhile *got, const struct tio_meanwhile *sent)
{
	assert_int_equal(got->cpu, sent->cpu);
	assert_int_equal(got->noted, sent->noted);
	assert_int_equal(got->candidates, sent->candidates);
	assert_int_equal(!got->sample, !sent->sample);
	if (!got->sample)
		return;
	assert_string_equal(got->sample->comm, sent->sample->comm);
	assert_int_equal(got->sample->nframes, sent->sample->nframes);
	assert_memory_equal(got->sample->frames, sent->sample->frames,
			    sent->sample->nframes * sizeof(*sent->sample->frames));
}

static void assert_text(const char *got, const char *wanted)
{
	assert_string_equal(got ? got : "(none)", wanted ? wanted : "(none)");
}

/* the names are in the capture, those of per-CPU variables as well */
static void through_capture(void **state)
{
	struct filter filter = { .until_ns = ~0ULL };
	struct collection read;
	size_t len;
	char *bytes = wire_capture(&collection, false, &len);
	FILE *stream = fmemopen(bytes, len, "r");

	assert_non_null(stream);
	assert_int_equal(collect_stream(&read, stream, "FILE"), EXIT_DONE);
	fclose(stream);
	assert_int_equal(read.model.nentries, collection.model.nentries);
	collect_pass(&read, &filter);
	for (size_t i = 0; i < read.model.nentries; i++) {
		const struct entry *got = read.model.entries[i];
		const struct entry *sent = collection.model.entries[i];

		assert_string_equal(charge_culprit(got), charge_culprit(sent));
		assert_int_equal(got->rec.samples[0].lock, sent->rec.samples[0].lock);
		assert_int_equal(got->rec.samples[0].lock_kind, sent->rec.samples[0].lock_kind);
		assert_int_equal(got->rec.samples[0].lock_cpu, sent->rec.samples[0].lock_cpu);
		assert_meanwhile(&got->rec.meanwhile, &sent->rec.meanwhile);
		assert_text(got->found.candidate, sent->found.candidate);
	}
	assert_string_equal(read.model.entries[0]->found.candidate,
			    "cleaner (kill)");
	collect_free(&read);
	wire_assert_brief(bytes, len, &collection.model);
	free(bytes);
	fclose(out);
	free(text);
}

/* an address of a lock is one; an offset in each CPU's part is none */
static void strips(void **state)
{
	const struct tio_sample *meanwhile = collection.model.entries[0]->rec.meanwhile.sample;

	for (size_t i = 0; i < collection.model.nentries; i++) {
		struct tio_record *rec = &collection.model.entries[i]->rec;
		struct tio_sample *sample = &rec->samples[0];

		sample->nframes = 0;
		if (!sample->lock_cpu)
			sample->lock = 0;
		rec->meanwhile.sample = NULL;
	}
	assert_int_equal(strip_check(&collection.model), EXIT_DONE);
	collection.model.entries[0]->rec.meanwhile.sample = meanwhile;
	assert_int_equal(strip_check(&collection.model), EXIT_FAILED);
	collection.model.entries[0]->rec.meanwhile.sample = NULL;
	collection.model.entries[3]->rec.samples[0].lock = TASKLIST;
	assert_int_equal(strip_check(&collection.model), EXIT_FAILED);
	fclose(out);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_names(variables),
		test_names(of_each_cpu),
		test_names(fields),
		test_names(blames_nobody),
		test_names(waits_to_the_last_moment),
		test_names(no_suspect_waits),
		test_names(no_wait),
		test_names(victims_stay),
		test_names(no_waiter_holds),
		test_names(no_waiter_at_the_end),
		test_names(samples_out_of_order),
		test_names(shared_holder),
		test_locks(prints_report),
		test_locks(prints_json),
		test_locks(list_verbose),
		test_locks(list_json),
		test_locks(stacks_leave_out),
		test_locks(held_up_replies),
		cmocka_unit_test(many_waiters),
		test_locks(through_capture),
		test_locks(strips),
	};

	return cmocka_run_group_tests_name("lock", tests, NULL, NULL);
}
