/* SPDX-License-Identifier: GPL-2.0-only */
/* Bounded kernel stacks. */
#ifndef _TIO_STACK_H
#define _TIO_STACK_H

#include <linux/types.h>

struct pt_regs;

bool tio_stack_take(u64 *frames, u32 *nframes, struct pt_regs *regs);
bool tio_stack_way_out(struct pt_regs *regs);
unsigned int tio_stack_walk_regs(struct pt_regs *regs, unsigned long *frames,
				 unsigned int max);

#endif /* _TIO_STACK_H */
