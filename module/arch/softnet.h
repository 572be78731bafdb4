/* SPDX-License-Identifier: GPL-2.0-only */
/* This CPU's counters of received packets (/proc/net/softnet_stat). */
#ifndef _TIO_SOFTNET_H
#define _TIO_SOFTNET_H

#include <linux/netdevice.h>

#include "compat/softnet_dropped.h"
#include "core/record.h"

/* Context: interrupts off. */
static inline void tio_softnet_read(struct tio_softnet *net)
{
	const struct softnet_data *sd = this_cpu_ptr(&softnet_data);

	net->processed = READ_ONCE(sd->processed);
	net->time_squeeze = READ_ONCE(sd->time_squeeze);
	net->dropped = tio_softnet_dropped(sd);
	net->waited = false;
}

/*
 * Sets @net to what was counted since @before was read.
 * Context: interrupts off.
 */
static inline void tio_softnet_since(struct tio_softnet *net,
				     const struct tio_softnet *before)
{
	tio_softnet_read(net);
	net->processed -= before->processed;
	net->time_squeeze -= before->time_squeeze;
	net->dropped -= before->dropped;
	net->waited = before->waited;
}

#endif /* _TIO_SOFTNET_H */
