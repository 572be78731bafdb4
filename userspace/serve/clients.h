/* SPDX-License-Identifier: GPL-2.0-only */
/* Connections, and since when each has waited for us, or we for it. */
#ifndef _IRQOFF_CLIENTS_H
#define _IRQOFF_CLIENTS_H

#include <linux/types.h>
#include <stddef.h>

#define CLIENTS_MOST	32
#define CLIENTS_NS	20000000000ULL	/* that a request and its answer may take */

struct client {
	const void *connection;	/* NULL: none */
	int fd;
	__u64 since_ns;		/* the monotonic clock; 0: it waits for us */
};

struct clients {
	struct client all[CLIENTS_MOST];
	size_t count;
};

void clients_add(struct clients *clients, const void *connection, int fd, __u64 now_ns);
void clients_set(struct clients *clients, const void *connection, __u64 now_ns);
void clients_remove(struct clients *clients, const void *connection);
void clients_limit(struct clients *clients, __u64 now_ns);

#endif /* _IRQOFF_CLIENTS_H */
