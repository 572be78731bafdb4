// SPDX-License-Identifier: GPL-2.0-only
/*
 * flows COUNT: adds that many connections to the table of connection tracking
 */
#include <arpa/inet.h>
#include <err.h>
#include <errno.h>
#include <linux/netfilter/nfnetlink.h>
#include <linux/netfilter/nfnetlink_conntrack.h>
#include <linux/netlink.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

struct tuple {
	struct nlattr head;
	struct nlattr ip_head;
	struct nlattr from_head;
	__be32 from;
	struct nlattr to_head;
	__be32 to;
	struct nlattr proto_head;
	struct nlattr number_head;
	unsigned char number[4];
	struct nlattr from_port_head;
	__be16 from_port[2];
	struct nlattr to_port_head;
	__be16 to_port[2];
};

struct connection {
	struct nlmsghdr head;
	struct nfgenmsg gen;
	struct tuple orig, reply;
	struct nlattr timeout_head;
	__be32 timeout;
};

#define NESTED(TYPE, LEN)	{ .nla_type = (TYPE) | NLA_F_NESTED, .nla_len = (LEN) }
#define PLAIN(TYPE, LEN)	{ .nla_type = (TYPE), .nla_len = NLA_HDRLEN + (LEN) }

static struct tuple tuple_of(unsigned int type, __be32 from, __be32 to)
{
	return (struct tuple){
		.head = NESTED(type, sizeof(struct tuple)),
		.ip_head = NESTED(CTA_TUPLE_IP, 3 * NLA_HDRLEN + 8),
		.from_head = PLAIN(CTA_IP_V4_SRC, 4),
		.from = from,
		.to_head = PLAIN(CTA_IP_V4_DST, 4),
		.to = to,
		.proto_head = NESTED(CTA_TUPLE_PROTO, 4 * NLA_HDRLEN + 12),
		.number_head = PLAIN(CTA_PROTO_NUM, 1),
		.number = { IPPROTO_UDP },
		.from_port_head = PLAIN(CTA_PROTO_SRC_PORT, 2),
		.from_port = { htons(9) },
		.to_port_head = PLAIN(CTA_PROTO_DST_PORT, 2),
		.to_port = { htons(9) },
	};
}

/* sends a request and waits for the answer */
static void ask(int sock, struct nlmsghdr *request)
{
	struct {
		struct nlmsghdr head;
		struct nlmsgerr error;
	} answer;

	request->nlmsg_flags |= NLM_F_REQUEST | NLM_F_ACK;
	if (send(sock, request, request->nlmsg_len, 0) < 0 ||
	    recv(sock, &answer, sizeof(answer), 0) < (ssize_t)sizeof(answer.head))
		err(1, "netlink");
	errno = answer.head.nlmsg_type == NLMSG_ERROR ? -answer.error.error : EPROTO;
	if (errno)
		err(1, "conntrack");
}

static void connections(int sock, unsigned int count)
{
	for (unsigned int i = 0; i < count; i++) {
		__be32 from = htonl(0x0a000000 + i), to = htonl(0x0b000001);
		struct connection request = {
			.head = {
				.nlmsg_len = sizeof(request),
				.nlmsg_type = NFNL_SUBSYS_CTNETLINK << 8 | IPCTNL_MSG_CT_NEW,
				.nlmsg_flags = NLM_F_CREATE | NLM_F_EXCL,
			},
			.gen = { .nfgen_family = AF_INET },
			.orig = tuple_of(CTA_TUPLE_ORIG, from, to),
			.reply = tuple_of(CTA_TUPLE_REPLY, to, from),
			.timeout_head = PLAIN(CTA_TIMEOUT, 4),
			.timeout = htonl(3600),
		};

		ask(sock, &request.head);
	}
}

int main(int argc, char **argv)
{
	int sock = socket(AF_NETLINK, SOCK_RAW, NETLINK_NETFILTER);

	if (argc != 2)
		errx(2, "usage: flows COUNT");
	connections(sock, strtoul(argv[1], NULL, 0));
	return 0;
}
