// SPDX-License-Identifier: GPL-2.0-only
/* The message that nobody asked for: there is something new. */
#include <netlink/attr.h>
#include <netlink/genl/genl.h>

#include "base/say.h"
#include "source/decode.h"

/* libnl 3.4 takes policies without const */
static struct nla_policy wake_policy[TRACE_IRQOFF_A_MAX + 1] = {
	[TRACE_IRQOFF_A_INSTANCE]	= { .type = NLA_U64, .minlen = 8, .maxlen = 8 },
	[TRACE_IRQOFF_A_GENERATION]	= { .type = NLA_U64, .minlen = 8, .maxlen = 8 },
	[TRACE_IRQOFF_A_NEWS]		= { .type = NLA_NESTED },
	[TRACE_IRQOFF_A_CPU]		= { .type = NLA_U32, .minlen = 4, .maxlen = 4 },
	[TRACE_IRQOFF_A_PRODUCED]	= { .type = NLA_U64, .minlen = 8, .maxlen = 8 },
};

static bool decode_news(struct nlattr *nest, struct wake *wake)
{
	struct nlattr *tb[TRACE_IRQOFF_A_MAX + 1];

	if (nla_parse_nested(tb, TRACE_IRQOFF_A_MAX, nest, wake_policy) || !tb[TRACE_IRQOFF_A_CPU] ||
	    !tb[TRACE_IRQOFF_A_PRODUCED])
		return false;
	wake->news = grow(wake->news, wake->nnews, sizeof(*wake->news));
	wake->news[wake->nnews++] = (struct news){
		.cpu = nla_get_u32(tb[TRACE_IRQOFF_A_CPU]),
		.produced = nla_get_u64(tb[TRACE_IRQOFF_A_PRODUCED]),
		.watched = !!tb[TRACE_IRQOFF_A_WATCHED_CPU],
		.open = !!tb[TRACE_IRQOFF_A_OPEN],
	};
	return true;
}

/**
 * decode_wake() - a message of the group "stalls"
 * @message: the message
 * @wake: gets what it says; its news are to be freed whatever is returned
 *
 * Return: false where it is of no interface that this reader knows.
 */
bool decode_wake(struct nlmsghdr *message, struct wake *wake)
{
	struct nlattr *tb[TRACE_IRQOFF_A_MAX + 1], *attr;
	struct genlmsghdr *head = nlmsg_data(message);
	int rest;

	*wake = (struct wake){ 0 };
	if (genlmsg_parse(message, 0, tb, TRACE_IRQOFF_A_MAX, wake_policy) ||
	    head->cmd != TRACE_IRQOFF_CMD_WAKE || !tb[TRACE_IRQOFF_A_INSTANCE] ||
	    !tb[TRACE_IRQOFF_A_GENERATION])
		return false;
	wake->instance = nla_get_u64(tb[TRACE_IRQOFF_A_INSTANCE]);
	wake->generation = nla_get_u64(tb[TRACE_IRQOFF_A_GENERATION]);
	nla_for_each_attr(attr, genlmsg_attrdata(head, 0), genlmsg_attrlen(head, 0), rest)
		if (nla_type(attr) == TRACE_IRQOFF_A_NEWS && !decode_news(attr, wake))
			return false;
	return true;
}
