// SPDX-License-Identifier: GPL-2.0-only
#include <linux/bitops.h>

#include "arch/call_text.h"
#include "arch/insn_arm64.h"

/* bl, with a signed number of instructions */
#define BL_MASK		0xfc000000
#define BL		0x94000000
#define BL_OFFSET_SIGN	25

/**
 * tio_call_target() - what a call instruction calls
 * @back: the return address
 *
 * The kernel patches direct calls in place of indirect ones, and the other way round. What
 * is there now may differ from what was there when the stack was taken. So a target counts
 * only where a function begins; a veneer's does not.
 *
 * Context: any.
 * Return: the target; 0 where it is no direct call, or not known.
 */
u64 tio_call_target(unsigned long back)
{
	u32 insn = tio_insn_before(back);

	if ((insn & BL_MASK) != BL)
		return 0;
	return back - sizeof(insn) + sign_extend64(insn, BL_OFFSET_SIGN) * sizeof(insn);
}
