// SPDX-License-Identifier: GPL-2.0-only
#include "arch/call_text.h"

/**
 * tio_call_target() - what a call instruction calls
 * @back: the return address
 *
 * Context: any.
 * Return: 0, not known on this architecture.
 */
u64 tio_call_target(unsigned long back)
{
	return 0;
}
