// SPDX-License-Identifier: GPL-2.0-only
#include <netlink/genl/genl.h>
#include <netlink/msg.h>
#include <stdlib.h>
#include <string.h>

#include "base/say.h"
#include "capture/capture.h"
#include "capture/capture_devices.h"
#include "model/labels.h"

#define ROOM		65536
#define LIST_LEN	24576	/* each second one of 8192 CPUs, more than kernels support */
#define LONGEST		(LIST_LEN + 128)	/* a device */

/* libnl 3.4 takes policies without const */
static struct nla_policy policy[CAPTURE_A_MAX + 1] = {
	[CAPTURE_A_NAME]	= { .type = NLA_STRING },
	[CAPTURE_A_WHY]		= { .type = NLA_U8, .minlen = 1, .maxlen = 1 },
	[CAPTURE_A_LIST]	= { .type = NLA_STRING },
	[CAPTURE_A_LOWER]	= { .type = NLA_STRING },
};

struct device_writer {
	struct capture_writer *writer;
	struct nl_msg *msg;
};

static void put_device(void *context, const char *dev, const struct serving *serving)
{
	struct device_writer *to = context;
	char list[LIST_LEN];
	struct nlattr *nest;

	if (nlmsg_hdr(to->msg)->nlmsg_len + LONGEST > ROOM) {
		capture_put_message(to->writer, to->msg);
		to->msg = capture_message(CAPTURE_CMD_DEVICES, ROOM);
	}
	nest = or_exit(nla_nest_start(to->msg, CAPTURE_A_DEVICE));
	nla_put_string(to->msg, CAPTURE_A_NAME, dev);
	nla_put_u8(to->msg, CAPTURE_A_WHY, serving->why);
	if (!serving_any(serving->why))
		nla_put_string(to->msg, CAPTURE_A_LIST,
			       cpuset_print(list, sizeof(list), &serving->cpus));
	else if (strcmp(serving->lower, dev))
		nla_put_string(to->msg, CAPTURE_A_LOWER, serving->lower);
	nla_nest_end(to->msg, nest);
}

/**
 * capture_put_devices() - which CPUs serve the network devices now
 * @writer: the capture
 * @root: where /sys and /proc are, "" but in tests
 */
void capture_put_devices(struct capture_writer *writer, const char *root)
{
	struct device_writer to = {
		.writer = writer,
		.msg = capture_message(CAPTURE_CMD_DEVICES, ROOM),
	};

	serving_each(root, COUNTED_DEVICES, put_device, &to);
	capture_put_message(writer, to.msg);
}

/* a reason that a newer irqoff knows is not taken for another one */
static void take_device(struct nlattr *nest, struct net_counted *counted)
{
	struct nlattr *tb[CAPTURE_A_MAX + 1];
	struct serving serving = { 0 };
	char *dev;

	if (nla_parse_nested(tb, CAPTURE_A_MAX, nest, policy) || !tb[CAPTURE_A_NAME] ||
	    !tb[CAPTURE_A_WHY] || nla_get_u8(tb[CAPTURE_A_WHY]) >= SERVING_WHYS)
		return;
	dev = printable(copy_text(nla_get_string(tb[CAPTURE_A_NAME])));
	serving.why = nla_get_u8(tb[CAPTURE_A_WHY]);
	serving.lower = tb[CAPTURE_A_LOWER] ?
			printable(copy_text(nla_get_string(tb[CAPTURE_A_LOWER]))) :
			copy_text(dev);
	if (tb[CAPTURE_A_LIST] && !serving_any(serving.why))
		cpuset_add_list(&serving.cpus, nla_get_string(tb[CAPTURE_A_LIST]));
	counted_serving(counted, dev, &serving, SERVING_THEN);
	serving_free(&serving);
	free(dev);
}

/**
 * capture_take_devices() - which CPUs served devices, from a capture
 * @message: DEVICES
 * @counted: gets them; nothing of a device that is not understood
 */
void capture_take_devices(struct nlmsghdr *message, struct net_counted *counted)
{
	struct genlmsghdr *head = nlmsg_data(message);
	struct nlattr *attr;
	int rest;

	nla_for_each_attr(attr, genlmsg_attrdata(head, 0), genlmsg_attrlen(head, 0), rest)
		if (nla_type(attr) == CAPTURE_A_DEVICE)
			take_device(attr, counted);
}
