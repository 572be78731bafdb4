/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The number that names a cgroup: "kernfs: convert kernfs_node->id from union
 * kernfs_node_id to u64" (v5.5). The union has the same 64 bits: the inode's number, and
 * how often that was used.
 */
#ifndef _TIO_COMPAT_CGROUP_ID_H
#define _TIO_COMPAT_CGROUP_ID_H

#include <linux/cgroup.h>

#ifndef HAVE_CGROUP_ID
static inline u64 cgroup_id(const struct cgroup *cgrp)
{
	return cgrp->kn->id.id;
}
#endif

#endif /* _TIO_COMPAT_CGROUP_ID_H */
