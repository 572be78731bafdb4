// SPDX-License-Identifier: GPL-2.0-only
#include <netlink/genl/genl.h>
#include <netlink/msg.h>

#include "capture/capture.h"
#include "capture/capture_cursors.h"

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
