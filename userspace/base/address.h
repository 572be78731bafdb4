/* SPDX-License-Identifier: GPL-2.0-only */
/* An address to listen at, as it is typed. Pure. */
#ifndef _IRQOFF_ADDRESS_H
#define _IRQOFF_ADDRESS_H

#include <netinet/in.h>
#include <stdbool.h>

/* room for any that is printed */
#define ADDRESS_LEN	(INET6_ADDRSTRLEN + sizeof("[]:65535"))

struct address {
	union {
		struct sockaddr any;
		struct sockaddr_in v4;
		struct sockaddr_in6 v6;
	};
};

bool address_parse(struct address *address, const char *text);
socklen_t address_size(const struct address *address);
bool address_is_loopback(const struct address *address);
const char *address_print(char buf[ADDRESS_LEN], const struct address *address);

#endif /* _IRQOFF_ADDRESS_H */
