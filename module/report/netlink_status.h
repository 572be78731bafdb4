/* SPDX-License-Identifier: GPL-2.0-only */
/* What is in force and what is watched, as netlink attributes. */
#ifndef _TIO_NETLINK_STATUS_H
#define _TIO_NETLINK_STATUS_H

#include <net/netlink.h>

/* each of the three lists of CPUs may be a page long */
#define TIO_STATUS_BYTES	(3 * PAGE_SIZE + NLMSG_GOODSIZE)

int tio_put_status(struct sk_buff *skb);

#endif /* _TIO_NETLINK_STATUS_H */
