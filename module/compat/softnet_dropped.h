/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Packets dropped because a CPU's backlog was full. The counter is an atomic_t since
 * "net: make softnet_data.dropped an atomic_t" (v6.10), and a set of counters since
 * "net: use NUMA drop counters for softnet_data.dropped" (v6.18).
 */
#ifndef _TIO_COMPAT_SOFTNET_DROPPED_H
#define _TIO_COMPAT_SOFTNET_DROPPED_H

#include <linux/netdevice.h>

static inline u32 tio_softnet_dropped(const struct softnet_data *sd)
{
#if defined(HAVE_NUMA_DROPS)
	return numa_drop_read(&sd->drop_counters);
#elif defined(HAVE_SOFTNET_DROPPED_ATOMIC)
	return atomic_read(&sd->dropped);
#else
	return READ_ONCE(sd->dropped);
#endif
}

#endif /* _TIO_COMPAT_SOFTNET_DROPPED_H */
