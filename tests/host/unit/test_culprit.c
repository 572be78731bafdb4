// SPDX-License-Identifier: GPL-2.0-only
#include "fixture.h"

#include "judge/culprit.h"

static struct symbols *symbols;
static struct model model;

static int open_symbols(void **state)
{
	symbols = symbols_of(fixture_kallsyms, fixture_modules);
	return 0;
}

static int close_symbols(void **state)
{
	symbols_close(symbols);
	return 0;
}

static int forget(void **state)
{
	model_free(&model);
	return 0;
}

static void assert_culprit(struct entry *entry, const char *wanted)
{
	tio_judge(&entry->rec, &entry->found.verdict);
	culprit_find(symbols, entry);
	if (wanted) {
		assert_non_null(entry->found.culprit);
		assert_string_equal(entry->found.culprit, wanted);
	} else {
		assert_null(entry->found.culprit);
	}
}

static void past_helpers(void **state)
{
	struct entry *entry = add_hard(&model, 0, 0, 1000 * MS, 40 * MS);

	set_stack(&entry->rec.end, AT_SPIN_UNLOCK + 1, AT_MEMORY_STAT + 1, AT_SYSCALL + 1, 0ULL);
	assert_culprit(entry, "memory_stat_format");
	set_stack(&entry->rec.end, AT_SPIN_UNLOCK + 1, AT_DELAY_TSC + 1, AT_FLUSH_COLD + 1, 0ULL);
	assert_culprit(entry, "cgroup_rstat_flush_locked");
	set_stack(&entry->rec.end, AT_ESTIMATION + 1, AT_MEMORY_STAT + 1, 0ULL);
	assert_culprit(entry, "estimation_timer [ip_vs]");
	/* a module's own function of that name is itself to blame */
	set_stack(&entry->rec.end, AT_MODULE_LOCK + 1, AT_MEMORY_STAT + 1, 0ULL);
	assert_culprit(entry, "_raw_spin_lock [ip_vs]");
	/* a helper in the middle of the stack changes nothing */
	set_stack(&entry->rec.end, AT_SCHEDULE + 1, AT_DELAY_TSC + 1, AT_MEMORY_STAT + 1, 0ULL);
	assert_culprit(entry, "__schedule");
}

/* the code that a probe is in is to blame; all else that the tracer does is its own */
static void tracer(void **state)
{
	struct entry *entry = add_asked(&model, 0, 0, 1000 * MS, 40 * MS, 0);
	struct tio_sample *sample = &entry->rec.samples[0];

	set_stack(sample, AT_PROBE + 1, AT_MEMORY_STAT + 1, AT_SYSCALL + 1, 0ULL);
	assert_culprit(entry, "memory_stat_format");
	set_stack(sample, AT_DELAY_TSC + 1, AT_PROBE + 1, AT_ESTIMATION + 1, 0ULL);
	assert_culprit(entry, "estimation_timer [ip_vs]");
	/* whatever the probe calls */
	set_stack(sample, AT_FLUSH_COLD + 1, AT_TRACER + 1, AT_PROBE + 1, AT_ESTIMATION + 1, 0ULL);
	assert_culprit(entry, "estimation_timer [ip_vs]");
	/* what the tracer calls of the kernel's is its own work */
	set_stack(sample, AT_FLUSH_COLD + 1, AT_TRACER + 1, AT_SYSCALL + 1, 0ULL);
	assert_culprit(entry, "(trace_irqoff)");
	set_stack(sample, AT_TRACER + 1, 0ULL);
	assert_culprit(entry, "(trace_irqoff)");
	assert_false(entry->found.or_caller);
	/* where nothing else is left, the probe's is, too */
	set_stack(sample, AT_PROBE + 1, 0ULL);
	assert_culprit(entry, "(trace_irqoff)");
	/* in its own handler as well, but not in a probe of another one's */
	sample->flags |= TRACE_IRQOFF_F_HARDIRQ;
	sample->handler_ns = 20 * MS;
	strcpy(sample->irq.name, "local_timer");
	set_stack(sample, AT_DELAY_TSC + 1, AT_TRACER + 1, AT_HRTIMER_INTERRUPT + 1,
		  AT_SYSVEC_TIMER + 1, 0ULL);
	assert_culprit(entry, "(trace_irqoff)");
	set_stack(sample, AT_PROBE + 1, AT_HRTIMER_INTERRUPT + 1, AT_SYSVEC_TIMER + 1, 0ULL);
	assert_culprit(entry, "(interrupt local_timer)");
}

