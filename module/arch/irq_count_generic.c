// SPDX-License-Identifier: GPL-2.0-only
#include "arch/irq_count.h"

/**
 * tio_untraced_irqs() - interrupts of this CPU that no probe sees
 *
 * Context: interrupts off.
 * Return: 0, as far as is known here.
 */
u32 tio_untraced_irqs(void)
{
	return 0;
}
