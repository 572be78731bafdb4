/* SPDX-License-Identifier: GPL-2.0-only */
/* Where the code of x86-64's kernel and of its modules lies. */
#ifndef _TIO_KERNEL_TEXT_H
#define _TIO_KERNEL_TEXT_H

#include <linux/types.h>
#include <asm/pgtable.h>

/* what lies elsewhere may be a device's registers, which must not be read */
static inline bool tio_in_kernel_text(unsigned long addr)
{
	return addr >= __START_KERNEL_map && addr < MODULES_END;
}

#endif /* _TIO_KERNEL_TEXT_H */
