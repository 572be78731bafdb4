// SPDX-License-Identifier: GPL-2.0-only
/*
 * libmicrohttpd ends a connection on which nothing comes or goes for some seconds. One that
 * sends a byte every now and then would keep its place for hours.
 */
#include <sys/socket.h>

#include "serve/clients.h"

static struct client *find(struct clients *clients, const void *connection)
{
	for (size_t i = 0; i < CLIENTS_MOST; i++)
		if (clients->all[i].connection == connection)
			return &clients->all[i];
	return NULL;
}

void clients_add(struct clients *clients, const void *connection, int fd, __u64 now_ns)
{
	struct client *client = find(clients, NULL);

	if (!client)
		return;
	*client = (struct client){ .connection = connection, .fd = fd, .since_ns = now_ns };
	clients->count++;
}

/* it has @now_ns from now on; 0: all the time that there is */
void clients_set(struct clients *clients, const void *connection, __u64 now_ns)
{
	struct client *client = find(clients, connection);

	if (client)
		client->since_ns = now_ns;
}

void clients_remove(struct clients *clients, const void *connection)
{
	struct client *client = find(clients, connection);

	if (!client)
		return;
	*client = (struct client){ 0 };
	clients->count--;
}

/* ends those that take too long; the library sees it as their own doing */
void clients_limit(struct clients *clients, __u64 now_ns)
{
	for (size_t i = 0; i < CLIENTS_MOST; i++) {
		const struct client *client = &clients->all[i];

		if (client->connection && client->since_ns &&
		    now_ns > client->since_ns + CLIENTS_NS)
			shutdown(client->fd, SHUT_RDWR);
	}
}