/* where a hypervisor may have had the CPU, the end suspects whom it blames elsewhere */
static void suspects(void **state)
{
	struct entry *entry = add_hard(&model, 0, 0, 1000 * MS, 40 * MS);

	set_stack(&entry->rec.end, AT_MEMORY_STAT + 1, AT_SYSCALL + 1, 0ULL);
	assert_culprit(entry, "memory_stat_format");
	assert_null(entry->found.suspect);
	entry->rec.beneath = TIO_BENEATH_HYPERVISOR;
	assert_culprit(entry, NULL);
	assert_string_equal(entry->found.suspect, "memory_stat_format");
	assert_int_equal(entry->found.culprit_by, CULPRIT_BY_NOTHING);
	entry->rec.end.handler_ns = 30 * MS;
	entry->rec.handler_ns = 30 * MS;
	strcpy(entry->rec.end.irq.name, "local_timer");
	entry->rec.end.irq.number = TIO_NO_IRQ;
	assert_culprit(entry, NULL);
	assert_string_equal(entry->found.suspect, "(interrupt local_timer)");
	/* it counts that it took nothing */
	entry->rec.steal = 1;
	assert_culprit(entry, "(interrupt local_timer)");
	assert_null(entry->found.suspect);
}

static void nobody_but_helpers(void **state)
{
	struct entry *entry = add_hard(&model, 0, 0, 1000 * MS, 40 * MS);

	set_stack(&entry->rec.end, AT_DELAY_TSC + 1, AT_SPIN_UNLOCK + 1, 0ULL);
	assert_culprit(entry, "delay_tsc");
	set_stack(&entry->rec.end, AT_DELAY_TSC + 1, AT_CALL_TIMER_FN + 1, 0ULL);
	assert_culprit(entry, "call_timer_fn");
}

static void in_softirqs(void **state)
{
	struct entry *entry = add_soft(&model, 0, 0, 1000 * MS, 40 * MS,
				       TRACE_IRQOFF_F_SERVING_SOFTIRQ);
	struct tio_sample *sample = &entry->rec.samples[0];

	set_stack(sample, AT_DELAY_TSC + 1, AT_ESTIMATION + 1, AT_CALL_TIMER_FN + 1,
		  AT_RUN_TIMERS + 1, AT_HANDLE_SOFTIRQS + 1, AT_MEMORY_STAT + 1, 0ULL);
	assert_culprit(entry, "estimation_timer [ip_vs]");
	/* the task that the softirq interrupted is innocent */
	set_stack(sample, AT_RUN_TIMERS + 1, AT_HANDLE_SOFTIRQS + 1, AT_MEMORY_STAT + 1, 0ULL);
	assert_culprit(entry, "__run_timers");
	set_stack(sample, AT_SPIN_UNLOCK + 1, AT_HANDLE_SOFTIRQS + 1, AT_MEMORY_STAT + 1, 0ULL);
	assert_culprit(entry, "(softirqs)");
	sample->softirq = 1 + 1;
	assert_culprit(entry, "(softirq TIMER)");
	/* if no softirq is served, the stack is the task's own */
	sample->flags = TRACE_IRQOFF_F_BH_OFF;
	assert_culprit(entry, "memory_stat_format");
}

/* so many handlers that no single one is to blame */
static void storms(void **state)
{
	struct entry *entry = add_asked(&model, 0, 0, 1000 * MS, 40 * MS, TRACE_IRQOFF_F_HARDIRQ);
	struct tio_record *rec = &entry->rec;

	set_stack(&rec->samples[0], AT_VRING_INTERRUPT + 1, AT_ASM_INTERRUPT + 1, 0ULL);
	rec->handler_known = 1;
	rec->handlers = 1000;
	rec->handler_ns = rec->min_ns;
	rec->end.irq = (struct tio_irq) { .number = TIO_NO_IRQ, .name = "irq_work" };
	assert_culprit(entry, "(interrupt irq_work)");
	/* nor is one if only the end was sampled */
	rec->nsamples = 0;
	assert_culprit(entry, "(interrupt irq_work)");
	/* several interrupts, none of which took most of the time */
	*rec->end.irq.name = '\0';
	assert_culprit(entry, NULL);
}

