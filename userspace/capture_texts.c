// SPDX-License-Identifier: GPL-2.0-only
#include <netlink/genl/genl.h>
#include <stdio.h>

#include "capture.h"
#include "capture_texts.h"
#include "say.h"

#define PIECE		32768		/* of a text: an attribute has 64 KiB at most */
#define TEXT_MOST	(1024 * 1024)

/* what is counted for each CPU, whatever the network namespace */
static const char * const of_cpus[] = { "/proc/net/softnet_stat" };

/* what is counted for each network namespace */
static const char * const of_namespace[] = {
	"/proc/net/snmp", "/proc/net/netstat", "/proc/net/stat/nf_conntrack",
};

struct texts {
	struct capture_writer *writer;
	bool strip;
};

/* @inode: of another network namespace, or 0 */
static void put_text(const struct texts *texts, const char *path, const char *netns, __u64 inode)
{
	FILE *file = fopen(path, "re");
	char piece[PIECE];
	struct nl_msg *msg;
	size_t len, all = 0;

	if (!file)
		return;
	msg = capture_message(CAPTURE_CMD_TEXT, TEXT_MOST + 2 * PIECE);
	nla_put_string(msg, CAPTURE_A_PATH, path);
	if (inode)
		nla_put_u64(msg, CAPTURE_A_NETNS_INODE, inode);
	if (inode && !texts->strip)
		nla_put_string(msg, CAPTURE_A_NETNS, netns);
	while (all < TEXT_MOST && (len = fread(piece, 1, sizeof(piece), file))) {
		nla_put(msg, CAPTURE_A_DATA, len, piece);
		all += len;
	}
	fclose(file);
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
