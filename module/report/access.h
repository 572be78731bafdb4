/* SPDX-License-Identifier: GPL-2.0-only */
/* Who may change settings, who may read, and who sees addresses. */
#ifndef _TIO_ACCESS_H
#define _TIO_ACCESS_H

#include <linux/types.h>

struct netlink_ext_ack;
struct sk_buff;

bool tio_may_change(void);
bool tio_may_read(void);
bool tio_may_see_addresses(void);
int tio_request_may_change(struct sk_buff *skb, struct netlink_ext_ack *extack);
int tio_request_may_read(struct sk_buff *skb, struct netlink_ext_ack *extack);
bool tio_request_may_see_addresses(struct sk_buff *skb);

#endif /* _TIO_ACCESS_H */