/* a handler and the function that it interrupted */
static void in_interrupts(void **state)
{
	struct entry *entry = add_asked(&model, 0, 0, 1000 * MS, 40 * MS, TRACE_IRQOFF_F_HARDIRQ);
	struct tio_sample *sample = &entry->rec.samples[0];

	set_stack(sample, AT_DELAY_TSC + 1, AT_VRING_INTERRUPT + 1, AT_HANDLE_EVENT + 1,
		  AT_HANDLE_EDGE + 1, AT_INTERRUPT + 1, AT_ASM_INTERRUPT + 1, AT_MEMORY_STAT + 1,
		  0ULL);
	assert_culprit(entry, "vring_interrupt");
	set_stack(sample, AT_DELAY_TSC + 1, AT_ESTIMATION + 1, AT_HANDLE_EVENT + 1,
		  AT_ASM_INTERRUPT + 1, AT_MEMORY_STAT + 1, 0ULL);
	assert_culprit(entry, "estimation_timer [ip_vs]");
	/* the interrupted function is innocent */
	set_stack(sample, AT_SPIN_UNLOCK + 1, AT_HANDLE_EDGE + 1, AT_INTERRUPT + 1,
		  AT_ASM_INTERRUPT + 1, AT_MEMORY_STAT + 1, 0ULL);
	assert_culprit(entry, "handle_edge_irq");
	set_stack(sample, AT_HRTIMER_INTERRUPT + 1, AT_SYSVEC_TIMER + 1, AT_MEMORY_STAT + 1, 0ULL);
	assert_culprit(entry, "hrtimer_interrupt");
	set_stack(sample, AT_DELAY_TSC + 1, AT_ASM_INTERRUPT + 1, AT_MEMORY_STAT + 1, 0ULL);
	assert_culprit(entry, "(interrupts)");
	/* the number and name of the interrupt say more, if they are known */
	sample->irq = (struct tio_irq) { .number = 24, .name = "virtio0-input.0" };
	assert_culprit(entry, "(interrupt 24 virtio0-input.0)");
	sample->irq = (struct tio_irq) { .number = TIO_NO_IRQ };
	/* an exception within the handler is not the handler's end */
	set_stack(sample, AT_DELAY_TSC + 1, AT_PAGE_FAULT + 1, AT_VRING_INTERRUPT + 1,
		  AT_ASM_INTERRUPT + 1, AT_MEMORY_STAT + 1, 0ULL);
	assert_culprit(entry, "vring_interrupt");
	/* a handler on top of a softirq, which is innocent too */
	sample->flags |= TRACE_IRQOFF_F_SERVING_SOFTIRQ;
	set_stack(sample, AT_DELAY_TSC + 1, AT_SYSVEC_TIMER + 1, AT_ESTIMATION + 1,
		  AT_HANDLE_SOFTIRQS + 1, 0ULL);
	assert_culprit(entry, "(interrupts)");
}

/* the stack is that of the interrupted task, which is innocent */
static void interrupts_by_their_end(void **state)
{
	struct entry *entry = add_hard(&model, 0, 0, 1000 * MS, 40 * MS);
	struct tio_irq *irq = &entry->rec.end.irq;

	set_stack(&entry->rec.end, AT_SPIN_UNLOCK + 1, AT_MEMORY_STAT + 1, 0ULL);
	entry->rec.handler_ns = 39 * MS;
	entry->rec.end.handler_ns = 39 * MS;
	irq->number = 24;
	assert_culprit(entry, NULL);
	strcpy(irq->name, "eth0");
	assert_culprit(entry, "(interrupt 24 eth0)");
	irq->number = TIO_NO_IRQ;
	strcpy(irq->name, "local_timer");
	assert_culprit(entry, "(interrupt local_timer)");
}

static void asked_sections(void **state)
{
	struct entry *entry = add_asked(&model, 0, 0, 1000 * MS, 40 * MS, 0);
	struct tio_sample *sample = &entry->rec.samples[0];

	set_stack(&entry->rec.end, AT_ESTIMATION + 1, 0ULL);
	set_stack(sample, AT_DELAY_TSC + 1, AT_MEMORY_STAT + 1, AT_SYSCALL + 1, 0ULL);
	assert_culprit(entry, "memory_stat_format");
	sample->flags |= TRACE_IRQOFF_F_SERVING_SOFTIRQ;
	set_stack(sample, AT_RUN_TIMERS + 1, AT_HANDLE_SOFTIRQS + 1, AT_MEMORY_STAT + 1, 0ULL);
	assert_culprit(entry, "__run_timers");
	/*
	 * in an interrupt's entry, before it counts as one; the interrupted code had
	 * interrupts on
	 */
	sample->flags = TRACE_IRQOFF_F_ASKED;
	set_stack(sample, AT_DELAY_TSC + 1, AT_SYSVEC_TIMER + 1, AT_MEMORY_STAT + 1, 0ULL);
	assert_culprit(entry, "(interrupts)");
	/* a CPU that did not run has no culprit */
	sample->flags |= TRACE_IRQOFF_F_IRQS_ON;
	assert_culprit(entry, NULL);
}

