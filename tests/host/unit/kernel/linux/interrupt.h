/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _LINUX_KERNEL_INTERRUPT_H
#define _LINUX_KERNEL_INTERRUPT_H

#include <linux/kernel.h>

struct irqaction {
	unsigned int irq;
	const char *name;
};

#endif /* _LINUX_KERNEL_INTERRUPT_H */
