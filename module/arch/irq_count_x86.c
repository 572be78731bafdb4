// SPDX-License-Identifier: GPL-2.0-only
#include <linux/hardirq.h>

#include "arch/irq_count.h"
#include "compat/irq_stat.h"

/**
 * tio_untraced_irqs() - interrupts of this CPU that no probe sees
 *
 * Those of hypervisors have no tracepoint, and the rest are rare. The kernel counts
 * them all (arch_irq_stat_cpu() in arch/x86/kernel/irq.c, not exported). It counts perf's
 * as well, but these are NMIs, which are timed themselves (nmi_time.c).
 *
 * Context: interrupts off.
 * Return: how many there were since boot.
 */
u32 tio_untraced_irqs(void)
{
	u32 irqs = tio_irq_count(X86_PLATFORM_IPI) + tio_irq_count(SPURIOUS);

#ifdef CONFIG_X86_THERMAL_VECTOR
	irqs += tio_irq_count(THERMAL_APIC);
#endif
#ifdef CONFIG_X86_MCE_THRESHOLD
	irqs += tio_irq_count(THRESHOLD_APIC);
#endif
#ifdef CONFIG_X86_MCE_AMD
	irqs += tio_irq_count(DEFERRED_ERROR);
#endif
#ifdef CONFIG_X86_HV_CALLBACK_VECTOR
	irqs += tio_irq_count(HYPERVISOR_CALLBACK);
#endif
#if IS_ENABLED(CONFIG_HYPERV)
	irqs += tio_irq_count(HYPERV_REENLIGHTENMENT) +
		tio_irq_count(HYPERV_STIMER0);
#endif
	return irqs;
}
