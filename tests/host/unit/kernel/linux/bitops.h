/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _LINUX_KERNEL_BITOPS_H
#define _LINUX_KERNEL_BITOPS_H

#include <linux/types.h>

static inline int fls64(u64 x)
{
	return x ? 64 - __builtin_clzll(x) : 0;
}

#endif /* _LINUX_KERNEL_BITOPS_H */
