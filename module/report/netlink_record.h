/* SPDX-License-Identifier: GPL-2.0-only */
/* A record as netlink attributes. */
#ifndef _TIO_NETLINK_RECORD_H
#define _TIO_NETLINK_RECORD_H

#include <linux/skbuff.h>
#include "core/put_u64.h"
#include "core/record.h"

int tio_put_record(struct sk_buff *skb, const struct tio_record *rec,
		   const struct tio_sample *meanwhile, bool addresses);
int tio_put_names(struct sk_buff *skb, const struct tio_record *rec,
		  const struct tio_sample *meanwhile, bool all, bool addresses, char *symbol);

#endif /* _TIO_NETLINK_RECORD_H */
