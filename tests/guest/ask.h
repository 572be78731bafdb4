/* SPDX-License-Identifier: GPL-2.0-only */
/* Single requests to the module, and the first message of each answer. */
#ifndef _ASK_H
#define _ASK_H

#include <err.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>

#include "../../module/uapi/linux/trace_irqoff.h"

struct request {
	struct nlmsghdr head;
	struct genlmsghdr genl;
	struct nlattr attr;
	char value[NLA_ALIGN(sizeof(TRACE_IRQOFF_GENL_NAME))];
};

static char reply[64 * 1024];
static int sock;

/* sends a request with one attribute, or none if @len is 0 */
static void send_request(int family, int cmd, int flags, int attr, const void *value, size_t len)
{
	struct request request = {
		.head = {
			.nlmsg_len = NLMSG_LENGTH(GENL_HDRLEN) +
				     (len ? NLA_HDRLEN + NLA_ALIGN(len) : 0),
			.nlmsg_type = family,
			.nlmsg_flags = NLM_F_REQUEST | flags,
		},
		.genl = { .cmd = cmd, .version = TRACE_IRQOFF_GENL_VERSION },
		.attr = { .nla_len = NLA_HDRLEN + len, .nla_type = attr },
	};

	if (len)
		memcpy(request.value, value, len);
	if (send(sock, &request, request.head.nlmsg_len, 0) < 0)
		err(2, "send");
}

/* leaves what comes back next in @reply; returns its length */
static ssize_t receive(void)
{
	ssize_t len = recv(sock, reply, sizeof(reply), 0);

	if (len < 0)
		err(2, "recv");
	return len;
}

/* asks with one attribute; leaves the first message that comes back in @reply */
static void ask(int family, int cmd, int flags, int attr, const void *value, size_t len)
{
	send_request(family, cmd, flags, attr, value, len);
	receive();
}

/* the value of an attribute of the reply; NULL: it has none */
static void *find(unsigned int type)
{
	struct nlmsghdr *message = (void *)reply;
	char *at = (char *)NLMSG_DATA(message) + GENL_HDRLEN, *end = reply + message->nlmsg_len;

	for (; at < end; at += NLA_ALIGN(((struct nlattr *)at)->nla_len))
		if ((((struct nlattr *)at)->nla_type & NLA_TYPE_MASK) == type)
			return at + NLA_HDRLEN;
	return NULL;
}

/* opens the socket; returns the number of the module's family */
static unsigned short open_family(void)
{
	struct sockaddr_nl self = { .nl_family = AF_NETLINK };
	unsigned short *number;

	sock = socket(AF_NETLINK, SOCK_RAW, NETLINK_GENERIC);
	if (sock < 0 || bind(sock, (void *)&self, sizeof(self)))
		err(2, "socket");
	ask(GENL_ID_CTRL, CTRL_CMD_GETFAMILY, 0, CTRL_ATTR_FAMILY_NAME, TRACE_IRQOFF_GENL_NAME,
	    sizeof(TRACE_IRQOFF_GENL_NAME));
	number = find(CTRL_ATTR_FAMILY_ID);
	if (!number)
		errx(2, "the module is not loaded");
	return *number;
}

#endif /* _ASK_H */
