/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _LINUX_KERNEL_OVERFLOW_H
#define _LINUX_KERNEL_OVERFLOW_H

#include <stddef.h>

#define array_size(n, size)		((size_t)(n) * (size))
#define struct_size(p, member, n)	offsetof(__typeof__(*(p)), member[n])

#endif /* _LINUX_KERNEL_OVERFLOW_H */
