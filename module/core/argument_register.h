/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Registers of x86-64 at each instruction of a function: which one holds its first argument, and
 * which have not been written yet. Pure.
 */
#ifndef _TIO_ARGUMENT_REGISTER_H
#define _TIO_ARGUMENT_REGISTER_H

#include <linux/types.h>

/* the longest function that is read; slow paths of locks have 300 to 1500 bytes */
#define TIO_ARGUMENT_TEXT	4096

/* no register is known to hold it */
#define TIO_ARGUMENT_NONE	0xff

/* the numbers of registers, as instructions have them */
enum tio_x86_reg {
	TIO_X86_AX, TIO_X86_CX, TIO_X86_DX, TIO_X86_BX,
	TIO_X86_SP, TIO_X86_BP, TIO_X86_SI, TIO_X86_DI,
	TIO_X86_REGS = 16
};

/* what is worked out meanwhile: too large for a stack */
struct tio_argument_work {
	u16 holds[TIO_ARGUMENT_TEXT];	/* by offset: a bit for each register */
	u64 slots[TIO_ARGUMENT_TEXT];	/* likewise for words of the stack */
	u16 todo[TIO_ARGUMENT_TEXT];
	u8 state[TIO_ARGUMENT_TEXT];
	unsigned int ntodo;
};

bool tio_argument_find(const u8 *text, unsigned int len, struct tio_argument_work *work,
		       u8 *regs);

bool tio_argument_unwritten(const u8 *text, unsigned int len, struct tio_argument_work *work,
			    u16 *regs);

#endif /* _TIO_ARGUMENT_REGISTER_H */