static void deciding_sample(void **state)
{
	struct entry *entry = add_soft(&model, 0, 0, 1000 * MS, 40 * MS,
				       TRACE_IRQOFF_F_BH_OFF);

	entry->rec.nsamples = 2;
	entry->rec.samples[1] = entry->rec.samples[0];
	entry->rec.samples[1].at_ns = 972 * MS;
	set_stack(&entry->rec.samples[0], AT_SCHEDULE + 1, 0ULL);
	set_stack(&entry->rec.samples[1], AT_MEMORY_STAT + 1, 0ULL);
	set_stack(&entry->rec.end, AT_ESTIMATION + 1, 0ULL);
	assert_culprit(entry, "memory_stat_format");
	entry->rec.samples[1].at_ns = 995 * MS;
	assert_culprit(entry, "__schedule");
}

static void holder_that_did_not_run(void **state)
{
	struct entry *entry = add_soft(&model, 0, 0, 1000 * MS, 40 * MS, TRACE_IRQOFF_F_BH_HELD);

	entry->rec.samples[0].pending = 8;
	set_stack(&entry->rec.samples[0], AT_MEMORY_STAT + 1, 0ULL);
	assert_culprit(entry, NULL);
	entry->rec.samples[0].flags |= TRACE_IRQOFF_F_BH_OFF;
	assert_culprit(entry, "memory_stat_format");
}

static void nobody(void **state)
{
	struct entry *entry = add_hard(&model, 0, 0, 1000 * MS, 40 * MS);

	/* there is a stack, but the evidence does not suffice */
	set_stack(&entry->rec.end, AT_MEMORY_STAT + 1, 0ULL);
	entry->rec.untraced_irqs = 1;
	assert_culprit(entry, NULL);
	/* there is evidence, but no stack */
	entry->rec.untraced_irqs = 0;
	entry->rec.end.nframes = 0;
	assert_culprit(entry, NULL);
	entry->rec.open = true;
	assert_culprit(entry, NULL);
	/* a task in user mode that keeps ksoftirqd from running */
	entry = add_soft(&model, 0, 1, 1000 * MS, 40 * MS, TRACE_IRQOFF_F_USER);
	entry->rec.samples[0].pending = 8;
	strcpy(entry->rec.samples[0].comm, "hog");
	assert_culprit(entry, "(task hog)");
}

/* the kernel module sends the handler's name with each record */
static void nmi_handlers(void **state)
{
	struct kernel_name name = { .addr = AT_ESTIMATION,
				    .symbol = "estimation_timer+0x0/0x100 [ip_vs]" };
	struct entry *entry = add_asked(&model, 0, 0, 1000 * MS, 40 * MS, TRACE_IRQOFF_F_IRQS_ON);
	struct tio_record *rec = &entry->rec;

	rec->samples[0].delay_ns = 20 * MS;
	set_stack(&rec->samples[0], AT_MEMORY_STAT + 1, 0ULL);
	set_stack(&rec->end, AT_SYSCALL + 1, 0ULL);
	assert_culprit(entry, NULL);
	rec->nmi_ns = 30 * MS;
	/* from an older module */
	assert_culprit(entry, NULL);
	rec->nmi_handler = AT_ESTIMATION;
	assert_culprit(entry, "estimation_timer [ip_vs]");
	entry->names = &name;
	entry->nnames = 1;
	assert_culprit(entry, "estimation_timer [ip_vs]");
	/* another module has been loaded there */
	name.symbol = "[unloaded hpwdt]";
	assert_culprit(entry, "[unloaded hpwdt]");
	name.symbol = "hpwdt_pretimeout+0x0/0x90 [hpwdt] (unloaded)";
	assert_culprit(entry, "hpwdt_pretimeout [hpwdt]");
	name.symbol = "[hpwdt]+0x10 (unloaded)";
	assert_culprit(entry, "[hpwdt]+0x10 (unloaded)");
	name.symbol = "[unloaded]";
	assert_culprit(entry, "[unloaded]");
	/* an address that a reader without CAP_SYSLOG is not told */
	name.addr = 7;
	rec->nmi_handler = 7;
	name.symbol = "nmi_cpu_backtrace_handler+0x0/0x20";
	assert_culprit(entry, "nmi_cpu_backtrace_handler");
	/* half of the stall is not enough */
	rec->nmi_ns = 20 * MS;
	assert_culprit(entry, NULL);
	entry->names = NULL;
	entry->nnames = 0;
}

