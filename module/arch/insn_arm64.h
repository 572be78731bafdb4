/* SPDX-License-Identifier: GPL-2.0-only */
/* Instructions in kernel text. */
#ifndef _TIO_INSN_ARM64_H
#define _TIO_INSN_ARM64_H

#include <linux/types.h>
#include <asm/byteorder.h>

#include "compat/nofault.h"

/* 0, which is no instruction that anybody looks for, where it cannot be read */
static inline u32 tio_insn_at(unsigned long addr)
{
	__le32 insn;

	if (copy_from_kernel_nofault(&insn, (void *)addr, sizeof(insn)))
		return 0;
	return le32_to_cpu(insn);
}

static inline u32 tio_insn_before(unsigned long addr)
{
	return tio_insn_at(addr - sizeof(u32));
}

#endif /* _TIO_INSN_ARM64_H */
