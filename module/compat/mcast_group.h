/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a multicast group says in its definition to be joined by CAP_SYS_ADMIN alone. It is
 * a flag since "genetlink: Use internal flags for multicast groups" (v6.8), and was a bit of
 * its own since 'drop_monitor: Require "CAP_SYS_ADMIN" when joining "events" group' (v6.7).
 * Stable kernels have one or the other. Older ones let everybody join.
 */
#ifndef _TIO_COMPAT_MCAST_GROUP_H
#define _TIO_COMPAT_MCAST_GROUP_H

#include <net/genetlink.h>

#if defined(GENL_MCAST_CAP_SYS_ADMIN)
#define TIO_MCAST_SYS_ADMIN	.flags = GENL_MCAST_CAP_SYS_ADMIN,
#elif defined(HAVE_MCAST_CAP_SYS_ADMIN)
#define TIO_MCAST_SYS_ADMIN	.cap_sys_admin = 1,
#else
#define TIO_MCAST_SYS_ADMIN
#endif

#endif /* _TIO_COMPAT_MCAST_GROUP_H */
