// SPDX-License-Identifier: GPL-2.0-only
/*
 * routes [--neighbours] DEVICE COUNT: adds that many IPv6 routes, 2001:db8:X:Y::/64, to a device
 * that is up; or IPv4 neighbours, 10.X.Y.Z. busybox would start a program for each.
 */
#include <arpa/inet.h>
#include <err.h>
#include <errno.h>
#include <linux/neighbour.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct request {
	struct nlmsghdr head;
	struct rtmsg route;
	struct rtattr to_head;
	unsigned char to[16];
	struct rtattr device_head;
	int device;
};

struct answer {
	struct nlmsghdr head;
	struct nlmsgerr error;
};

struct neighbour {
	struct nlmsghdr head;
	struct ndmsg neighbour;
	struct rtattr to_head;
	unsigned char to[4];
	struct rtattr link_head;
	unsigned char link[6];
};

/* sends a request and waits for the answer */
static void ask(int sock, const void *request, size_t len, unsigned int number)
{
	struct answer answer;

	if (send(sock, request, len, 0) != (ssize_t)len ||
	    recv(sock, &answer, sizeof(answer), 0) < (ssize_t)sizeof(answer.head))
		err(1, "netlink");
	if (answer.head.nlmsg_type != NLMSG_ERROR || answer.error.error) {
		errno = -answer.error.error;
		err(1, "number %u", number);
	}
}

static void add_neighbour(int sock, unsigned int number, int device)
{
	const struct neighbour request = {
		.head = {
			.nlmsg_len = sizeof(request),
			.nlmsg_type = RTM_NEWNEIGH,
			.nlmsg_flags = NLM_F_REQUEST | NLM_F_CREATE | NLM_F_ACK,
		},
		.neighbour = {
			.ndm_family = AF_INET,
			.ndm_ifindex = device,
			.ndm_state = NUD_REACHABLE,
		},
		.to_head = { .rta_len = RTA_LENGTH(4), .rta_type = NDA_DST },
		.to = { 10, number >> 16, number >> 8, number },
		.link_head = { .rta_len = RTA_LENGTH(6), .rta_type = NDA_LLADDR },
		.link = { 2, 0, 0, number >> 16, number >> 8, number },
	};

	ask(sock, &request, sizeof(request), number);
}

static void add_route(int sock, unsigned int number, int device)
{
	const struct request request = {
		.head = {
			.nlmsg_len = sizeof(request),
			.nlmsg_type = RTM_NEWROUTE,
			.nlmsg_flags = NLM_F_REQUEST | NLM_F_CREATE | NLM_F_ACK,
		},
		.route = {
			.rtm_family = AF_INET6,
			.rtm_dst_len = 64,
			.rtm_table = RT_TABLE_MAIN,
			.rtm_protocol = RTPROT_STATIC,
			.rtm_type = RTN_UNICAST,
		},
		.to_head = { .rta_len = RTA_LENGTH(16), .rta_type = RTA_DST },
		.to = { 0x20, 0x01, 0x0d, 0xb8, 0, number >> 16, number >> 8, number },
		.device_head = { .rta_len = RTA_LENGTH(sizeof(int)), .rta_type = RTA_OIF },
		.device = device,
	};

	ask(sock, &request, sizeof(request), number);
}

int main(int argc, char **argv)
{
	int sock = socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE);
	bool neighbours = argc > 1 && !strcmp(argv[1], "--neighbours");
	unsigned int device, count;

	argv += neighbours;
	argc -= neighbours;
	if (argc != 3)
		errx(2, "usage: routes [--neighbours] DEVICE COUNT");
	device = if_nametoindex(argv[1]);
	count = strtoul(argv[2], NULL, 0);
	if (sock < 0 || !device)
		err(1, "%s", argv[1]);
	for (unsigned int i = 0; i < count; i++)
		if (neighbours)
			add_neighbour(sock, i, device);
		else
			add_route(sock, i, device);
	close(sock);
	return 0;
}
