/* SPDX-License-Identifier: GPL-2.0-only */
/* Interrupts that have no tracepoint to show them. */
#ifndef _TIO_IRQ_COUNT_H
#define _TIO_IRQ_COUNT_H

#include <linux/types.h>

u32 tio_untraced_irqs(void);

#endif /* _TIO_IRQ_COUNT_H */
