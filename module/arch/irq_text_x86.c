// SPDX-License-Identifier: GPL-2.0-only
#include <linux/limits.h>
#include <linux/ptrace.h>
#include <linux/string.h>

#include "arch/call_text.h"
#include "arch/irq_text.h"
#include "compat/nofault.h"
#include "core/kernel_text.h"

#define OP_POPF		0x9d
#define OP_STI		0xfb
#define OP_CALL		0xe8
#define OP_JMP		0xe9
#define OP_JMP_SHORT	0xeb
#define OP_RET		0xc3

/* the longest instruction taken for the one behind sti: a patched-in nop */
#define STI_SHADOW_MAX	8

/* a call or a jump with a 32-bit offset */
#define CALL_BYTES	5

/* is @ip right behind popf, or behind sti and one more instruction? */
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

/* is @regs at the first instruction of what was called behind an sti? Goes back there */
static bool follows_call(struct pt_regs *regs)
{
	u8 text[1 + CALL_BYTES];
	unsigned long back;
	s32 offset;

	if (copy_from_kernel_nofault(&back, (void *)regs->sp, sizeof(back)) ||
	    !tio_in_kernel_text(back) ||
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
 * @regs: a copy of interrupted kernel registers. Where the instruction behind sti is
 *	a call, they are set back to it: what it calls did nothing yet.
 *
 * An interrupt that waited is taken right behind popf, or behind the one instruction
 * that follows sti (Intel SDM vol. 2, STI). That instruction is decoded only where it
 * is a jump or a call, which lead away from sti. About one address in 32 passes by
 * chance, so this is one piece of evidence among several.
 *
 * Context: any.
 * Return: true when it did.
 */
bool tio_at_irq_enable(struct pt_regs *regs)
{
	return follows(regs->ip) || follows_call(regs) || follows_jump(regs->ip);
}

/* how far into a function its end is looked for */
#define RETURN_BYTES	128

/*
 * Where the function at @addr, or one that it jumps to at its end, has a ret right behind
 * an sti; 0 where neither has.
 */
static unsigned long sti_ret(unsigned long addr, bool jumps)
{
	u8 text[RETURN_BYTES + CALL_BYTES];
	unsigned long to, found;
	unsigned int i;
	s32 offset;

	if (copy_from_kernel_nofault(text, (void *)addr, sizeof(text)))
		return 0;
	for (i = 0; i < RETURN_BYTES; i++) {
		if (text[i] == OP_STI && text[i + 1] == OP_RET)
			return addr + i + 1;
		if (!jumps || text[i] != OP_JMP)
			continue;
		memcpy(&offset, text + i + 1, sizeof(offset));
		to = addr + i + CALL_BYTES + offset;
		found = tio_in_kernel_text(to) ? sti_ret(to, false) : 0;
		if (found)
			return found;
	}
	return 0;
}

/**
 * tio_irq_enable_returned() - did a function enable interrupts as it returned?
 * @ip: where an interrupt came in
 *
 * An interrupt that waited is taken behind the ret that follows sti, when the function
 * that enabled interrupts is off the stack. Kernels without PARAVIRT_XXL have such
 * functions, as RHEL's since 9; the others have a nop behind sti.
 *
 * Context: any. It reads some hundred bytes of text: for ends of stalls only.
 * Return: the address of that ret; 0 if there was none.
 */
unsigned long tio_irq_enable_returned(unsigned long ip)
{
	unsigned long called = tio_call_target(ip);

	return called ? sti_ret(called, true) : 0;
}
