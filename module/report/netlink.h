/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _TIO_NETLINK_H
#define _TIO_NETLINK_H

int tio_netlink_init(void);
void tio_netlink_exit(void);

#endif /* _TIO_NETLINK_H */
