/* SPDX-License-Identifier: GPL-2.0-only */
/* The wall clock and the monotonic one. */
#ifndef _IRQOFF_CLOCKS_H
#define _IRQOFF_CLOCKS_H

#include <linux/types.h>

__u64 clock_monotonic_ns(void);
__u64 clock_realtime_ns(void);
__u64 clock_next(__u64 now_ns, __u64 interval_ns);
__u64 clock_realtime_at(__u64 at_ns, __u64 asked_ns);

#endif /* _IRQOFF_CLOCKS_H */
