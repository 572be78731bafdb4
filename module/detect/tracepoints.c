// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tracepoints are not exported by name. A walk over all of the kernel's finds them.
 */
#include <linux/delay.h>
#include <linux/hardirq.h>
#include <linux/interrupt.h>
#include <linux/tracepoint.h>
#include <trace/events/irq.h>
#include <trace/events/nmi.h>
#include <trace/events/power.h>
#include <trace/events/sched.h>
#ifdef CONFIG_X86_LOCAL_APIC
#include <asm/trace/irq_vectors.h>
#endif

#include "arch/clock.h"
#include "compat/sched_switch.h"
#include "detect/heartbeat.h"
#include "detect/idle.h"
#include "detect/tracepoints.h"
#include "record/nmi.h"
#include "state/nmi_time.h"
#include "state/softirqs.h"

/*
 * The probes of softirqs run for each one. Nothing waits for a softirq nearly always,
 * and then each probe costs a store, two loads and two branches.
 */
static void probe_softirq_entry(void *data, unsigned int vec_nr)
{
	tio_softirqs_begin(vec_nr);
	if (unlikely(raw_cpu_read(tio_cpu.beat.mode) >= TIO_BEAT_BORROWED))
		tio_idle_softirq_begins();
	if (unlikely(raw_cpu_read(tio_cpu.stall.soft_due_ns)))
		tio_heartbeat_softirq(false);
}

static void probe_softirq_exit(void *data, unsigned int vec_nr)
{
	tio_softirqs_end();
	if (unlikely(raw_cpu_read(tio_cpu.stall.soft_due_ns)))
		tio_heartbeat_softirq(true);
	if (unlikely(raw_cpu_read(tio_cpu.idle.resumed_for_softirq)))
		tio_idle_softirq_ended();
}

static void probe_softirq_raise(void *data, unsigned int vec_nr)
{
	tio_softirqs_raise(vec_nr);
}

/* the next two run for each interrupt, with interrupts off */
static __always_inline void handler_entry(unsigned long handler)
{
	if (raw_cpu_read(tio_cpu.beat.mode) != TIO_BEAT_OFF) {
		raw_cpu_write(tio_cpu.irq.handler, handler);
		raw_cpu_write(tio_cpu.irq.entry, tio_cycles());
	}
}

static __always_inline void handler_exit(void)
{
	struct tio_cpu *cpu = raw_cpu_ptr(&tio_cpu);
	u64 cycles;

	if (!cpu->irq.entry)
		return;
	cpu->handled.exit = tio_cycles();
	cycles = cpu->handled.exit - cpu->irq.entry;
	WRITE_ONCE(cpu->irq.entry, 0);
	tio_handled_add(&cpu->handled, cpu->irq.handler, cycles);
	if (unlikely(cpu->handled.cycles >= cpu->handled.slow_from))
		tio_heartbeat_irq_end(cpu, cycles);
}

/* pseudo-NMIs of arm64 have the tracepoints of interrupts (handle_fasteoi_nmi()) */
static bool pseudo_nmi(void)
{
	return IS_ENABLED(CONFIG_ARM64_PSEUDO_NMI) && in_nmi();
}

static void probe_irq_handler_entry(void *data, int irq,
				    struct irqaction *action)
{
	if (pseudo_nmi())
		return;
	handler_entry((unsigned long)action | TIO_HANDLER_ACTION);
}

static void probe_irq_handler_exit(void *data, int irq,
				   struct irqaction *action, int ret)
{
	if (pseudo_nmi())
		return;
	handler_exit();
}

static void probe_vector_entry(void *data, int vector)
{
	handler_entry((unsigned long)data);
}

static void probe_vector_exit(void *data, int vector)
{
	handler_exit();
}

/*
 * Around every sleep of an idle CPU. At its end interrupts may be on. @state is the state it
 * sleeps in, or PWR_EVENT_EXIT (include/trace/events/power.h).
 */
