// SPDX-License-Identifier: GPL-2.0-only
/* Which stalls wait, and for which other stall. */
#include "waiters.h"

#include "judge/victim.h"
#include "model/filter.h"

static void stacks(void **state)
{
	static const struct {
		__u64 frames[3];
		enum wait wanted;
	} cases[] = {
		{ { AT_SLOWPATH, AT_SPIN_LOCK, AT_MEMORY_STAT }, WAIT_LOCK },
		{ { AT_DELAY_TSC, AT_SLOWPATH, AT_MEMORY_STAT }, WAIT_LOCK },
		{ { AT_CALL_MANY, AT_MEMORY_STAT, AT_SYSCALL }, WAIT_IPI },
		{ { AT_DELAY_TSC, AT_CALL_MANY, AT_MEMORY_STAT }, WAIT_IPI },
		{ { AT_CALL_SINGLE, AT_SYSCALL }, WAIT_IPI },
		{ { AT_CPU_STOP, AT_MEMORY_STAT, AT_SYSCALL }, WAIT_STOP },
		/* it may have got the lock at once */
		{ { AT_SPIN_LOCK, AT_MEMORY_STAT, AT_SYSCALL }, WAIT_NONE },
		/*
		 * the function that the call runs here; the work that the last CPU
		 * does for all
		 */
		{ { AT_MEMORY_STAT, AT_CALL_MANY, AT_SYSCALL }, WAIT_NONE },
		{ { AT_FLUSH_COLD, AT_CPU_STOP, AT_SYSCALL }, WAIT_NONE },
		/* a module's own function with such a name */
		{ { AT_MODULE_WAIT, AT_SLOWPATH, AT_SYSCALL }, WAIT_NONE },
		{ { AT_NOTHING, AT_SLOWPATH, AT_SYSCALL }, WAIT_NONE },
		{ { 0 }, WAIT_NONE },
	};
	struct entry *entry = add_holder(1, 0, END, 30 * MS);

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const __u64 *frames = cases[i].frames;

		set_stack(&entry->rec.samples[0], frames[0] ? frames[0] + 1 : 0, frames[1] + 1,
			  frames[2] + 1, 0ULL);
		judge();
		if (victim_wait(entry) != cases[i].wanted)
			fail_msg("case %zu", i);
	}
}

/* a sample in a lock's slow path, on a CPU that nevertheless did not wait */
static void no_evidence_of_a_wait(void **state)
{
	struct entry *entry = add_waiter(1, 0, END, 30 * MS, AT_SLOWPATH);
	struct tio_record *rec = &entry->rec;

	judge();
	assert_int_equal(victim_wait(entry), WAIT_LOCK);
	/* stolen, in a storm, idle, open */
	rec->samples[0].delay_ns = 20 * MS;
	judge();
	assert_int_equal(victim_wait(entry), WAIT_NONE);
	rec->samples[0].delay_ns = 0;
	rec->handlers = 100;
	rec->handler_ns = 29 * MS;
	judge();
	assert_int_equal(victim_wait(entry), WAIT_NONE);
	rec->handlers = 0;
	rec->handler_ns = 0;
	rec->samples[0].flags |= TRACE_IRQOFF_F_IDLE;
	judge();
	assert_int_equal(victim_wait(entry), WAIT_NONE);
	rec->samples[0].flags &= ~TRACE_IRQOFF_F_IDLE;
	rec->open = true;
	judge();
	assert_int_equal(victim_wait(entry), WAIT_NONE);
	/* the end comes right after the lock was taken */
	rec->open = false;
	rec->end = rec->samples[0];
	rec->end.flags = TRACE_IRQOFF_F_IRQS_ON | TRACE_IRQOFF_F_AT_IRQ_ENABLE;
	rec->nsamples = 0;
	judge();
	assert_int_equal(entry->found.verdict.class, TIO_CLASS_HARDIRQ_OFF);
	assert_int_equal(victim_wait(entry), WAIT_NONE);
}

static void convoy(void **state)
{
	struct entry *holder = add_holder(0, 7, END, 40 * MS);
	struct entry *first = add_waiter(1, 0, END + MS / 2, 38 * MS, AT_SLOWPATH);
	struct entry *second = add_soft_waiter(2, 3, END + MS, 36 * MS, AT_SLOWPATH);

	assert_judged(holder, "");
	assert_waits_for(first, "0:7?");
	assert_waits_for(second, "0:7?");
	/* only the holder's end is known */
	holder->rec.nsamples = 0;
	assert_judged(first, "0:7?");
	/* or it is only known that the holder did not run */
	holder->rec.end.flags = TRACE_IRQOFF_F_IRQS_ON | TRACE_IRQOFF_F_ASKER_LATE;
	judge();
	assert_int_equal(holder->found.verdict.class, TIO_CLASS_STOLEN);
	assert_waits_for(first, "0:7?");
}

