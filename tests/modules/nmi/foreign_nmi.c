// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sends NMIs that are not the tracer's:
 *
 *	echo "CPU COUNT EVERY_US known|unknown" > /sys/module/foreign_nmi/parameters/send
 *
 * "known" NMIs have a handler, as those of perf and of the watchdogs have. It claims as
 * many as were sent, and a few more, because it cannot tell when one arrives.
 *
 *	echo "CPU COUNT LENGTH_US [oops|panic]" > /sys/module/foreign_nmi/parameters/hold
 *
 * sends NMIs one after another, whose handler (foreign_hold) runs for LENGTH_US. Where
 * "oops" is given, oops_in_progress is set meanwhile. Where "panic" is given, the handler
 * then calls nmi_panic(), as that of a hardware watchdog does. Reading "hold" tells how many
 * NMIs came to that CPU meanwhile, from anybody, and when the last handler began and returned.
 * Reading "seen" tells how many NMIs have come to each CPU so far.
 */
#include <linux/atomic.h>
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/hardirq.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/percpu.h>
#include <linux/printk.h>
#include <linux/smp.h>
#include <linux/timekeeping.h>
#include <asm/nmi.h>

#include "compat/apic_send.h"

static atomic_t known = ATOMIC_INIT(0);
static DEFINE_PER_CPU(unsigned int, seen);
static bool sending;

/* where the kernel counts perf's interrupts, which are NMIs */
#ifdef HAVE_IRQ_STAT_COUNTS
#define PERF_IRQS	irq_stat.counts[IRQ_COUNT_APIC_PERF]
#else
#define PERF_IRQS	irq_stat.apic_perf_irqs
#endif

/* an NMI that arrives while one is being sent may or may not be that one */
static int on_nmi(unsigned int type, struct pt_regs *regs)
{
	raw_cpu_write(seen, raw_cpu_read(seen) + 1);
	/* as perf's handler does */
	raw_cpu_inc(PERF_IRQS);
	if (READ_ONCE(sending))
		return NMI_HANDLED;
	return atomic_dec_if_positive(&known) >= 0 ? NMI_HANDLED : NMI_DONE;
}

/* the next NMI on this CPU is to take so long; -1: none is */
static atomic_t hold_cpu = ATOMIC_INIT(-1);
static unsigned int hold_us;
static bool hold_panics;
static unsigned int held;
static u64 held_from_ns, held_to_ns;

static noinline int foreign_hold(unsigned int type, struct pt_regs *regs)
{
	u64 from_ns = ktime_get_mono_fast_ns(), now_ns;

	if (atomic_read(&hold_cpu) != raw_smp_processor_id())
		return NMI_DONE;
	do {
		cpu_relax();
		now_ns = ktime_get_mono_fast_ns();
	} while (now_ns < from_ns + (u64)hold_us * NSEC_PER_USEC);
	if (hold_panics)
		nmi_panic(regs, "foreign_hold");
	held_from_ns = from_ns;
	held_to_ns = now_ns;
	/* all of the handler comes before the next hold */
	smp_mb__before_atomic();
	atomic_set(&hold_cpu, -1);
	return NMI_HANDLED;
}

static void nothing(void *unused)
{
}

static int hold_set(const char *text, const struct kernel_param *param)
{
	unsigned int cpu, count, length_us, before, i;
	char what[8] = "";

	if (sscanf(text, "%u %u %u %7s", &cpu, &count, &length_us, what) < 3 ||
	    cpu >= nr_cpu_ids || !cpu_online(cpu))
		return -EINVAL;
	hold_us = length_us;
	hold_panics = !strcmp(what, "panic");
	if (!strcmp(what, "oops"))
		oops_in_progress++;
	before = per_cpu(seen, cpu);
	for (i = 0; i < count; i++) {
		/* pairs with the handler: it sees the length */
		smp_mb();
		atomic_set(&hold_cpu, cpu);
		preempt_disable();
		tio_apic_send(cpu, NMI_VECTOR);
		preempt_enable();
		while (atomic_read(&hold_cpu) >= 0)
			cond_resched();
		/* the CPU takes this interrupt only after the NMIs */
		smp_call_function_single(cpu, nothing, NULL, true);
	}
	held = per_cpu(seen, cpu) - before;
	if (!strcmp(what, "oops"))
		oops_in_progress--;
	return 0;
}

static int hold_get(char *text, const struct kernel_param *param)
{
	return sprintf(text, "%u %llu %llu\n", held, held_from_ns, held_to_ns);
}

static const struct kernel_param_ops hold_ops = {
	.set = hold_set,
	.get = hold_get,
};

module_param_cb(hold, &hold_ops, NULL, 0600);

static int seen_get(char *text, const struct kernel_param *param)
{
	unsigned int cpu;
	int len = 0;

	for_each_online_cpu(cpu)
		len += scnprintf(text + len, PAGE_SIZE - len, "%u ", per_cpu(seen, cpu));
	return len + scnprintf(text + len, PAGE_SIZE - len, "\n");
}

static const struct kernel_param_ops seen_ops = {
	.get = seen_get,
};

module_param_cb(seen, &seen_ops, NULL, 0444);

static int send_set(const char *text, const struct kernel_param *param)
{
	unsigned int cpu, count, every_us, i;
	char kind[8];

	if (sscanf(text, "%u %u %u %7s", &cpu, &count, &every_us, kind) != 4 ||
	    cpu >= nr_cpu_ids || !cpu_online(cpu))
		return -EINVAL;
	for (i = 0; i < count; i++) {
		preempt_disable();
		WRITE_ONCE(sending, !strcmp(kind, "known"));
		/* sending is set before the NMI can arrive */
		smp_mb();
		tio_apic_send(cpu, NMI_VECTOR);
		if (sending)
			atomic_inc(&known);
		/* known is raised before sending is cleared */
		smp_mb();
		WRITE_ONCE(sending, false);
		preempt_enable();
		udelay(every_us);
		cond_resched();
	}
	/* the CPU takes this interrupt only after the NMIs */
	smp_call_function_single(cpu, nothing, NULL, true);
	atomic_set(&known, 0);
	return 0;
}

static const struct kernel_param_ops send_ops = {
	.set = send_set,
};

module_param_cb(send, &send_ops, NULL, 0200);

static int __init foreign_nmi_init(void)
{
	int ret = register_nmi_handler(NMI_LOCAL, on_nmi, 0, "foreign_nmi");

	if (ret)
		return ret;
	ret = register_nmi_handler(NMI_LOCAL, foreign_hold, 0, "foreign_hold");
	if (ret)
		unregister_nmi_handler(NMI_LOCAL, "foreign_nmi");
	return ret;
}

static void __exit foreign_nmi_exit(void)
{
	unregister_nmi_handler(NMI_LOCAL, "foreign_hold");
	unregister_nmi_handler(NMI_LOCAL, "foreign_nmi");
}

module_init(foreign_nmi_init);
module_exit(foreign_nmi_exit);

MODULE_DESCRIPTION("Sends NMIs that are not the tracer's");
MODULE_AUTHOR("The trace_irqoff authors");
MODULE_LICENSE("GPL");
