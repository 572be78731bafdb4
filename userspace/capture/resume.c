// SPDX-License-Identifier: GPL-2.0-only
#include <netlink/genl/genl.h>
#include <netlink/msg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/lower_bound.h"
#include "base/say.h"
#include "capture/capture.h"
#include "capture/capture_read.h"
#include "capture/resume.h"
#include "source/decode.h"
#include "source/follow.h"

/* CONFIG_NR_CPUS is 8192 at most; a file that has more is not to cost more */
#define CPUS_MOST	16384

/* the first cursor that is not of a CPU below @cpu */
static size_t place_of(const struct resume *resume, __u32 cpu)
{
	return lower_bound(0, resume->ncursors, i, resume->cursors[i].cpu < cpu);
}

/**
 * resume_seq() - where a CPU's records are wanted from
 * @resume: the cursors
 * @cpu: the CPU
 *
 * Return: the number; 0, its first record, where the CPU has no cursor.
 */
__u64 resume_seq(const struct resume *resume, __u32 cpu)
{
	size_t at = place_of(resume, cpu);

	if (at == resume->ncursors || resume->cursors[at].cpu != cpu)
		return 0;
	return resume->cursors[at].seq;
}

/**
 * resume_raise() - let a CPU's records be wanted from a number on
 * @resume: the cursors
 * @cpu: the CPU; one that no kernel has is passed over
 * @seq: the number; a cursor that is higher stays
 */
void resume_raise(struct resume *resume, __u32 cpu, __u64 seq)
{
	size_t at = place_of(resume, cpu);

	if (cpu >= CPUS_MOST)
		return;
	if (at < resume->ncursors && resume->cursors[at].cpu == cpu) {
		if (resume->cursors[at].seq < seq)
			resume->cursors[at].seq = seq;
		return;
	}
	resume->cursors = grow(resume->cursors, resume->ncursors, sizeof(*resume->cursors));
	memmove(&resume->cursors[at + 1], &resume->cursors[at],
		(resume->ncursors++ - at) * sizeof(*resume->cursors));
	resume->cursors[at] = (struct cursor){ .cpu = cpu, .seq = seq };
}

void resume_free(struct resume *resume)
{
	free(resume->cursors);
	*resume = (struct resume){ 0 };
}

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

/*
 * A recorder that was killed leaves the beginning of a frame behind. A reader stops there,
 * so what is appended behind it would never be read.
 */

/* cuts the file off, and goes to its end */
static bool cut_off(FILE *file, __u64 len)
{
	return !fseeko(file, len, SEEK_SET) && !ftruncate(fileno(file), len);
}

/**
 * capture_cut_back() - cut a capture off behind its last whole frame
 * @file: opened for reading and writing; its place is the end then
 * @cut: set to how many bytes were cut off
 *
 * An empty file is a capture of no frame. A file that is something else, or of which nobody
 * can say so because its first frame has no message yet, is left alone.
 *
 * Return: CAPTURE_WHOLE where there was nothing to cut, CAPTURE_CUT or CAPTURE_DAMAGED where
 * something was, CAPTURE_FOREIGN where it is no capture, and CAPTURE_UNREADABLE, with errno
 * set, where it cannot be read or cut off.
 */
enum capture_state capture_cut_back(FILE *file, __u64 *cut)
{
	struct capture_reader *reader = capture_reader(file);
	enum capture_state state;
	struct stat stat;
	__u64 whole;
	bool any;

	*cut = 0;
	while (capture_next(reader))
		;
	state = capture_state(reader);
	whole = capture_whole(reader);
	any = capture_any(reader);
	capture_reader_close(reader);
	if (state == CAPTURE_FOREIGN || state == CAPTURE_UNREADABLE)
		return state;
	if (fstat(fileno(file), &stat))
		return CAPTURE_UNREADABLE;
	if (!any && stat.st_size)
		return CAPTURE_FOREIGN;
	*cut = stat.st_size - whole;
	if (!cut_off(file, whole))
		return CAPTURE_UNREADABLE;
	return *cut ? state : CAPTURE_WHOLE;
}

/* libnl 3.4 takes policies without const */
static struct nla_policy policy[CAPTURE_A_MAX + 1] = {
	[CAPTURE_A_NUMBER]	= { .type = NLA_U32, .minlen = 4, .maxlen = 4 },
	[CAPTURE_A_ID]		= { .type = NLA_U64, .minlen = 8, .maxlen = 8 },
};

/**
 * capture_take_cursors() - the cursors of META or END
 * @message: the message, which is whole
 * @resume: gets them, where they are higher than its own
 */
void capture_take_cursors(struct nlmsghdr *message, struct resume *resume)
{
	struct genlmsghdr *head = nlmsg_data(message);
	struct nlattr *attr, *tb[CAPTURE_A_MAX + 1];
	int rest;

	nla_for_each_attr(attr, genlmsg_attrdata(head, 0), genlmsg_attrlen(head, 0), rest) {
		if (nla_type(attr) != CAPTURE_A_CURSOR ||
		    nla_parse_nested(tb, CAPTURE_A_MAX, attr, policy) ||
		    !tb[CAPTURE_A_NUMBER] || !tb[CAPTURE_A_ID])
			continue;
		resume_raise(resume, nla_get_u32(tb[CAPTURE_A_NUMBER]),
			     nla_get_u64(tb[CAPTURE_A_ID]));
	}
}