/* a task in user mode holds no lock, whoever waits besides */
static void in_user_mode(void **state)
{
	struct entry *hog = add_soft(model, 0, 0, END, 40 * MS, TRACE_IRQOFF_F_USER);
	struct entry *waiter = add_waiter(1, 0, END, 38 * MS, AT_SLOWPATH);

	hog->rec.samples[0].pending = 8;
	judge();
	assert_int_equal(hog->found.verdict.class, TIO_CLASS_KSOFTIRQD_WAIT);
	assert_waits_for(waiter, "");
	hog->rec.samples[0].flags = 0;
	assert_judged(waiter, "0:0?");
}

/* each holds the lock for some 30 ms, and has interrupts off since it began to wait */
static void convoy_of_equals(void **state)
{
	struct entry *first = add_holder(0, 0, END + 30 * MS, 30 * MS);
	struct entry *second = add_waiter(1, 0, END + 58 * MS, 58 * MS, AT_SLOWPATH);
	struct entry *third = add_waiter(2, 0, END + 88 * MS, 88 * MS, AT_SLOWPATH);

	second->rec.samples[0].at_ns = END + 10 * MS;
	look_again(second, END + 20 * MS, AT_SLOWPATH);
	look_again(second, END + 40 * MS, AT_FLUSH_COLD);
	third->rec.samples[0].at_ns = END + 10 * MS;
	look_again(third, END + 20 * MS, AT_SLOWPATH);
	look_again(third, END + 40 * MS, AT_SLOWPATH);
	look_again(third, END + 80 * MS, AT_FLUSH_COLD);
	assert_judged(first, "");
	assert_waits_for(second, "0:0?");
	/* the first stall was over when the third one's deciding sample was taken */
	assert_waits_for(third, "1:0?");
}

static void apart(void **state)
{
	/*
	 * stalls of CPU 0, while CPU 1 waits from 970 to 1000 ms, with samples at
	 * met_ns and 990
	 */
	static const struct {
		__u64 met_ns;
		__u64 end_ns;
		__u64 min_ns;
		const char *wanted;
	} cases[] = {
		{ 985 * MS, 969 * MS, 40 * MS, "" },
		/*
		 * it ended before the last sample of the wait, by more than bounds
		 * may be wrong; by as much
		 */
		{ 985 * MS, 988799999, 60 * MS, "" },
		{ 985 * MS, 988800000, 60 * MS, "0:0?" },
		/*
		 * it lasts for less than half of the wait; it begins after the first
		 * sample, which decides
		 */
		{ 988 * MS, 1000 * MS, 14 * MS, "" },
		{ 988 * MS, 1000 * MS, 15 * MS, "0:0?" },
		{ 982 * MS, 1000 * MS, 17 * MS, "" },
		{ 982 * MS, 1000 * MS, 18 * MS, "0:0?" },
		/* bounds may be wrong by a period and 200 us */
		{ 985 * MS, 1001200000, 40 * MS, "0:0?" },
		{ 985 * MS, 1001200001, 40 * MS, "" },
	};
	struct entry *holder = add_holder(0, 0, END, 30 * MS);
	struct entry *victim = add_waiter(1, 0, END, 30 * MS, AT_SLOWPATH);

	look_again(victim, 990 * MS, AT_SLOWPATH);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		victim->rec.samples[0].at_ns = cases[i].met_ns;
		holder->rec.end_ns = cases[i].end_ns;
		holder->rec.min_ns = cases[i].min_ns;
		assert_judged(victim, cases[i].wanted);
	}
	/* its end is not known; it is on the same CPU */
	holder->rec.end_ns = END;
	holder->rec.open = true;
	assert_judged(victim, "");
	holder->rec.open = false;
	holder->rec.cpu = 1;
	assert_judged(victim, "");
	holder->rec.cpu = 0;
	assert_judged(victim, "0:0?");
}

/* a victim that goes on with something else after the wait */
static void apart_from_the_end(void **state)
{
	struct entry *holder = add_holder(0, 0, 984 * MS, 30 * MS);
	struct entry *victim = add_waiter(1, 0, END, 30 * MS, AT_SLOWPATH);

	/* the holder covers less than half of it; half of it */
	victim->rec.samples[0].at_ns = 980 * MS;
	assert_judged(victim, "");
	holder->rec.end_ns = 985 * MS;
	assert_judged(victim, "0:0?");
	look_again(victim, 990 * MS, AT_SLOWPATH);
	look_again(victim, 995 * MS, AT_FLUSH_COLD);
	holder->rec.min_ns = 40 * MS;
	holder->rec.end_ns = 996 * MS;
	assert_judged(victim, "0:0?");
	holder->rec.end_ns = 997 * MS;
	assert_judged(victim, "");
}

