// SPDX-License-Identifier: GPL-2.0-only
#include <linux/hardirq.h>
#include <linux/limits.h>
#include <linux/ptrace.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <asm/pgtable.h>

#include "compat/irq_stat.h"
#include "cycles.h"
#include "interrupts.h"

/* ns = cycles * mult >> 22: exact to 1e-6 and in 32 bits from 2 MHz up */
u32 tio_cycles_mult __read_mostly;

/**
 * tio_cycles_init() - learn how long a cycle is
 */
void tio_cycles_init(void)
{
	if (tsc_khz)
		tio_cycles_mult = div_u64((u64)USEC_PER_SEC << 22, tsc_khz);
}

/**
 * tio_cycles_steady() - can cycles be told in ns?
 *
 * What makes the kernel distrust the TSC is mostly that CPUs disagree, which
 * does not matter here; without CONSTANT_TSC it may be its rate.
 */
bool tio_cycles_steady(void)
{
	return tsc_khz && (boot_cpu_has(X86_FEATURE_CONSTANT_TSC) ||
			   !check_tsc_unstable());
}

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
#define OP_CALL		0xe8
#define OP_JMP_SHORT	0xeb

/* the longest instruction taken for the one behind sti: a patched-in nop */
#define STI_SHADOW_MAX	8

/* a call with a 32-bit offset */
#define CALL_BYTES	5

/* right behind popf, or behind sti and one more instruction */
static bool follows(unsigned long ip)
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

/* sti; jmp, with an 8-bit offset */
#define STI_JMP_BYTES	3

/* is there an sti with a short jump to @ip behind it, in reach of such a jump? */
static bool follows_jump(unsigned long ip)
{
	unsigned long from = ip - STI_JMP_BYTES - S8_MAX;
	u8 text[STI_JMP_BYTES + S8_MAX - S8_MIN];
	unsigned int i;

	if (copy_from_kernel_nofault(text, (void *)from, sizeof(text)))
		return false;
	for (i = 0; i + STI_JMP_BYTES <= sizeof(text); i++)
		if (text[i] == OP_STI && text[i + 1] == OP_JMP_SHORT &&
		    from + i + STI_JMP_BYTES + (s8)text[i + 2] == ip)
			return true;
	return false;
}

/* is @regs at the beginning of what was called behind an sti? Then back to there */
static bool follows_call(struct pt_regs *regs)
{
	u8 text[1 + CALL_BYTES];
	unsigned long back;
	s32 offset;

	/* on the stack may as well be the address of a device's registers */
	if (copy_from_kernel_nofault(&back, (void *)regs->sp, sizeof(back)) ||
	    back < __START_KERNEL_map || back >= MODULES_END ||
	    copy_from_kernel_nofault(text, (void *)(back - sizeof(text)),
				     sizeof(text)))
		return false;
	memcpy(&offset, text + 2, sizeof(offset));
	if (text[0] != OP_STI || text[1] != OP_CALL ||
	    back + offset != regs->ip)
		return false;
	regs->ip = back - CALL_BYTES;
	regs->sp += sizeof(back);
	return true;
}

/**
 * tio_at_irq_enable() - did the code of @regs just enable interrupts?
 * @regs: a copy of interrupted kernel registers; put back to the call where that
 * was the one instruction behind sti, because what it calls did nothing yet
 *
 * An interrupt that was waiting is taken right behind popf, and behind the one
 * instruction that follows sti (Intel SDM vol. 2, STI). That instruction is not
 * decoded, but for a jump or call, which lead away from sti: an address without
 * any such neighbour passes about once in 32, so this is one piece of evidence
 * among several.
 *
 * Context: any.
 */
bool tio_at_irq_enable(struct pt_regs *regs)
{
	return follows(regs->ip) || follows_call(regs) || follows_jump(regs->ip);
}
