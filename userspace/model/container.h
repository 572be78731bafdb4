/* SPDX-License-Identifier: GPL-2.0-only */
/* Reads pod and container off a cgroup's path. */
#ifndef _IRQOFF_CONTAINER_H
#define _IRQOFF_CONTAINER_H

#define CONTAINER_POD_LEN	36	/* a UUID */
#define CONTAINER_ID_LEN	64	/* a SHA-256 */
#define CONTAINER_SHORT_LEN	12	/* what crictl and docker show of it */

/* "" where there is none; each may be there without the other */
struct container {
	char pod[CONTAINER_POD_LEN + 1];	/* its UID */
	char id[CONTAINER_ID_LEN + 1];
};

void container_find(struct container *container, const char *path);

#endif /* _IRQOFF_CONTAINER_H */
