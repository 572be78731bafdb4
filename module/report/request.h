/* SPDX-License-Identifier: GPL-2.0-only */
/* What a netlink request may say, and how it is read. */
#ifndef _TIO_REQUEST_H
#define _TIO_REQUEST_H

#include <net/netlink.h>
#include "core/settings.h"
#include "uapi/linux/trace_irqoff.h"

extern const struct nla_policy tio_request_policy[TRACE_IRQOFF_A_MAX + 1];

int tio_request_check(const struct nlmsghdr *nlh, struct netlink_ext_ack *extack);
int tio_request_settings(struct tio_settings *settings, struct nlattr **attrs);
int tio_request_cursor(const struct nlattr *attr, u32 *cpu, u64 *seq,
		       struct netlink_ext_ack *extack);

#endif /* _TIO_REQUEST_H */