static void among_several(void **state)
{
	struct entry *victim = add_waiter(1, 0, END, 30 * MS, AT_SLOWPATH);
	struct entry *longest = add_soft(model, 2, 0, END, 26 * MS, TRACE_IRQOFF_F_BH_OFF);

	add_holder(0, 0, END - MS, 20 * MS);
	add_holder(3, 0, END + MS, 24 * MS);
	assert_judged(victim, "2:0?");
	/* the longest one itself waits, for something else */
	set_stack(&longest->rec.samples[0], AT_CALL_MANY + 1, AT_MEMORY_STAT + 1, 0ULL);
	assert_judged(victim, "3:0?");
	/* or for the same thing as the victim */
	set_stack(&longest->rec.samples[0], AT_SLOWPATH + 1, AT_MEMORY_STAT + 1, 0ULL);
	assert_judged(victim, "3:0?");
	assert_waits_for(longest, "3:0?");
	/* wherever it comes in the order */
	longest->rec.end_ns += MS + 1;
	longest->rec.samples[0].at_ns = END - 24 * MS;
	set_stack(&longest->rec.samples[0], AT_CALL_MANY + 1, AT_MEMORY_STAT + 1, 0ULL);
	assert_judged(victim, "3:0?");
}

/* of two that wait for a lock neither holds it, and the holder may have no record */
static void no_holder(void **state)
{
	struct entry *first = add_waiter(0, 0, END, 90 * MS, AT_SLOWPATH);
	struct entry *second = add_waiter(1, 0, END, 30 * MS, AT_SLOWPATH);

	assert_judged(first, "");
	assert_waits_for(second, "");
}

static void chain(void **state)
{
	struct entry *last = add_soft_waiter(0, 0, END, 20 * MS, AT_SLOWPATH);
	struct entry *middle = add_soft_waiter(1, 0, END, 30 * MS, AT_CALL_MANY);
	/* it ended too early for the last one to have waited for it without the middle one */
	struct entry *first = add_holder(2, 0, 988 * MS, 60 * MS);

	last->rec.samples[0].at_ns = 987 * MS;
	assert_judged(middle, "2:0?");
	assert_waits_for(last, "2:0?");
	/* it also ended before the last one was sampled */
	first->rec.end_ns = 986 * MS;
	assert_judged(middle, "2:0?");
	assert_waits_for(last, "1:0?");
	/* the middle one waits, but it is not known for whom */
	first->rec.kind = TRACE_IRQOFF_KIND_SOFT;
	assert_judged(middle, "");
	assert_waits_for(last, "1:0?");
}

static void circle(void **state)
{
	struct entry *lock = add_waiter(0, 0, END, 30 * MS, AT_SLOWPATH);
	struct entry *other = add_waiter(1, 0, END, 30 * MS, AT_SLOWPATH);

	assert_judged(lock, "");
	assert_waits_for(other, "");
	/*
	 * one waits for the other's lock, and has interrupts off while the other
	 * wants its answer
	 */
	set_stack(&other->rec.samples[0], AT_CALL_MANY + 1, 0ULL);
	strcpy(model->config.watched, "0-2");
	assert_judged(lock, "");
	assert_waits_for(other, "");
	strcpy(model->config.watched, "0-3");
	assert_judged(lock, "");
	assert_waits_for(other, "0:0");
	/* a third one gets no link either */
	other = add_waiter(2, 0, END, 30 * MS, AT_CPU_STOP);
	assert_judged(other, "");
}

/* a section of which only the end was seen, in the release of the lock that @in had */
static struct entry *add_unlocking(__u32 cpu, __u64 end_ns, __u64 min_ns, __u64 in)
{
	struct entry *entry = add_hard(model, cpu, 0, end_ns, min_ns);

	set_stack(&entry->rec.end, AT_SPIN_UNLOCK + 0x15, in + 0x80, AT_SYSCALL + 0x5d, 0ULL);
	return entry;
}

