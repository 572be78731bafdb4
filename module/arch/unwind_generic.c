// SPDX-License-Identifier: GPL-2.0-only
#include "arch/unwind.h"

/**
 * tio_unwind_link() - the caller of @regs where the stack does not have it
 * @regs: interrupted kernel registers
 * @caller: the caller by the stack
 * @link: set to 0, not known on this architecture
 *
 * Context: interrupts off.
 * Return: false.
 */
bool tio_unwind_link(const struct pt_regs *regs, unsigned long caller,
		     unsigned long *link)
{
	*link = 0;
	return false;
}

/**
 * tio_unwind_way_out() - go back from an interrupt's way out to what it interrupted
 * @regs: a copy of interrupted kernel registers
 *
 * Context: interrupts off.
 * Return: false, not known on this architecture.
 */
bool tio_unwind_way_out(struct pt_regs *regs)
{
	return false;
}
