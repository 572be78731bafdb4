// SPDX-License-Identifier: GPL-2.0-only
#include <netlink/attr.h>
#include <netlink/genl/genl.h>
#include <string.h>

#include "source/decode.h"
#include "uapi/linux/trace_irqoff.h"

/**
 * decode_number() - which record a message of RECORD_GET has
 * @message: the message, which is whole
 * @number: the result
 *
 * Return: false where it has none, or one that could not be read.
 */
bool decode_number(struct nlmsghdr *message, struct record_number *number)
{
	struct genlmsghdr *head = nlmsg_data(message);
	bool cpu = false, seq = false, busy = false;
	struct nlattr *attr;
	int rest;

	*number = (struct record_number){ 0 };
	nla_for_each_attr(attr, genlmsg_attrdata(head, 0), genlmsg_attrlen(head, 0), rest) {
		switch (nla_type(attr)) {
		case TRACE_IRQOFF_A_CPU:
			cpu = nla_len(attr) == sizeof(number->cpu);
			if (cpu)
				number->cpu = nla_get_u32(attr);
			break;
		case TRACE_IRQOFF_A_SEQ:
			seq = nla_len(attr) == sizeof(number->seq);
			if (seq)
				number->seq = nla_get_u64(attr);
			break;
		case TRACE_IRQOFF_A_OPEN:
			number->open = true;
			break;
		case TRACE_IRQOFF_A_BUSY:
			busy = true;
			break;
		}
	}
	return cpu && (seq || number->open) && !busy;
}
