/* SPDX-License-Identifier: GPL-2.0-only */
/* A cgroup's id to its path. */
#ifndef _IRQOFF_CGROUP_H
#define _IRQOFF_CGROUP_H

#include <linux/types.h>
#include <stdbool.h>

struct cgroups;

struct cgroups *cgroups_open(const char *mountinfo_path);
void cgroups_close(struct cgroups *cgroups);
const char *cgroups_path(struct cgroups *cgroups, __u64 id, bool v1);

#endif /* _IRQOFF_CGROUP_H */
