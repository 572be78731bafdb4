/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _LINUX_KERNEL_CACHE_H
#define _LINUX_KERNEL_CACHE_H

#define ____cacheline_aligned_in_smp	__attribute((aligned(64)))

#endif /* _LINUX_KERNEL_CACHE_H */
