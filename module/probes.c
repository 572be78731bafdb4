// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tracepoints are not exported by name: they are found by walking all of the
 * kernel's own.
 */
#include <linux/hardirq.h>
#include <linux/interrupt.h>
#include <linux/tracepoint.h>
#include <trace/events/irq.h>
#include <trace/events/power.h>
#include <trace/events/sched.h>
#ifdef CONFIG_X86_LOCAL_APIC
#include <asm/trace/irq_vectors.h>
#endif

#include "compat/sched_switch.h"
#include "heartbeat.h"
#include "park.h"
#include "probes.h"
#include "softirqs.h"

static void probe_softirq_entry(void *data, unsigned int vec_nr)
{
	tio_heartbeat_softirq_entry(vec_nr);
}

static void probe_softirq_exit(void *data, unsigned int vec_nr)
{
	tio_heartbeat_softirq_exit();
}

static void probe_softirq_raise(void *data, unsigned int vec_nr)
{
	tio_softirqs_raise(vec_nr);
}

/* arm64's pseudo-NMIs have the tracepoints of interrupts (handle_fasteoi_nmi()) */
static bool pseudo_nmi(void)
{
	return IS_ENABLED(CONFIG_ARM64_PSEUDO_NMI) && in_nmi();
}

static void probe_irq_handler_entry(void *data, int irq,
				    struct irqaction *action)
{
	if (pseudo_nmi())
		return;
	tio_heartbeat_irq_entry((unsigned long)action | TIO_HANDLER_ACTION);
}

static void probe_irq_handler_exit(void *data, int irq,
				   struct irqaction *action, int ret)
{
	if (pseudo_nmi())
		return;
	tio_heartbeat_irq_exit();
}

static void probe_vector_entry(void *data, int vector)
{
	tio_heartbeat_irq_entry((unsigned long)data);
}

static void probe_vector_exit(void *data, int vector)
{
	tio_heartbeat_irq_exit();
}

/* the state it sleeps in, or PWR_EVENT_EXIT (include/trace/events/power.h) */
static void probe_cpu_idle(void *data, unsigned int state, unsigned int cpu)
{
	tio_park_idle(state != (unsigned int)-1);
}

static void probe_sched_switch(void *data, SCHED_SWITCH_ARGS)
{
	tio_softirqs_switch(preempt, prev, next);
	tio_park_switch();
}

/*
 * Around a handler in pairs; irq_vectors:* are x86's alone. Not those that hardly
 * ever come, which are counted instead (tio_unseen_irqs()): attaching to one
 * tracepoint interrupts all CPUs several times. One without a function is not
 * wanted on this kernel.
 */
static struct tio_probe probes[] = {
	{ .name = "softirq_entry", .func = probe_softirq_entry, .required = true },
	{ .name = "softirq_exit", .func = probe_softirq_exit, .required = true },
	{ .name = "softirq_raise",
	  .func = TIO_SOFTIRQS_IN_TASKS ? probe_softirq_raise : NULL,
	  .required = TIO_SOFTIRQS_IN_TASKS },
	{ .name = "cpu_idle", .func = probe_cpu_idle },
	{ .name = "sched_switch", .func = probe_sched_switch },
	{ .name = "irq_handler_entry", .func = probe_irq_handler_entry },
	{ .name = "irq_handler_exit", .func = probe_irq_handler_exit },
	{ .name = "local_timer_entry", .func = probe_vector_entry },
	{ .name = "local_timer_exit", .func = probe_vector_exit },
	{ .name = "reschedule_entry", .func = probe_vector_entry },
	{ .name = "reschedule_exit", .func = probe_vector_exit },
	{ .name = "call_function_entry", .func = probe_vector_entry },
	{ .name = "call_function_exit", .func = probe_vector_exit },
	{ .name = "call_function_single_entry", .func = probe_vector_entry },
	{ .name = "call_function_single_exit", .func = probe_vector_exit },
	{ .name = "irq_work_entry", .func = probe_vector_entry },
	{ .name = "irq_work_exit", .func = probe_vector_exit },
};

/*
 * What a tracepoint calls is a void pointer to the kernel: a signature that changed
 * is to fail here, and not on a node.
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
		if (!strcmp(probes[i].name, name))
			return probes[i].registered;
	return false;
}

static void find(struct tracepoint *tp, void *priv)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(probes); i++)
		if (!strcmp(tp->name, probes[i].name))
			probes[i].tp = tp;
}

/**
 * tio_probes_init() - find the tracepoints
 *
 * Return: 0, or -ENOENT where the kernel lacks a required one (logged).
 */
int tio_probes_init(void)
{
	unsigned int i;

	check_signatures();
	for_each_kernel_tracepoint(find, NULL);
	for (i = 0; i < ARRAY_SIZE(probes); i++) {
		if (probes[i].required && !probes[i].tp) {
			pr_err("this kernel has no tracepoint %s\n",
			       probes[i].name);
			return -ENOENT;
		}
	}
	return 0;
}

/**
 * tio_probes_register() - attach to the tracepoints, unless it is done
 *
 * Context: may sleep; takes the kernel's tracepoint mutex and cpus_read_lock.
 * Return: 0 or what tracepoint_probe_register() says; all or none.
 */
int tio_probes_register(void)
{
	unsigned int i;
	int ret;

	for (i = 0; i < ARRAY_SIZE(probes); i++) {
		if (!probes[i].tp || !probes[i].func || probes[i].registered)
			continue;
		ret = tracepoint_probe_register(probes[i].tp, probes[i].func,
						&probes[i]);
		if (ret) {
			tio_probes_unregister();
			return ret;
		}
		probes[i].registered = true;
	}
	tio_park_allow(attached("cpu_idle") && attached("sched_switch") &&
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
		if (probes[i].registered)
			tracepoint_probe_unregister(probes[i].tp,
						    probes[i].func,
						    &probes[i]);
		probes[i].registered = false;
	}
	tracepoint_synchronize_unregister();
}
