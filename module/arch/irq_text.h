/* SPDX-License-Identifier: GPL-2.0-only */
/* What kernel text says about interrupts. */
#ifndef _TIO_IRQ_TEXT_H
#define _TIO_IRQ_TEXT_H

#include <linux/types.h>

struct pt_regs;

bool tio_at_irq_enable(struct pt_regs *regs);

#ifdef CONFIG_X86_64
unsigned long tio_irq_enable_returned(unsigned long ip);
#else
static inline unsigned long tio_irq_enable_returned(unsigned long ip)
{
	return 0;
}
#endif

#endif /* _TIO_IRQ_TEXT_H */