static void module_gone(void **state)
{
	static const char text[] = "[unloaded ip_vs]";
	struct kernel_name gone = { .addr = AT_ESTIMATION + 1, .symbol = text };
	struct entry *entry = add_hard(&model, 0, 0, 1000 * MS, 40 * MS);

	set_stack(&entry->rec.end, AT_SPIN_UNLOCK + 1, AT_NOTHING, AT_MEMORY_STAT + 1, 0ULL);
	assert_culprit(entry, "[unloaded]");
	set_stack(&entry->rec.end, AT_ESTIMATION + 1, AT_MEMORY_STAT + 1, 0ULL);
	entry->rec.end.stale = 1;
	assert_culprit(entry, "[unloaded]");
	/* the kernel module reports which module was there */
	entry->names = &gone;
	entry->nnames = 1;
	assert_culprit(entry, "[unloaded ip_vs]");
	gone.symbol = "[ip_vs]+0x85 (unloaded)";
	assert_culprit(entry, "[ip_vs]+0x85 (unloaded)");
	/* the same group as before it was unloaded */
	gone.symbol = "estimation_timer.part.0+0x1/0x100 [ip_vs] (unloaded)";
	assert_culprit(entry, "estimation_timer [ip_vs]");
	entry->names = NULL;
	entry->nnames = 0;
}

/* at two places in one function of a module that has gone, samples share that function */
static void gone_holder(void **state)
{
	struct kernel_name gone[] = {
		{ AT_NOTHING, "hold+0x10/0x80 [stall] (unloaded)" },
		{ AT_NOTHING + 0x10, "hold+0x20/0x80 [stall] (unloaded)" },
	};
	struct entry *entry = add_asked(&model, 0, 0, 1000 * MS, 40 * MS, 0);
	struct tio_record *rec = &entry->rec;

	rec->samples[1] = rec->samples[0];
	rec->samples[1].at_ns += 5 * MS;
	rec->nsamples = 2;
	set_stack(&rec->samples[0], AT_MEMORY_STAT + 1, AT_NOTHING, AT_SCHEDULE + 1, 0ULL);
	set_stack(&rec->samples[1], AT_FLUSH_COLD + 1, AT_NOTHING + 0x10, AT_SCHEDULE + 1, 0ULL);
	set_stack(&rec->end, AT_SYSCALL + 1, 0ULL);
	entry->names = gone;
	entry->nnames = ARRAY_SIZE(gone);
	assert_culprit(entry, "hold [stall]");
	/* nobody knows whether these are one function; what called is shared */
	gone[0].symbol = "[stall]+0x10 (unloaded)";
	gone[1].symbol = "[stall]+0x20 (unloaded)";
	assert_culprit(entry, "__schedule");
	entry->names = NULL;
	entry->nnames = 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(past_helpers, forget),
		cmocka_unit_test_teardown(tracer, forget),
		cmocka_unit_test_teardown(suspects, forget),
		cmocka_unit_test_teardown(nobody_but_helpers, forget),
		cmocka_unit_test_teardown(in_softirqs, forget),
		cmocka_unit_test_teardown(in_interrupts, forget),
		cmocka_unit_test_teardown(storms, forget),
		cmocka_unit_test_teardown(interrupts_by_their_end, forget),
		cmocka_unit_test_teardown(asked_sections, forget),
		cmocka_unit_test_teardown(deciding_sample, forget),
		cmocka_unit_test_teardown(holder_that_did_not_run, forget),
		cmocka_unit_test_teardown(nobody, forget),
		cmocka_unit_test_teardown(nmi_handlers, forget),
		cmocka_unit_test_teardown(module_gone, forget),
		cmocka_unit_test_teardown(gone_holder, forget),
	};

	return cmocka_run_group_tests_name("culprit", tests, open_symbols, close_symbols);
}