/* interrupts are off on both CPUs, and no third one is there to take a sample */
static void by_their_ends(void **state)
{
	struct entry *holder = add_unlocking(0, END, 40 * MS, AT_MEMORY_STAT);
	struct entry *spinner = add_unlocking(1, END + MS, 36 * MS, AT_FLUSH_COLD);
	struct entry *third;

	assert_judged(spinner, "0:0?");
	assert_waits_for(holder, "");
	assert_int_equal(victim_wait(spinner), WAIT_LOCK);
	assert_string_equal(holder->found.culprit, "memory_stat_format");
	/* it took the interrupt that ends its stall a little later; too late to be the same */
	holder->rec.end_ns = spinner->rec.end_ns + MS + 200000;
	holder->rec.min_ns += 2 * MS;
	assert_judged(spinner, "0:0?");
	holder->rec.end_ns++;
	assert_judged(spinner, "");
	assert_int_equal(victim_wait(spinner), WAIT_NONE);
	holder->rec.end_ns = spinner->rec.end_ns - MS - 200000;
	assert_judged(spinner, "0:0?");
	holder->rec.end_ns--;
	assert_judged(spinner, "");
	holder->rec.end_ns = END;
	/* by the bounds it is not certain which of them began first; just certain */
	holder->rec.min_ns = 36 * MS - 1;
	assert_judged(spinner, "");
	assert_waits_for(holder, "");
	holder->rec.min_ns++;
	assert_judged(spinner, "0:0?");
	/* one of them does not end in the release of a lock; a module's function of that name */
	set_stack(&holder->rec.end, AT_MEMORY_STAT + 0x80, AT_SYSCALL + 0x5d, 0ULL);
	assert_judged(spinner, "");
	set_stack(&holder->rec.end, AT_MODULE_LOCK + 0x15, AT_MEMORY_STAT + 0x80, 0ULL);
	assert_judged(spinner, "");
	set_stack(&holder->rec.end, AT_SPIN_UNLOCK + 0x15, AT_MEMORY_STAT + 0x80, 0ULL);
	assert_judged(spinner, "0:0?");
	/* a sample met the spinner at work */
	spinner->rec.nsamples = 1;
	spinner->rec.samples[0] = (struct tio_sample){
		.at_ns = END - 10 * MS, .flags = TRACE_IRQOFF_F_ASKED,
	};
	assert_judged(spinner, "");
	/* one of its last moment did so, beside which the end is the evidence; or met it waiting */
	spinner->rec.samples[0].at_ns = spinner->rec.end_ns - MS / 2;
	spinner->rec.samples[0].flags |= TRACE_IRQOFF_F_ASKER_LATE;
	set_stack(&spinner->rec.samples[0], AT_MEMORY_STAT + 0x40, AT_SYSCALL + 0x5d, 0ULL);
	assert_judged(spinner, "");
	assert_int_equal(spinner->found.verdict.class, TIO_CLASS_HARDIRQ_OFF);
	assert_int_equal(spinner->found.verdict.evidence, TIO_EVIDENCE_END);
	set_stack(&spinner->rec.samples[0], AT_SLOWPATH + 0x11, AT_SPIN_LOCK + 0x20,
		  AT_MEMORY_STAT + 0x40, 0ULL);
	assert_judged(spinner, "0:0?");
	spinner->rec.nsamples = 0;
	/* the holder did not run, so it is not known what it held */
	holder->rec.steal = 30 * MS;
	assert_judged(spinner, "");
	holder->rec.steal = 0;
	/* of two that spin each waits for the one that began first */
	third = add_unlocking(2, END + MS / 2, 20 * MS, AT_FLUSH_COLD);
	assert_judged(spinner, "0:0?");
	assert_waits_for(third, "0:0?");
}

static void filtered(void **state)
{
	struct entry *victim = add_waiter(1, 0, END, 36 * MS, AT_SLOWPATH);
	struct filter filter;

	add_holder(0, 7, END, 40 * MS);
	judge();
	filter_init(&filter);
	assert_int_equal(filter_option(&filter, FILTER_CPU, "1"), EXIT_DONE);
	filter_apply(&filter, model);
	filter_free(&filter);
	assert_int_equal(model->nentries, 1);
	assert_ptr_equal(model->entries[0], victim);
	assert_waits_for(victim, "0:7?");
	assert_string_equal(victim->found.waits_for->found.culprit, "memory_stat_format");
	filter_init(&filter);
	filter.newest = 1;
	filter_apply(&filter, model);
	assert_waits_for(victim, "0:7?");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_waiters(stacks),
		test_waiters(no_evidence_of_a_wait),
		test_waiters(convoy),
		test_waiters(in_user_mode),
		test_waiters(convoy_of_equals),
		test_waiters(apart),
		test_waiters(apart_from_the_end),
		test_waiters(among_several),
		test_waiters(no_holder),
		test_waiters(chain),
		test_waiters(circle),
		test_waiters(by_their_ends),
		test_waiters(filtered),
	};

	return cmocka_run_group_tests_name("victim", tests, NULL, NULL);
}
