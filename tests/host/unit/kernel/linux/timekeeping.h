/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _LINUX_KERNEL_TIMEKEEPING_H
#define _LINUX_KERNEL_TIMEKEEPING_H

#include <time.h>

#include <linux/types.h>

#define NSEC_PER_MSEC	1000000UL

static inline u64 ktime_get_mono_fast_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ULL + now.tv_nsec;
}

static inline u64 ktime_get_ns(void)
{
	return ktime_get_mono_fast_ns();
}

#endif /* _LINUX_KERNEL_TIMEKEEPING_H */
