/* SPDX-License-Identifier: GPL-2.0-only */
/* A cgroup's id to its path, and to the pod and container that it is of. */
#ifndef _IRQOFF_CGROUP_H
#define _IRQOFF_CGROUP_H

#include <linux/types.h>
#include <stdbool.h>
#include <stdio.h>

#include "container.h"

enum cgroup_state {
	CGROUP_UNKNOWN,		/* there may be one, which is not to be seen from here */
	CGROUP_FOUND,
	CGROUP_GONE,
};

struct cgroup {
	char *path;		/* "cgroup:ID" where it has none, or none is known */
	char *text;		/* the same for people, who are told that it is gone */
	enum cgroup_state state;
	struct container container;
};

struct cgroups;

struct cgroups *cgroups_read(FILE *mountinfo);
struct cgroups *cgroups_open(const char *mountinfo_path);
void cgroups_close(struct cgroups *cgroups);
const struct cgroup *cgroups_find(struct cgroups *cgroups, __u64 id, bool v1);

#endif /* _IRQOFF_CGROUP_H */
