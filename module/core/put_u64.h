/* SPDX-License-Identifier: GPL-2.0-only */
/* A number as a netlink attribute. */
#ifndef _TIO_PUT_U64_H
#define _TIO_PUT_U64_H

#include <net/netlink.h>

#include "uapi/linux/trace_irqoff.h"

/**
 * tio_put_u64() - an aligned 64-bit attribute
 * @skb: message
 * @attr: TRACE_IRQOFF_A_*
 * @value: value
 *
 * Context: any.
 * Return: 0 or -EMSGSIZE.
 */
static inline int tio_put_u64(struct sk_buff *skb, int attr, u64 value)
{
	return nla_put_u64_64bit(skb, attr, value, TRACE_IRQOFF_A_PAD);
}

#endif /* _TIO_PUT_U64_H */
