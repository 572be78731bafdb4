// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sends NMIs that are not the tracer's:
 *
 *	echo "CPU COUNT EVERY_US known|unknown" > /sys/module/foreign_nmi/parameters/send
 *
 * "known" NMIs have a handler, as those of perf and of the watchdogs have. It claims as
 * many as were sent, and a few more, because it cannot tell when one arrives.
 */
#include <linux/atomic.h>
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/smp.h>
#include <asm/nmi.h>

#include "compat/apic_send.h"

static atomic_t known = ATOMIC_INIT(0);
static bool sending;

/* an NMI that arrives while one is being sent may or may not be that one */
static int on_nmi(unsigned int type, struct pt_regs *regs)
{
	if (READ_ONCE(sending))
		return NMI_HANDLED;
	return atomic_dec_if_positive(&known) >= 0 ? NMI_HANDLED : NMI_DONE;
}

static void nothing(void *unused)
{
}

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
	return register_nmi_handler(NMI_LOCAL, on_nmi, 0, "foreign_nmi");
}

static void __exit foreign_nmi_exit(void)
{
	unregister_nmi_handler(NMI_LOCAL, "foreign_nmi");
}

module_init(foreign_nmi_init);
module_exit(foreign_nmi_exit);

MODULE_DESCRIPTION("Sends NMIs that are not the tracer's");
MODULE_AUTHOR("The trace_irqoff authors");
MODULE_LICENSE("GPL");
