// SPDX-License-Identifier: GPL-2.0-only
#include "interrupts.h"
#include "stack.h"

/**
 * tio_at_irq_enable() - did the code of @regs just enable interrupts?
 * @regs: a copy of interrupted kernel registers
 *
 * Return: false, not known on this architecture.
 */
bool tio_at_irq_enable(struct pt_regs *regs)
{
	return false;
}

/**
 * tio_return_register() - the caller of @regs where the stack does not have it
 * @regs: interrupted kernel registers
 * @caller: the caller by the stack
 * @link: set to 0, not known on this architecture
 *
 * Return: false.
 */
bool tio_return_register(const struct pt_regs *regs, unsigned long caller,
			 unsigned long *link)
{
	*link = 0;
	return false;
}

/**
 * tio_stack_way_out() - go back from an interrupt's way out to what it interrupted
 * @regs: a copy of interrupted kernel registers
 *
 * Return: false, not known on this architecture.
 */
bool tio_stack_way_out(struct pt_regs *regs)
{
	return false;
}
