// SPDX-License-Identifier: GPL-2.0-only
#include "interrupts.h"

/**
 * tio_unseen_irqs() - interrupts this CPU took that no probe has seen
 *
 * Return: 0, as far as is known here.
 */
u32 tio_unseen_irqs(void)
{
	return 0;
}

/**
 * tio_at_irq_enable() - does @ip follow an instruction that enables interrupts?
 * @ip: interrupted instruction in kernel text
 *
 * Return: false, not known on this architecture.
 */
bool tio_at_irq_enable(unsigned long ip)
{
	return false;
}
