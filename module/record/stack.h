/* SPDX-License-Identifier: GPL-2.0-only */
/* Kernel stacks of a bounded depth. */
#ifndef _TIO_STACK_H
#define _TIO_STACK_H

#include <linux/types.h>

struct pt_regs;

int tio_stack_init(void);
void tio_stack_exit(void);
bool tio_stack_is_own(u64 addr);
bool tio_stack_take(u64 *frames, unsigned int most, u32 *nframes, struct pt_regs *regs);
bool tio_stack_push(u64 *frames, u32 *nframes, u64 addr);

#endif /* _TIO_STACK_H */
