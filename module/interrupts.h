/* SPDX-License-Identifier: GPL-2.0-only */
/* What the architecture tells about interrupts; weakest answers elsewhere. */
#ifndef _TIO_INTERRUPTS_H
#define _TIO_INTERRUPTS_H

#include <linux/types.h>

struct pt_regs;

u32 tio_unseen_irqs(void);
bool tio_at_irq_enable(struct pt_regs *regs);
bool tio_return_register(const struct pt_regs *regs, unsigned long caller,
			 unsigned long *link);

#endif /* _TIO_INTERRUPTS_H */
