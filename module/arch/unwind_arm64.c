// SPDX-License-Identifier: GPL-2.0-only
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/ptrace.h>
#include <linux/stddef.h>
#include <linux/string.h>
#include <asm/memory.h>

#include "arch/insn_arm64.h"
#include "arch/irq_text.h"
#include "arch/unwind.h"
#include "compat/entry_frame.h"

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

static bool follows_call(unsigned long addr)
{
	u32 insn = tio_insn_before(addr);

	return (insn & BL_MASK) == BL || (insn & BLR_MASK) == BLR;
}

/*
 * Is @regs in a veneer? A module out of a call's reach of what it calls gets there by
 * a few instructions that belong to no function (arch/arm64/kernel/module-plts.c).
 */
static bool in_veneer(const struct pt_regs *regs)
{
	unsigned int i;
	u32 insn;

	for (i = 0; i < VENEER_INSNS; i++) {
		insn = tio_insn_at(regs->pc + i * sizeof(insn));
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

/* any other number may be the address of a device's registers, which must not be read */
static bool is_text(unsigned long addr)
{
	char text[KSYM_SYMBOL_LEN];

	sprint_symbol(text, addr);
	return strchr(text, '+');
}

/**
 * tio_unwind_link() - the caller of @regs where the stack does not have it
 * @regs: interrupted kernel registers
 * @caller: the caller by the stack, 0 where it has none
 * @link: set to the caller, or 0 where the stack has it
 *
 * A leaf function may have no frame, and no function has one at its
 * first and last instructions. Then only the link register has the caller, and the
 * stack begins with the caller's caller. Elsewhere the link register holds the
 * stack's own caller, an address in this function (from the last call that
 * returned), or anything that a function put there after it saved it.
 *
 * Context: the interrupt, interrupts off.
 * Return: true when @regs is in a veneer between two functions.
 */
bool tio_unwind_link(const struct pt_regs *regs, unsigned long caller,
		     unsigned long *link)
{
	/* without the signature that pointer authentication may have added */
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
 * Reads the registers that an interrupt's entry saved around a frame record. At the
 * top of a stack nothing lies behind the record, so the read ends with it.
 */
static bool entry_regs(struct pt_regs *regs, unsigned long record)
{
	const void *from = (void *)(record - offsetof(struct pt_regs, stackframe));

	return !copy_from_kernel_nofault(regs, from,
					 offsetofend(struct pt_regs, stackframe)) &&
	       tio_is_entry_frame(regs);
}

/* frames between an interrupt's way out and what it interrupted; 10 on 6.1 */
#define WAY_OUT_FRAMES	16

/**
 * tio_unwind_way_out() - go back from an interrupt's way out to what it interrupted
 * @regs: a copy of interrupted kernel registers; replaced
 *
 * Return: true when @regs was on the way out of an interrupt that had come in
 * right where interrupts were turned on; false, and nothing is replaced.
 *
 * Context: interrupts off.
 */
bool tio_unwind_way_out(struct pt_regs *regs)
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
