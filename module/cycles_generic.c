// SPDX-License-Identifier: GPL-2.0-only
#include "cycles.h"
#include "interrupts.h"

/**
 * tio_cycles_init() - nothing to learn: cycles are ns
 */
void tio_cycles_init(void)
{
}

/**
 * tio_cycles_steady() - can cycles be told in ns?
 */
bool tio_cycles_steady(void)
{
	return true;
}

/**
 * tio_unseen_irqs() - interrupts this CPU took that no probe has seen
 *
 * Return: 0, as far as is known here.
 */
u32 tio_unseen_irqs(void)
{
	return 0;
}
