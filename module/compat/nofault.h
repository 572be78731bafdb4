/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads the kernel's memory where it may be missing: "maccess: rename
 * probe_kernel_{read,write} to copy_{from,to}_kernel_nofault" (v5.8).
 */
#ifndef _TIO_COMPAT_NOFAULT_H
#define _TIO_COMPAT_NOFAULT_H

#include <linux/uaccess.h>

#ifndef HAVE_COPY_FROM_KERNEL_NOFAULT
static inline long copy_from_kernel_nofault(void *dst, const void *src, size_t size)
{
#ifdef CONFIG_X86_64
	/*
	 * Before "maccess: always use strict semantics for probe_kernel_read" (v5.8) a
	 * program's memory was read as well, and an address that is not canonical gave
	 * a warning.
	 */
	if ((unsigned long)src < PAGE_OFFSET)
		return -ERANGE;
#endif
	return probe_kernel_read(dst, src, size);
}
#endif

#endif /* _TIO_COMPAT_NOFAULT_H */
