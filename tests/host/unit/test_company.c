// SPDX-License-Identifier: GPL-2.0-only
/* Stalls of CPUs that stalled together: is it a section, or did no CPU run? */
#include "waiters.h"

/* it ended right behind the instruction that enables interrupts; the requester was late too */
static struct entry *add_together(__u32 cpu, __u64 end_ns, __u64 in, __u64 from)
{
	struct entry *entry = add_hard(model, cpu, 0, end_ns, 40 * MS);

	entry->rec.end.flags |= TRACE_IRQOFF_F_ASKER_LATE;
	set_stack(&entry->rec.end, in + 0x15, from + 0x80, AT_SYSCALL + 0x5d, 0ULL);
	return entry;
}

static void assert_section(const struct entry *entry, const char *culprit)
{
	assert_int_equal(entry->found.verdict.class, TIO_CLASS_HARDIRQ_OFF);
	assert_string_equal(entry->found.culprit, culprit);
}

static void assert_unknown(const struct entry *entry)
{
	assert_int_equal(entry->found.verdict.class, TIO_CLASS_UNKNOWN);
	assert_null(entry->found.culprit);
}

static void same_function(void **state)
{
	struct entry *first = add_together(0, END, AT_MEMORY_STAT, AT_FLUSH_COLD);
	struct entry *second;

	judge();
	assert_unknown(first);
	second = add_together(1, END + MS, AT_MEMORY_STAT, AT_PAGE_FAULT);
	judge();
	assert_section(first, "memory_stat_format");
	assert_section(second, "memory_stat_format");
	/* a period and what bounds may be wrong by; one nanosecond more */
	second->rec.end_ns = END + MS + 200000;
	judge();
	assert_section(first, "memory_stat_format");
	second->rec.end_ns++;
	judge();
	assert_unknown(first);
	assert_unknown(second);
	second->rec.end_ns = END - MS - 200000;
	judge();
	assert_section(first, "memory_stat_format");
	second->rec.end_ns--;
	judge();
	assert_unknown(first);
	second->rec.end_ns = END;
	/* on the same CPU; still open; a soft one */
	second->rec.cpu = 0;
	judge();
	assert_unknown(first);
	second->rec.cpu = 1;
	second->rec.open = true;
	judge();
	assert_unknown(first);
	second->rec.open = false;
	second->rec.kind = TRACE_IRQOFF_KIND_SOFT;
	judge();
	assert_unknown(first);
	second->rec.kind = TRACE_IRQOFF_KIND_HARD;
	/* its own record says what it is; or that the CPU did not run */
	second->rec.end.flags &= ~TRACE_IRQOFF_F_ASKER_LATE;
	judge();
	assert_section(first, "memory_stat_format");
	second->rec.steal = 30 * MS;
	judge();
	assert_unknown(first);
	second->rec.steal = 0;
	/* it ended elsewhere in that function */
	second->rec.end.flags &= ~TRACE_IRQOFF_F_AT_IRQ_ENABLE;
	judge();
	assert_unknown(first);
	second->rec.end.flags |= TRACE_IRQOFF_F_AT_IRQ_ENABLE;
	/* a module's function of the same name is another one */
	set_stack(&first->rec.end, AT_SPIN_UNLOCK + 0x15, AT_SLOWPATH + 0x80, 0ULL);
	set_stack(&second->rec.end, AT_MODULE_WAIT + 0x15, 0ULL);
	judge();
	assert_unknown(first);
}

/* two CPUs alone, of which one may have had the lock that the other one waited for */
static void release_of_a_lock(void **state)
{
	struct entry *first = add_together(0, END, AT_SPIN_UNLOCK, AT_MEMORY_STAT);
	struct entry *second = add_together(1, END, AT_SPIN_UNLOCK, AT_FLUSH_COLD);
	struct entry *third;

	judge();
	assert_section(first, "memory_stat_format");
	assert_section(second, "cgroup_rstat_flush_locked");
	assert_waits_for(first, "");
	/* neither began before the other one */
	assert_waits_for(second, "");
	second->rec.min_ns -= 10 * MS;
	second->rec.max_ns -= 10 * MS;
	assert_judged(second, "0:0?");
	/* a third CPU that did something else stalled with them: all may have been stopped */
	third = add_together(2, END, AT_ESTIMATION, AT_PAGE_FAULT);
	judge();
	assert_unknown(first);
	assert_unknown(second);
	assert_waits_for(second, "");
	third->rec.end_ns = END + 2 * MS;
	judge();
	assert_section(first, "memory_stat_format");
	/* the other one did not end so */
	set_stack(&second->rec.end, AT_FLUSH_COLD + 0x15, AT_SYSCALL + 0x5d, 0ULL);
	judge();
	assert_unknown(first);
	assert_unknown(second);
}

/* each looks like a section by its end, and nobody says whether it ran */
static void two_ends(void **state)
{
	struct entry *first = add_together(0, END, AT_MEMORY_STAT, AT_SYSCALL);
	struct entry *second = add_together(1, END, AT_FLUSH_COLD, AT_SYSCALL);

	first->rec.end.flags &= ~TRACE_IRQOFF_F_ASKER_LATE;
	second->rec.end.flags = TRACE_IRQOFF_F_IRQS_ON;
	judge();
	assert_unknown(first);
	second->rec.end.flags |= TRACE_IRQOFF_F_AT_IRQ_ENABLE;
	judge();
	assert_unknown(first);
	assert_unknown(second);
	/* the kernel counts, and says that it ran */
	first->rec.steal = 1;
	judge();
	assert_section(first, "memory_stat_format");
	first->rec.steal = 0;
	/* not ended together; the other one began when half of the stall was over, or later */
	second->rec.end_ns = END + MS + 200001;
	judge();
	assert_section(first, "memory_stat_format");
	second->rec.end_ns = END;
	second->rec.min_ns = 20 * MS;
	judge();
	assert_unknown(first);
	second->rec.min_ns--;
	judge();
	assert_section(first, "memory_stat_format");
	second->rec.min_ns = 40 * MS;
	/* a sample says that the other one ran */
	second->rec.nsamples = 1;
	second->rec.samples[0] = (struct tio_sample){
		.at_ns = END - 20 * MS, .flags = TRACE_IRQOFF_F_ASKED,
	};
	judge();
	assert_section(first, "memory_stat_format");
	/* or that it did not */
	second->rec.samples[0].flags |= TRACE_IRQOFF_F_IRQS_ON;
	judge();
	assert_int_equal(second->found.verdict.class, TIO_CLASS_STOLEN);
	assert_unknown(first);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_waiters(same_function),
		test_waiters(release_of_a_lock),
		test_waiters(two_ends),
	};

	return cmocka_run_group_tests_name("company", tests, NULL, NULL);
}
