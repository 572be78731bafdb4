/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where a dump leaves a sentence for who asked: "netlink: Pass extack to dump handlers"
 * (v4.20). It gets none before, and at its start not on all kernels since.
 */
#ifndef _TIO_COMPAT_DUMP_EXTACK_H
#define _TIO_COMPAT_DUMP_EXTACK_H

#include <linux/netlink.h>

static inline struct netlink_ext_ack *tio_dump_extack(const struct netlink_callback *cb)
{
#ifdef HAVE_DUMP_EXTACK
	return cb->extack;
#else
	return NULL;
#endif
}

#endif /* _TIO_COMPAT_DUMP_EXTACK_H */
