// SPDX-License-Identifier: GPL-2.0-only
#include <linux/hardirq.h>
#include <linux/uaccess.h>

#include "compat/irq_stat.h"
#include "interrupts.h"

/**
 * tio_unseen_irqs() - interrupts this CPU took that no probe has seen
 *
 * Those of hypervisors have no tracepoint, the rest are rare. The kernel counts
 * them (arch_irq_stat_cpu() in arch/x86/kernel/irq.c, not exported).
 *
 * Context: interrupts off.
 */
u32 tio_unseen_irqs(void)
{
	u32 irqs = tio_irq_count(X86_PLATFORM_IPI) +
		   tio_irq_count(APIC_PERF) + tio_irq_count(SPURIOUS);

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

#define OP_POPF		0x9d
#define OP_STI		0xfb

/* the longest instruction taken for the one behind sti: a patched-in nop */
#define STI_SHADOW_MAX	8

/**
 * tio_at_irq_enable() - does @ip follow an instruction that enables interrupts?
 * @ip: interrupted instruction in kernel text
 *
 * An interrupt that was waiting is taken right behind popf, and behind the one
 * instruction that follows sti (Intel SDM vol. 2, STI). That instruction is not
 * decoded: an address without any such neighbour passes about once in 32, so
 * this is one piece of evidence among several.
 *
 * Context: any.
 */
bool tio_at_irq_enable(unsigned long ip)
{
	u8 text[STI_SHADOW_MAX + 1];
	unsigned int i;

	if (copy_from_kernel_nofault(text, (void *)(ip - sizeof(text)),
				     sizeof(text)))
		return false;
	if (text[STI_SHADOW_MAX] == OP_POPF)
		return true;
	for (i = 0; i < STI_SHADOW_MAX; i++)
		if (text[i] == OP_STI)
			return true;
	return false;
}
