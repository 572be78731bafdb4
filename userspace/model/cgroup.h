/* SPDX-License-Identifier: GPL-2.0-only */
/* Finds a cgroup's path by its id, and the pod and container that it belongs to. */
#ifndef _IRQOFF_CGROUP_H
#define _IRQOFF_CGROUP_H

#include <linux/types.h>
#include <stdbool.h>
#include <stdio.h>

#include "model/container.h"

enum cgroup_state {
	CGROUP_UNKNOWN,		/* it cannot be seen from here, or not be opened */
	CGROUP_FOUND,
	CGROUP_GONE,
};

struct cgroup {
	char *path;		/* "cgroup:ID" where it has none, or none is known */
	char *text;		/* for people, with " (gone)" where it is; else @path itself */
	struct container *container;	/* NULL: in none, or not known */
	enum cgroup_state state;
};

struct cgroups;

struct cgroups *cgroups_read(FILE *mountinfo);
struct cgroups *cgroups_open(const char *mountinfo_path);
void cgroups_renew(struct cgroups **cgroups, const char *mountinfo_path);
void cgroups_close(struct cgroups *cgroups);
void cgroups_add(struct cgroups *cgroups, __u64 id, bool v1, enum cgroup_state state,
		 const char *path);
void cgroups_each(struct cgroups *cgroups,
		  void (*call)(__u64 id, bool v1, const struct cgroup *cgroup, void *context),
		  void *context);
const struct cgroup *cgroups_find(struct cgroups *cgroups, __u64 id, bool v1);
const struct container *cgroup_container(const struct cgroup *cgroup);

#endif /* _IRQOFF_CGROUP_H */
