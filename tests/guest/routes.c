// SPDX-License-Identifier: GPL-2.0-only
/*
 * routes DEVICE COUNT: adds that many IPv6 routes, 2001:db8:X:Y::/64, to a device that is up.
 * busybox would start a program for each.
 */
#include <arpa/inet.h>
#include <err.h>
#include <errno.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
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

static void add(int sock, unsigned int number, int device)
{
	struct request request = {
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
	struct answer answer;

	if (send(sock, &request, sizeof(request), 0) != sizeof(request) ||
	    recv(sock, &answer, sizeof(answer), 0) < (ssize_t)sizeof(answer.head))
		err(1, "netlink");
	if (answer.head.nlmsg_type != NLMSG_ERROR || answer.error.error) {
		errno = -answer.error.error;
		err(1, "route %u", number);
	}
}

int main(int argc, char **argv)
{
	int sock = socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE);
	unsigned int device, count;

	if (argc != 3)
		errx(2, "usage: routes DEVICE COUNT");
	device = if_nametoindex(argv[1]);
	count = strtoul(argv[2], NULL, 0);
	if (sock < 0 || !device)
		err(1, "%s", argv[1]);
	for (unsigned int i = 0; i < count; i++)
		add(sock, i, device);
	close(sock);
	return 0;
}
