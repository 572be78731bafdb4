// SPDX-License-Identifier: GPL-2.0-only
#include <netlink/genl/genl.h>
#include <netlink/msg.h>

#include "capture/capture.h"
#include "capture/capture_cursors.h"
#include "capture/capture_read.h"
#include "capture/capture_tail.h"
#include "source/decode.h"

/* records of another boot have another instance: it is a random number */
static void take_meta(struct nlmsghdr *message, struct resume *resume)
{
	struct nlattr *attr = nlmsg_find_attr(message, GENL_HDRLEN, CAPTURE_A_INSTANCE);
	__u64 instance = attr && nla_len(attr) == sizeof(__u64) ? nla_get_u64(attr) : 0;

	if (instance != resume->instance)
		resume_free(resume);
	resume->instance = instance;
}

static void take_record(struct nlmsghdr *message, struct resume *resume)
{
	struct record_number number;

	if (decode_number(message, &number) && !number.open)
		resume_raise(resume, number.cpu, number.seq + 1);
}

static void take(struct nlmsghdr *message, struct resume *resume, bool *stripped, bool *any)
{
	unsigned int cmd;

	if (message->nlmsg_len < NLMSG_HDRLEN + GENL_HDRLEN)
		return;
	cmd = ((struct genlmsghdr *)nlmsg_data(message))->cmd;
	if (message->nlmsg_type != CAPTURE_TYPE) {
		if (cmd == TRACE_IRQOFF_CMD_RECORD_GET)
			take_record(message, resume);
		return;
	}
	*any = *any || cmd == CAPTURE_CMD_META;
	if (cmd == CAPTURE_CMD_META) {
		take_meta(message, resume);
		*stripped = nlmsg_find_attr(message, GENL_HDRLEN, CAPTURE_A_STRIPPED);
	}
	if (cmd == CAPTURE_CMD_META || cmd == CAPTURE_CMD_END)
		capture_take_cursors(message, resume);
}

/**
 * capture_tail_read() - find out where a recording ended
 * @file: a capture that ends with a whole frame; its place is the end then
 * @resume: the load of the module that it ends with, and which records of it are there
 * @stripped: it ends with what --strip leaves
 *
 * Return: false where it is no capture, or too little of one.
 */
bool capture_tail_read(FILE *file, struct resume *resume, bool *stripped)
{
	struct capture_reader *reader;
	struct nlmsghdr *message;
	bool any = false;

	*resume = (struct resume){ 0 };
	*stripped = false;
	rewind(file);
	reader = capture_reader(file);
	while ((message = capture_next(reader)))
		take(message, resume, stripped, &any);
	capture_reader_close(reader);
	fseeko(file, 0, SEEK_END);
	return any;
}
