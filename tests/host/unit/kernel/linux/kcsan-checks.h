/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _LINUX_KERNEL_KCSAN_CHECKS_H
#define _LINUX_KERNEL_KCSAN_CHECKS_H

#define KCSAN_SEQLOCK_REGION_MAX	1000
#define kcsan_atomic_next(n)		((void)(n))

#endif /* _LINUX_KERNEL_KCSAN_CHECKS_H */
