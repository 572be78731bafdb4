// SPDX-License-Identifier: GPL-2.0-only
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/ptrace.h>
#include <linux/stddef.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <asm/memory.h>

#include "compat/entry_frame.h"
#include "interrupts.h"
#include "stack.h"

/* msr daifclr, #imm: which of PSTATE's D, A, I and F, in this order, to clear */
#define DAIFCLR_MASK	0xfffff0ff
#define DAIFCLR		0xd50340ff
#define DAIFCLR_I	0x00000200

/* msr daif, xN; msr icc_pmr_el1, xN, which masks interrupts where there are pseudo-NMIs */
#define MSR_MASK	0xffffffe0
#define MSR_DAIF	0xd51b4220
#define MSR_PMR		0xd5184600

/* bl; blr xN */
#define BL_MASK		0xfc000000
#define BL		0x94000000
#define BLR_MASK	0xfffffc1f
#define BLR		0xd63f0000

/* bti c; adrp x16; add x16, x16, #imm; br x16 */
#define BTI_C		0xd503245f
#define ADRP_X16_MASK	0x9f00001f
#define ADRP_X16	0x90000010
#define ADD_X16_MASK	0xff8003ff
#define ADD_X16		0x91000210
#define BR_X16		0xd61f0200
#define VENEER_INSNS	4

/* 0, which is none that anybody asks for, where it cannot be read */
static u32 insn_at(unsigned long addr)
{
	__le32 insn;

	if (copy_from_kernel_nofault(&insn, (void *)addr, sizeof(insn)))
		return 0;
	return le32_to_cpu(insn);
}

static u32 insn_before(unsigned long addr)
{
	return insn_at(addr - sizeof(u32));
}

/**
 * tio_at_irq_enable() - did the code of @regs just enable interrupts?
 * @regs: a copy of interrupted kernel registers
 *
 * That is, is the instruction before it one that can? An interrupt that was waiting
 * is taken right behind it. Where a CPU takes it later the answer is false.
 *
 * Context: any.
 */
bool tio_at_irq_enable(struct pt_regs *regs)
{
	u32 insn = insn_before(regs->pc);

	return ((insn & DAIFCLR_MASK) == DAIFCLR && insn & DAIFCLR_I) ||
	       (insn & MSR_MASK) == MSR_DAIF || (insn & MSR_MASK) == MSR_PMR;
}

static bool follows_call(unsigned long addr)
{
	u32 insn = insn_before(addr);

	return (insn & BL_MASK) == BL || (insn & BLR_MASK) == BLR;
}

/*
 * Is it on its way from one function to another? A module that lies out of a call's
 * reach of what it calls gets there by a few instructions that no function's name
 * belongs to (arch/arm64/kernel/module-plts.c).
 */
static bool in_veneer(const struct pt_regs *regs)
{
	unsigned int i;
	u32 insn;

	for (i = 0; i < VENEER_INSNS; i++) {
		insn = insn_at(regs->pc + i * sizeof(insn));
		if (insn == BR_X16)
			return true;
		if (insn != BTI_C && (insn & ADRP_X16_MASK) != ADRP_X16 &&
		    (insn & ADD_X16_MASK) != ADD_X16)
			return false;
	}
	return false;
}

/* is @addr in the function that @pc is in? true where that is not known */
static bool same_function(unsigned long pc, unsigned long addr)
{
	char text[KSYM_SYMBOL_LEN];
	unsigned long offset, size;
	const char *plus;

	/* the one way to a function's bounds that is open to modules */
	sprint_symbol(text, pc);
	plus = strrchr(text, '+');
	if (!plus || sscanf(plus, "+%lx/%lx", &offset, &size) != 2)
		return true;
	return addr - (pc - offset) < size;
}

/* a number may as well be the address of a device's registers, which are not to be read */
static bool is_text(unsigned long addr)
{
	char text[KSYM_SYMBOL_LEN];

	sprint_symbol(text, addr);
	return strchr(text, '+');
}

/**
 * tio_return_register() - the caller of @regs where the stack does not have it
 * @regs: interrupted kernel registers
 * @caller: the caller by the stack, 0 where it has none
 * @link: set to the caller, or 0 where the stack has it
 *
 * A function that calls nobody may have no frame, and any function has none at its
 * very beginning and end: then who called it is in the link register alone, and the
 * stack's next one is the caller's caller. Otherwise that register has what the
 * stack has, or an address in this function, from the last call that returned, or
 * whatever a function put there that saved it.
 *
 * Context: the interrupt, interrupts off.
 * Return: true when @regs is between two functions and in none.
 */
bool tio_return_register(const struct pt_regs *regs, unsigned long caller,
			 unsigned long *link)
{
	/* with the signature taken off that pointer authentication may have put on */
	unsigned long addr = regs->regs[30] | -(1UL << VA_BITS_MIN);
	bool between;

	*link = 0;
	if (addr == caller || !is_text(addr) || !follows_call(addr))
		return false;
	between = in_veneer(regs);
	if (between || !same_function(regs->pc, addr))
		*link = addr;
	return between;
}

/*
 * Saved registers have a frame record in them, and end with it here: at the top of
 * a stack there is nothing behind a record.
 */
static bool entry_regs(struct pt_regs *regs, unsigned long record)
{
	const void *from = (void *)(record - offsetof(struct pt_regs, stackframe));

	return !copy_from_kernel_nofault(regs, from,
					 offsetofend(struct pt_regs, stackframe)) &&
	       tio_is_entry_frame(regs);
}

/* how far an interrupt's way out is from what it interrupted; 10 on 6.1 */
#define WAY_OUT_FRAMES	16

/**
 * tio_stack_way_out() - go back from an interrupt's way out to what it interrupted
 * @regs: a copy of interrupted kernel registers; replaced
 *
 * Return: true when @regs was on the way out of an interrupt that had come in
 * right where interrupts were turned on; false, and nothing is replaced.
 *
 * Context: interrupts off.
 */
bool tio_stack_way_out(struct pt_regs *regs)
{
	unsigned long frame = regs->regs[29];
	struct pt_regs outer = *regs;
	unsigned int i;

	for (i = 0; i < WAY_OUT_FRAMES; i++) {
		if (entry_regs(&outer, frame)) {
			if (user_mode(&outer) || !tio_at_irq_enable(&outer))
				return false;
			*regs = outer;
			return true;
		}
		if (copy_from_kernel_nofault(&frame, (void *)frame,
					     sizeof(frame)))
			return false;
	}
	return false;
}
