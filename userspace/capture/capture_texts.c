// SPDX-License-Identifier: GPL-2.0-only
#include <netlink/genl/genl.h>
#include <netlink/msg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clocks.h"
#include "base/say.h"
#include "base/units.h"
#include "capture/capture.h"
#include "capture/capture_texts.h"

#define PIECE		32768		/* of a text: an attribute has 64 KiB at most */
#define TEXT_MOST	(1024 * 1024)

/* an older irqoff read files so soon after the settings, and wrote no times */
#define SOON_NS		NSEC_PER_SEC

/* libnl 3.4 takes policies without const */
static struct nla_policy policy[CAPTURE_A_MAX + 1] = {
	[CAPTURE_A_MONOTONIC_NS]	= { .type = NLA_U64, .minlen = 8, .maxlen = 8 },
	[CAPTURE_A_TOOK_NS]		= { .type = NLA_U64, .minlen = 8, .maxlen = 8 },
	[CAPTURE_A_NETNS_INODE]		= { .type = NLA_U64, .minlen = 8, .maxlen = 8 },
	[CAPTURE_A_PATH]		= { .type = NLA_STRING },
};

/* what is counted for each CPU, whatever the network namespace */
static const char * const of_cpus[] = { "/proc/net/softnet_stat" };

/* what is counted for each network namespace, and when it sends SYNs again (since 6.5) */
static const char * const of_namespace[] = {
	"/proc/net/snmp", "/proc/net/netstat", "/proc/net/stat/nf_conntrack", SYN_LINEAR_PATH,
};

struct texts {
	struct capture_writer *writer;
	bool strip;
};

/* @inode: of another network namespace, or 0 */
static void put_text(const struct texts *texts, const char *path, const char *netns, __u64 inode)
{
	__u64 begin_ns = clock_monotonic_ns();
	FILE *file = fopen(path, "re");
	char piece[PIECE];
	struct nl_msg *msg;
	size_t len, all = 0;

	if (!file)
		return;
	msg = capture_message(CAPTURE_CMD_TEXT, TEXT_MOST + 2 * PIECE);
	nla_put_string(msg, CAPTURE_A_PATH, path);
	nla_put_u64(msg, CAPTURE_A_MONOTONIC_NS, begin_ns);
	if (inode)
		nla_put_u64(msg, CAPTURE_A_NETNS_INODE, inode);
	if (inode && !texts->strip)
		nla_put_string(msg, CAPTURE_A_NETNS, netns);
	while (all < TEXT_MOST && (len = fread(piece, 1, sizeof(piece), file))) {
		nla_put(msg, CAPTURE_A_DATA, len, piece);
		all += len;
	}
	fclose(file);
	nla_put_u64(msg, CAPTURE_A_TOOK_NS, clock_monotonic_ns() - begin_ns);
	capture_put_message(texts->writer, msg);
}

static void put_namespace(void *context, const char *netns, __u64 inode)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(of_namespace); i++)
		put_text(context, of_namespace[i], netns, inode);
}

/**
 * capture_put_texts() - what the network counted, of this network namespace and others
 * @writer: the capture
 * @netns: the others
 * @strip: leave out their names
 */
void capture_put_texts(struct capture_writer *writer, const struct netns *netns, bool strip)
{
	struct texts texts = { .writer = writer, .strip = strip };

	for (unsigned int i = 0; i < ARRAY_SIZE(of_cpus); i++)
		put_text(&texts, of_cpus[i], NULL, 0);
	put_namespace(&texts, NULL, 0);
	netns_visit(netns, put_namespace, &texts);
}

/* all pieces, to be freed */
static char *join_pieces(struct nlmsghdr *message)
{
	struct genlmsghdr *head = nlmsg_data(message);
	char *text = or_exit(malloc(message->nlmsg_len)), *end = text;
	struct nlattr *attr;
	int rest;

	nla_for_each_attr(attr, genlmsg_attrdata(head, 0), genlmsg_attrlen(head, 0), rest) {
		if (nla_type(attr) != CAPTURE_A_DATA)
			continue;
		memcpy(end, nla_data(attr), nla_len(attr));
		end += nla_len(attr);
	}
	*end = '\0';
	return text;
}

/* @settings_ns: when the settings before it were read; no file was read earlier */
static struct moments moments_of(struct nlattr **tb, __u64 settings_ns)
{
	struct moments read = { settings_ns, settings_ns + SOON_NS };

	if (!tb[CAPTURE_A_MONOTONIC_NS] || !tb[CAPTURE_A_TOOK_NS] ||
	    nla_get_u64(tb[CAPTURE_A_MONOTONIC_NS]) < settings_ns)
		return read;
	read.from_ns = nla_get_u64(tb[CAPTURE_A_MONOTONIC_NS]);
	read.to_ns = read.from_ns + nla_get_u64(tb[CAPTURE_A_TOOK_NS]);
	return read;
}

/**
 * capture_take_text() - a file of counters from a capture
 * @message: TEXT
 * @settings_ns: when the settings before it were read, by the kernel's clock
 * @online: list of the CPUs that were online then; NULL: not known
 * @counted: gets the counters
 *
 * One that is not understood tells nothing, and does not make a capture a damaged one.
 */
void capture_take_text(struct nlmsghdr *message, __u64 settings_ns, const char *online,
		       struct net_counted *counted)
{
	struct nlattr *tb[CAPTURE_A_MAX + 1];
	struct counted_file file = { .online = online };
	char *text;

	if (genlmsg_parse(message, 0, tb, CAPTURE_A_MAX, policy) || !tb[CAPTURE_A_PATH])
		return;
	text = join_pieces(message);
	file.path = nla_get_string(tb[CAPTURE_A_PATH]);
	file.text = text;
	file.read = moments_of(tb, settings_ns);
	if (tb[CAPTURE_A_NETNS_INODE])
		file.inode = nla_get_u64(tb[CAPTURE_A_NETNS_INODE]);
	counted_file(counted, &file);
	free(text);
}