static void probe_cpu_idle(void *data, unsigned int state, unsigned int cpu)
{
	if (raw_cpu_read(tio_cpu.beat.mode) == TIO_BEAT_OFF)
		return;
	if (state != (unsigned int)-1) {
		tio_idle_sleep();
		return;
	}
	tio_idle_wake();
}

/*
 * At every switch of tasks, interrupts off: two loads and two branches. The next task
 * may have been woken without an interrupt, between two sleeps, where the idle loop
 * looks by itself (TIF_POLLING_NRFLAG).
 */
static void probe_sched_switch(void *data, SCHED_SWITCH_ARGS)
{
	tio_softirqs_switch(preempt, prev, next);
	if (is_idle_task(next)) {
		if (raw_cpu_read(tio_cpu.beat.mode) != TIO_BEAT_OFF)
			tio_idle_switch();
	} else if (unlikely(raw_cpu_read(tio_cpu.beat.mode) >= TIO_BEAT_BORROWED)) {
		tio_idle_leave();
	}
}

/*
 * At the return of each NMI handler: nearly always a branch alone. The kernel passes an
 * int that it made from an unsigned one, so a run of 2.1 s is negative here, and one of
 * 4.3 s begins again at 0 (arch/x86/kernel/nmi.c, nmi_handle()).
 */
static void probe_nmi_handler(void *data, void *handler, s64 delta_ns, int handled)
{
	if (unlikely((u32)delta_ns >= TIO_NMI_COUNT_NS) && !tio_nmi_ours(handler) &&
	    tio_nmi_time_handled(handler, (u32)delta_ns))
		tio_idle_nmi((u32)delta_ns);
}

/* how long to wait where a probe could not be detached */
#define RETRY_MS	100

struct probe {
	/* its address is the probe's data, and so the handler of a vector */
	struct tio_vector vector;
	void *func;		/* NULL: not wanted on this kernel */
	bool required;
	struct tracepoint *tp;
	bool registered;
};

/*
 * The tracepoints around handlers come in pairs; irq_vectors:* and nmi:* are x86's alone. Each
 * one that is attached interrupts all CPUs several times. The vectors that hardly ever
 * come are therefore counted instead (tio_untraced_irqs()).
 */
static struct probe probes[] = {
	{ .vector.tracepoint = "softirq_entry", .func = probe_softirq_entry, .required = true },
	{ .vector.tracepoint = "softirq_exit", .func = probe_softirq_exit, .required = true },
	{ .vector.tracepoint = "softirq_raise",
	  .func = TIO_SOFTIRQS_IN_TASKS ? probe_softirq_raise : NULL,
	  .required = TIO_SOFTIRQS_IN_TASKS },
	{ .vector.tracepoint = "cpu_idle", .func = probe_cpu_idle },
	{ .vector.tracepoint = "sched_switch", .func = probe_sched_switch },
	{ .vector.tracepoint = "irq_handler_entry", .func = probe_irq_handler_entry },
	{ .vector.tracepoint = "irq_handler_exit", .func = probe_irq_handler_exit },
	{ .vector.tracepoint = "local_timer_entry", .func = probe_vector_entry },
	{ .vector.tracepoint = "local_timer_exit", .func = probe_vector_exit },
	{ .vector.tracepoint = "reschedule_entry", .func = probe_vector_entry },
	{ .vector.tracepoint = "reschedule_exit", .func = probe_vector_exit },
	{ .vector.tracepoint = "call_function_entry", .func = probe_vector_entry },
	{ .vector.tracepoint = "call_function_exit", .func = probe_vector_exit },
	{ .vector.tracepoint = "call_function_single_entry", .func = probe_vector_entry },
	{ .vector.tracepoint = "call_function_single_exit", .func = probe_vector_exit },
	{ .vector.tracepoint = "irq_work_entry", .func = probe_vector_entry },
	{ .vector.tracepoint = "irq_work_exit", .func = probe_vector_exit },
	{ .vector.tracepoint = "nmi_handler", .func = probe_nmi_handler },
};

