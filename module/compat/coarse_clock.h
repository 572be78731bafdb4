/* SPDX-License-Identifier: GPL-2.0-only */
/* "timekeeping: Add missing _ns functions for coarse accessors" (v5.3) */
#ifndef _TIO_COMPAT_COARSE_CLOCK_H
#define _TIO_COMPAT_COARSE_CLOCK_H

#include <linux/timekeeping.h>

#ifndef HAVE_KTIME_GET_COARSE_NS
static inline u64 ktime_get_coarse_ns(void)
{
	struct timespec64 ts;

	ktime_get_coarse_ts64(&ts);
	return timespec64_to_ns(&ts);
}
#endif

#endif /* _TIO_COMPAT_COARSE_CLOCK_H */
