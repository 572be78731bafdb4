// SPDX-License-Identifier: GPL-2.0-only
#include <linux/ptrace.h>

#include "arch/insn_arm64.h"
#include "arch/irq_text.h"

/* msr daifclr, #imm: which of PSTATE's D, A, I and F, in this order, to clear */
#define DAIFCLR_MASK	0xfffff0ff
#define DAIFCLR		0xd50340ff
#define DAIFCLR_I	0x00000200

/* msr daif, xN; msr icc_pmr_el1, xN: the latter masks interrupts where there are pseudo-NMIs */
#define MSR_MASK	0xffffffe0
#define MSR_DAIF	0xd51b4220
#define MSR_PMR		0xd5184600

/**
 * tio_at_irq_enable() - did the code of @regs just enable interrupts?
 * @regs: a copy of interrupted kernel registers
 *
 * It did where the instruction before it can enable interrupts. An interrupt that
 * waited is taken right behind that. Where a CPU takes it later the answer is false.
 *
 * Context: any.
 * Return: true when it did.
 */
bool tio_at_irq_enable(struct pt_regs *regs)
{
	u32 insn = tio_insn_before(regs->pc);

	return ((insn & DAIFCLR_MASK) == DAIFCLR && insn & DAIFCLR_I) ||
	       (insn & MSR_MASK) == MSR_DAIF || (insn & MSR_MASK) == MSR_PMR;
}
