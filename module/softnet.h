/* SPDX-License-Identifier: GPL-2.0-only */
/* How this CPU fares with the packets it receives (/proc/net/softnet_stat). */
#ifndef _TIO_SOFTNET_H
#define _TIO_SOFTNET_H

#include <linux/netdevice.h>

#include "compat/softnet.h"
#include "record.h"

/* Context: as the other, interrupts off. */
static inline void tio_softnet_read(struct tio_softnet *net)
{
	const struct softnet_data *sd = this_cpu_ptr(&softnet_data);

	net->processed = READ_ONCE(sd->processed);
	net->time_squeeze = READ_ONCE(sd->time_squeeze);
	net->dropped = tio_softnet_dropped(sd);
	net->waited = false;
}

/* @net: filled in with what has been added to @before */
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
