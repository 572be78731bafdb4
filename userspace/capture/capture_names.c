// SPDX-License-Identifier: GPL-2.0-only
#include <netlink/genl/genl.h>
#include <netlink/msg.h>
#include <stdlib.h>
#include <string.h>

#include "base/say.h"
#include "capture/capture.h"
#include "capture/capture_names.h"
#include "model/labels.h"

#define ROOM		65536
#define LONGEST		8192	/* a cgroup's path has 4096 bytes at most, a name 512 */

/* libnl 3.4 takes policies without const */
static struct nla_policy policy[CAPTURE_A_MAX + 1] = {
	[CAPTURE_A_FROM]	= { .type = NLA_U64, .minlen = 8, .maxlen = 8 },
	[CAPTURE_A_TO]		= { .type = NLA_U64, .minlen = 8, .maxlen = 8 },
	[CAPTURE_A_SYMBOL]	= { .type = NLA_STRING },
	[CAPTURE_A_MODULE_NAME]	= { .type = NLA_STRING },
	[CAPTURE_A_ID]		= { .type = NLA_U64, .minlen = 8, .maxlen = 8 },
	[CAPTURE_A_STATE]	= { .type = NLA_U8, .minlen = 1, .maxlen = 1 },
	[CAPTURE_A_PATH]	= { .type = NLA_STRING },
};

/* addresses that grow in number */
struct addresses {
	__u64 *at;
	size_t count;
};

static void add(struct addresses *addresses, __u64 addr)
{
	addresses->at = grow(addresses->at, addresses->count, sizeof(*addresses->at));
	addresses->at[addresses->count++] = addr;
}

/* of a return address the function before it counts as well */
static void add_stack(struct addresses *addresses, const struct tio_sample *sample)
{
	for (unsigned int i = 0; i < sample->nframes; i++) {
		add(addresses, sample->frames[i]);
		add(addresses, sample->frames[i] - 1);
		if (sample->calls && sample->calls[i])
			add(addresses, sample->calls[i]);
	}
	if (sample->lock_cpu)
		add(addresses, sample->lock);
}

static void add_record(struct addresses *addresses, const struct tio_record *rec)
{
	for (unsigned int i = 0; i < rec->nsamples; i++)
		add_stack(addresses, &rec->samples[i]);
	add_stack(addresses, &rec->end);
	if (rec->meanwhile.sample)
		add_stack(addresses, rec->meanwhile.sample);
	if (rec->nmi_handler)
		add(addresses, rec->nmi_handler);
}

static int by_number(const void *a, const void *b)
{
	const __u64 *left = a, *right = b;

	return (*left > *right) - (*left < *right);
}

static size_t len_of(struct nl_msg *msg)
{
	return nlmsg_hdr(msg)->nlmsg_len;
}

static struct nl_msg *begin_names(__u64 epoch)
{
	struct nl_msg *msg = capture_message(CAPTURE_CMD_NAMES, ROOM);

	nla_put_u64(msg, CAPTURE_A_EPOCH, epoch);
	return msg;
}

static void put_function(struct nl_msg *msg, const struct code *code)
{
	struct nlattr *nest = or_exit(nla_nest_start(msg, CAPTURE_A_FUNCTION));

	nla_put_u64(msg, CAPTURE_A_FROM, code->from);
	nla_put_u64(msg, CAPTURE_A_TO, code->to);
	if (code->sized)
		nla_put_flag(msg, CAPTURE_A_SIZED);
	nla_put_string(msg, CAPTURE_A_SYMBOL, code->name);
	if (*code->module)
		nla_put_string(msg, CAPTURE_A_MODULE_NAME, code->module);
	nla_nest_end(msg, nest);
}

/* a recording that has all already needs no message */
static void put_unless_empty(struct capture_writer *writer, struct nl_msg *msg, size_t empty,
			     const struct sequence_set *there)
{
	if (there && len_of(msg) == empty)
		nlmsg_free(msg);
	else
		capture_put_message(writer, msg);
}

/* the functions of sorted addresses, once each */
static void put_functions(struct capture_writer *writer, const struct symbols *symbols,
			  const struct addresses *addresses, __u64 epoch,
			  struct sequence_set *there)
{
	struct nl_msg *msg = begin_names(epoch);
	size_t empty = len_of(msg);
	struct code code, last = { 0 };

	for (size_t i = 0; i < addresses->count; i++) {
		/* below its end are the last one's */
		if (addresses->at[i] < last.to ||
		    !symbols_code(symbols, addresses->at[i], &code))
			continue;
		if (len_of(msg) + LONGEST > ROOM) {
			capture_put_message(writer, msg);
			msg = begin_names(epoch);
		}
		if (!there || sequence_set_add(there, 0, code.from))
			put_function(msg, &code);
		last = code;
	}
	put_unless_empty(writer, msg, empty, there);
}

/**
 * capture_put_names() - the functions in all stacks
 * @writer: the capture
 * @symbols: names; NULL: no record has a frame
 * @model: records
 * @epoch: of these names
 * @there: functions that the capture has of this epoch, which are left out; NULL: none is
 */
