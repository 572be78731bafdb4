// SPDX-License-Identifier: GPL-2.0-only
#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

#include "base/address.h"
#include "base/units.h"

#define PORT_MOST	65535

/**
 * address_parse() - "127.0.0.1:10475" or "[::1]:10475"
 * @address: the result
 * @text: numbers only: a name may mean another address tomorrow. All addresses of the machine
 *	are 0.0.0.0 or [::], not "".
 *
 * Return: false where it is none.
 */
bool address_parse(struct address *address, const char *text)
{
	const char *colon = strrchr(text, ':');
	char host[INET6_ADDRSTRLEN] = "";
	size_t len = colon ? colon - text : 0;
	__u64 port;

	*address = (struct address){ 0 };
	if (!colon || !parse_number(colon + 1, PORT_MOST, &port))
		return false;
	if (len > 2 && len < sizeof(host) + 2 && *text == '[' && colon[-1] == ']') {
		memcpy(host, text + 1, len - 2);
		address->v6.sin6_family = AF_INET6;
		address->v6.sin6_port = htons(port);
		return inet_pton(AF_INET6, host, &address->v6.sin6_addr) == 1;
	}
	if (len >= sizeof(host))
		return false;
	memcpy(host, text, len);
	address->v4.sin_family = AF_INET;
	address->v4.sin_port = htons(port);
	return inet_pton(AF_INET, host, &address->v4.sin_addr) == 1;
}

socklen_t address_size(const struct address *address)
{
	return address->any.sa_family == AF_INET6 ? sizeof(address->v6) : sizeof(address->v4);
}

/* can this machine alone reach it? */
bool address_is_loopback(const struct address *address)
{
	const struct in6_addr *v6 = &address->v6.sin6_addr;

	if (address->any.sa_family != AF_INET6)
		return ntohl(address->v4.sin_addr.s_addr) >> 24 == IN_LOOPBACKNET;
	return IN6_IS_ADDR_LOOPBACK(v6) ||
	       (IN6_IS_ADDR_V4MAPPED(v6) && v6->s6_addr[12] == IN_LOOPBACKNET);
}

/**
 * address_print() - as address_parse() takes it
 * @buf: room
 * @address: the address
 *
 * Return: @buf.
 */
const char *address_print(char buf[ADDRESS_LEN], const struct address *address)
{
	char host[INET6_ADDRSTRLEN];

	if (address->any.sa_family == AF_INET6) {
		inet_ntop(AF_INET6, &address->v6.sin6_addr, host, sizeof(host));
		snprintf(buf, ADDRESS_LEN, "[%s]:%u", host, ntohs(address->v6.sin6_port));
	} else {
		inet_ntop(AF_INET, &address->v4.sin_addr, host, sizeof(host));
		snprintf(buf, ADDRESS_LEN, "%s:%u", host, ntohs(address->v4.sin_port));
	}
	return buf;
}
