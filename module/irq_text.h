/* SPDX-License-Identifier: GPL-2.0-only */
/* What kernel text says about interrupts. */
#ifndef _TIO_IRQ_TEXT_H
#define _TIO_IRQ_TEXT_H

#include <linux/types.h>

struct pt_regs;

bool tio_at_irq_enable(struct pt_regs *regs);

#endif /* _TIO_IRQ_TEXT_H */