void capture_put_names(struct capture_writer *writer, const struct symbols *symbols,
		       const struct model *model, __u64 epoch, struct sequence_set *there)
{
	struct addresses addresses = { 0 };

	if (!symbols)
		return;
	for (size_t i = 0; i < model->nentries; i++)
		add_record(&addresses, &model->entries[i]->rec);
	if (addresses.count)
		qsort(addresses.at, addresses.count, sizeof(*addresses.at), by_number);
	put_functions(writer, symbols, &addresses, epoch, there);
	free(addresses.at);
}

struct cgroup_writer {
	struct capture_writer *writer;
	struct nl_msg *msg;
	struct sequence_set *there;
};

static void put_cgroup(__u64 id, bool v1, const struct cgroup *cgroup, void *context)
{
	struct cgroup_writer *to = context;
	struct nlattr *nest;

	if (to->there && !sequence_set_add(to->there, v1, id))
		return;
	if (len_of(to->msg) + LONGEST > ROOM) {
		capture_put_message(to->writer, to->msg);
		to->msg = capture_message(CAPTURE_CMD_CGROUPS, ROOM);
	}
	nest = or_exit(nla_nest_start(to->msg, CAPTURE_A_CGROUP));
	nla_put_u64(to->msg, CAPTURE_A_ID, id);
	if (v1)
		nla_put_flag(to->msg, CAPTURE_A_V1);
	nla_put_u8(to->msg, CAPTURE_A_STATE, cgroup->state);
	if (cgroup->state == CGROUP_FOUND)
		nla_put_string(to->msg, CAPTURE_A_PATH, cgroup->path);
	nla_nest_end(to->msg, nest);
}

/**
 * capture_put_cgroups() - the cgroups that were looked up
 * @writer: the capture
 * @cgroups: the cgroups
 * @there: those that the capture has, which are left out; NULL: none is
 */
void capture_put_cgroups(struct capture_writer *writer, struct cgroups *cgroups,
			 struct sequence_set *there)
{
	struct cgroup_writer to = {
		.writer = writer,
		.msg = capture_message(CAPTURE_CMD_CGROUPS, ROOM),
		.there = there,
	};
	size_t empty = len_of(to.msg);

	cgroups_each(cgroups, put_cgroup, &to);
	put_unless_empty(writer, to.msg, empty, there);
}

static bool take_function(struct nlattr *nest, struct symbols *symbols)
{
	struct nlattr *tb[CAPTURE_A_MAX + 1];
	struct code code = { .module = "" };
	char name[SYMBOL_LEN], module[64] = "";

	if (nla_parse_nested(tb, CAPTURE_A_MAX, nest, policy) || !tb[CAPTURE_A_FROM] ||
	    !tb[CAPTURE_A_TO] || !tb[CAPTURE_A_SYMBOL])
		return false;
	code.from = nla_get_u64(tb[CAPTURE_A_FROM]);
	code.to = nla_get_u64(tb[CAPTURE_A_TO]);
	code.sized = tb[CAPTURE_A_SIZED];
	snprintf(name, sizeof(name), "%s", nla_get_string(tb[CAPTURE_A_SYMBOL]));
	if (tb[CAPTURE_A_MODULE_NAME])
		snprintf(module, sizeof(module), "%s", nla_get_string(tb[CAPTURE_A_MODULE_NAME]));
	code.name = printable(name);
	code.module = printable(module);
	if (!*name || code.to <= code.from)
		return false;
	symbols_add(symbols, &code);
	return true;
}

static bool take_cgroup(struct nlattr *nest, struct cgroups *cgroups)
{
	struct nlattr *tb[CAPTURE_A_MAX + 1];
	unsigned int state;

	if (nla_parse_nested(tb, CAPTURE_A_MAX, nest, policy) || !tb[CAPTURE_A_ID])
		return false;
	state = tb[CAPTURE_A_STATE] ? nla_get_u8(tb[CAPTURE_A_STATE]) : CGROUP_UNKNOWN;
	cgroups_add(cgroups, nla_get_u64(tb[CAPTURE_A_ID]), tb[CAPTURE_A_V1],
		    state == CGROUP_GONE ? CGROUP_GONE : CGROUP_UNKNOWN,
		    state == CGROUP_FOUND && tb[CAPTURE_A_PATH] ?
		    nla_get_string(tb[CAPTURE_A_PATH]) : NULL);
	return true;
}

/**
 * capture_take_names() - names from a capture
 * @message: NAMES
 * @symbols: gets them
 *
 * Return: false when it is none of a format that this reader knows.
 */
bool capture_take_names(struct nlmsghdr *message, struct symbols *symbols)
{
	struct nlattr *attr;
	int rest;

	nla_for_each_attr(attr, genlmsg_attrdata(nlmsg_data(message), 0),
			  genlmsg_attrlen(nlmsg_data(message), 0), rest)
		if (nla_type(attr) == CAPTURE_A_FUNCTION && !take_function(attr, symbols))
			return false;
	return true;
}

/* likewise, of CGROUPS */
bool capture_take_cgroups(struct nlmsghdr *message, struct cgroups *cgroups)
{
	struct nlattr *attr;
	int rest;

	nla_for_each_attr(attr, genlmsg_attrdata(nlmsg_data(message), 0),
			  genlmsg_attrlen(nlmsg_data(message), 0), rest)
		if (nla_type(attr) == CAPTURE_A_CGROUP && !take_cgroup(attr, cgroups))
			return false;
	return true;
}
