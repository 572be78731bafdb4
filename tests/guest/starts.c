// SPDX-License-Identifier: GPL-2.0-only
/*
 * starts: has the module watch (CONFIG_SET with ENABLE), asking again as long as the answer is
 * EINPROGRESS, and prints how many microseconds the longest answer took, how many all of it,
 * and the last answer's error, or 0.
 */
#include <err.h>
#include <errno.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "../../module/uapi/linux/trace_irqoff.h"

struct request {
	struct nlmsghdr head;
	struct genlmsghdr genl;
	struct nlattr attr;
	char value[NLA_ALIGN(sizeof(TRACE_IRQOFF_GENL_NAME))];
};

static char reply[64 * 1024];
static int sock;

static long long now_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000LL + now.tv_nsec / 1000;
}

/* asks with one attribute; leaves the first message that comes back in @reply */
static void ask(int family, int cmd, int flags, int attr, const void *value, size_t len)
{
	struct request request = {
		.head = {
			.nlmsg_len = NLMSG_LENGTH(GENL_HDRLEN) + NLA_HDRLEN + NLA_ALIGN(len),
			.nlmsg_type = family,
			.nlmsg_flags = NLM_F_REQUEST | flags,
		},
		.genl = { .cmd = cmd, .version = TRACE_IRQOFF_GENL_VERSION },
		.attr = { .nla_len = NLA_HDRLEN + len, .nla_type = attr },
	};

	memcpy(request.value, value, len);
	if (send(sock, &request, request.head.nlmsg_len, 0) < 0)
		err(2, "send");
	if (recv(sock, reply, sizeof(reply), 0) < 0)
		err(2, "recv");
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

static unsigned short find_family(void)
{
	unsigned short *number;

	ask(GENL_ID_CTRL, CTRL_CMD_GETFAMILY, 0, CTRL_ATTR_FAMILY_NAME, TRACE_IRQOFF_GENL_NAME,
	    sizeof(TRACE_IRQOFF_GENL_NAME));
	number = find(CTRL_ATTR_FAMILY_ID);
	if (!number)
		errx(2, "the module is not loaded");
	return *number;
}

int main(void)
{
	struct sockaddr_nl self = { .nl_family = AF_NETLINK };
	const unsigned char on = 1;
	unsigned short family;
	long long began_us, asked_us, longest_us = 0;
	struct nlmsgerr *answer;

	sock = socket(AF_NETLINK, SOCK_RAW, NETLINK_GENERIC);
	if (sock < 0 || bind(sock, (void *)&self, sizeof(self)))
		err(2, "socket");
	family = find_family();
	began_us = now_us();
	do {
		asked_us = now_us();
		ask(family, TRACE_IRQOFF_CMD_CONFIG_SET, NLM_F_ACK, TRACE_IRQOFF_A_ENABLE, &on, 1);
		if (now_us() - asked_us > longest_us)
			longest_us = now_us() - asked_us;
		answer = NLMSG_DATA((struct nlmsghdr *)reply);
	} while (answer->error == -EINPROGRESS && !usleep(1000));
	printf("%lld %lld %d\n", longest_us, now_us() - began_us, -answer->error);
	return 0;
}
