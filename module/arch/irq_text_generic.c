// SPDX-License-Identifier: GPL-2.0-only
#include "arch/irq_text.h"

/**
 * tio_at_irq_enable() - did the code of @regs just enable interrupts?
 * @regs: a copy of interrupted kernel registers
 *
 * Context: any.
 * Return: false, not known on this architecture.
 */
bool tio_at_irq_enable(struct pt_regs *regs)
{
	return false;
}