/*
 * The kernel takes a probe for a void pointer. A tracepoint whose signature changed
 * fails to compile here, rather than fail on a node.
 */
static void check_signatures(void)
{
	check_trace_callback_type_softirq_entry(probe_softirq_entry);
	check_trace_callback_type_softirq_exit(probe_softirq_exit);
	check_trace_callback_type_softirq_raise(probe_softirq_raise);
	check_trace_callback_type_cpu_idle(probe_cpu_idle);
	check_trace_callback_type_sched_switch(probe_sched_switch);
	check_trace_callback_type_irq_handler_entry(probe_irq_handler_entry);
	check_trace_callback_type_irq_handler_exit(probe_irq_handler_exit);
	check_trace_callback_type_nmi_handler(probe_nmi_handler);
#ifdef CONFIG_X86_LOCAL_APIC
	/* all of irq_vectors:* are of one class */
	check_trace_callback_type_local_timer_entry(probe_vector_entry);
	check_trace_callback_type_local_timer_exit(probe_vector_exit);
#endif
}

static bool attached(const char *name)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(probes); i++)
		if (!strcmp(probes[i].vector.tracepoint, name))
			return probes[i].registered;
	return false;
}

static void find(struct tracepoint *tp, void *priv)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(probes); i++)
		if (!strcmp(tp->name, probes[i].vector.tracepoint))
			probes[i].tp = tp;
}

/**
 * tio_probes_reset() - the CPU is about to be watched, or is no more
 * @cpu: this CPU; of a handler that runs now only the end would be seen
 *
 * Context: interrupts off.
 */
void tio_probes_reset(struct tio_cpu *cpu)
{
	WRITE_ONCE(cpu->irq.entry, 0);
}

/**
 * tio_probes_init() - find the tracepoints
 *
 * Context: module init.
 * Return: 0, or -ENOENT where the kernel lacks a required one (logged).
 */
int tio_probes_init(void)
{
	unsigned int i;

	check_signatures();
	for_each_kernel_tracepoint(find, NULL);
	for (i = 0; i < ARRAY_SIZE(probes); i++) {
		if (probes[i].required && !probes[i].tp) {
			pr_err("not loaded: this kernel has no tracepoint %s\n",
			       probes[i].vector.tracepoint);
			return -ENOENT;
		}
	}
	return 0;
}

/**
 * tio_probes_register() - attach to the tracepoints, unless that is done already
 *
 * Context: may sleep; takes the kernel's tracepoint mutex and cpus_read_lock.
 * Return: 0 or what tracepoint_probe_register() says; all or none.
 */
int tio_probes_register(void)
{
	unsigned int i, cpu;
	int ret;

	if (!attached("sched_switch"))
		for_each_possible_cpu(cpu)
			tio_softirqs_forget(per_cpu_ptr(&tio_cpu, cpu));
	for (i = 0; i < ARRAY_SIZE(probes); i++) {
		if (!probes[i].tp || !probes[i].func || probes[i].registered)
			continue;
		ret = tracepoint_probe_register(probes[i].tp, probes[i].func,
						&probes[i].vector);
		if (ret) {
			tio_probes_unregister();
			return ret;
		}
		probes[i].registered = true;
	}
	tio_idle_allow(attached("cpu_idle") && attached("sched_switch") &&
		       attached("irq_handler_entry"));
	return 0;
}

/**
 * tio_probes_unregister() - detach; no probe runs any more on return
 *
 * Context: as tio_probes_register().
 */
void tio_probes_unregister(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(probes); i++) {
		/* before 5.10 that takes memory, and the probe stays where there is none */
		while (probes[i].registered &&
		       tracepoint_probe_unregister(probes[i].tp, probes[i].func,
						   &probes[i].vector) == -ENOMEM)
			msleep(RETRY_MS);
		probes[i].registered = false;
	}
	tracepoint_synchronize_unregister();
}
