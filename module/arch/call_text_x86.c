// SPDX-License-Identifier: GPL-2.0-only
#include <linux/string.h>

#include "arch/call_text.h"
#include "compat/nofault.h"
#include "core/kernel_text.h"

/* a call with a 32-bit offset */
#define OP_CALL		0xe8
#define CALL_BYTES	5

/**
 * tio_call_target() - what a call instruction calls
 * @back: the return address
 *
 * The kernel patches direct calls in place of indirect ones, and the other way round. What
 * is there now may differ from what was there when the stack was taken. The bytes may also
 * belong to another instruction, whose last five look like a call. So a target counts only
 * where a function begins.
 *
 * Context: any.
 * Return: the target; 0 where it is no direct call, or not known.
 */
u64 tio_call_target(unsigned long back)
{
	u8 text[CALL_BYTES];
	u64 target;
	s32 offset;

	/* a frame that the unwinder guessed may be the address of a device's registers */
	if (!tio_in_kernel_text(back - CALL_BYTES) ||
	    copy_from_kernel_nofault(text, (void *)(back - CALL_BYTES), sizeof(text)) ||
	    text[0] != OP_CALL)
		return 0;
	memcpy(&offset, text + 1, sizeof(offset));
	target = back + offset;
	return tio_in_kernel_text(target) ? target : 0;
}
