// SPDX-License-Identifier: GPL-2.0-only
/*
 * The tables here check types and lengths strictly. An attribute without an entry is
 * refused. tio_knobs_refuse() checks the limits of values.
 */
#include <linux/cpumask.h>
#include <linux/kernel.h>
#include <net/genetlink.h>

#include "report/request.h"

const struct nla_policy tio_request_policy[TRACE_IRQOFF_A_MAX + 1] = {
	[TRACE_IRQOFF_A_ENABLE]		= { .type = NLA_U8 },
	[TRACE_IRQOFF_A_THRESHOLD_US]	= { .type = NLA_U32 },
	[TRACE_IRQOFF_A_PERIOD_US]	= { .type = NLA_U32 },
	[TRACE_IRQOFF_A_CPUS]		= { .type = NLA_NUL_STRING,
					    .len = PAGE_SIZE - 1 },
	[TRACE_IRQOFF_A_RING_RECORDS]	= { .type = NLA_U32 },
	[TRACE_IRQOFF_A_NMI]		= { .type = NLA_U8 },
	[TRACE_IRQOFF_A_NMI_CPU_RATE]	= { .type = NLA_U32 },
	[TRACE_IRQOFF_A_NMI_RATE]	= { .type = NLA_U32 },
	[TRACE_IRQOFF_A_GUARD]		= { .type = NLA_U8 },
	[TRACE_IRQOFF_A_MAX_COST_PPM]	= { .type = NLA_U32 },
	[TRACE_IRQOFF_A_FREE]		= { .type = NLA_FLAG },
	[TRACE_IRQOFF_A_CURSOR]		= { .type = NLA_NESTED },
	[TRACE_IRQOFF_A_NAMES]		= { .type = NLA_FLAG },
};

static const struct nla_policy cursor_policy[TRACE_IRQOFF_A_SEQ + 1] = {
	[TRACE_IRQOFF_A_CPU]		= { .type = NLA_U32 },
	[TRACE_IRQOFF_A_SEQ]		= { .type = NLA_U64 },
};

/* is it an attribute of that operation? The policy has those of all operations */
static bool takes(u8 cmd, unsigned int type)
{
	switch (type) {
	case TRACE_IRQOFF_A_CURSOR:
	case TRACE_IRQOFF_A_NAMES:
		return cmd == TRACE_IRQOFF_CMD_RECORD_GET;
	default:
		return cmd == TRACE_IRQOFF_CMD_CONFIG_SET;
	}
}

/**
 * tio_request_check() - refuse attributes that the operation does not take
 * @nlh: the request, its attributes checked against tio_request_policy
 * @extack: gets a sentence where the answer is an error
 *
 * Who clears the records of CPU 3 alone must not clear those of all CPUs.
 *
 * Context: task.
 * Return: 0 or -EINVAL.
 */
int tio_request_check(const struct nlmsghdr *nlh, struct netlink_ext_ack *extack)
{
	const struct genlmsghdr *genl = nlmsg_data(nlh);
	struct nlattr *attr;
	int rem;

	nlmsg_for_each_attr(attr, nlh, GENL_HDRLEN, rem) {
		if (takes(genl->cmd, nla_type(attr)))
			continue;
		NL_SET_ERR_MSG_ATTR(extack, attr, "the operation takes no such attribute");
		return -EINVAL;
	}
	return 0;
}

/**
 * tio_request_settings() - the settings that a request names
 * @settings: gets the values that @attrs has, and keeps the others
 * @attrs: attributes by type, checked against tio_request_policy
 *
 * Context: task, may sleep.
 * Return: 0, -EINVAL where the value of "cpus" cannot be parsed, -ENOMEM.
 */
int tio_request_settings(struct tio_settings *settings, struct nlattr **attrs)
{
	unsigned int i;

	for (i = 0; i < TIO_KNOBS; i++) {
		const struct nlattr *attr = attrs[tio_knobs[i].attr];

		if (attr)
			settings->knobs[i] = tio_knobs[i].byte ? nla_get_u8(attr) :
								 nla_get_u32(attr);
	}
	if (!attrs[TRACE_IRQOFF_A_CPUS])
		return 0;
	return tio_cpus_parse(settings, nla_data(attrs[TRACE_IRQOFF_A_CPUS]));
}

/**
 * tio_request_cursor() - read one CURSOR
 * @attr: the nest, its own length checked
 * @cpu: the CPU it names, a possible one
 * @seq: the number it names
 * @extack: gets a sentence where the answer is an error
 *
 * Context: task.
 * Return: 0 or a negative errno.
 */
int tio_request_cursor(const struct nlattr *attr, u32 *cpu, u64 *seq,
		       struct netlink_ext_ack *extack)
{
	struct nlattr *tb[TRACE_IRQOFF_A_SEQ + 1];
	int ret;

	ret = nla_parse_nested(tb, TRACE_IRQOFF_A_SEQ, attr, cursor_policy,
			       extack);
	if (ret)
		return ret;
	if (!tb[TRACE_IRQOFF_A_CPU] || !tb[TRACE_IRQOFF_A_SEQ]) {
		NL_SET_ERR_MSG_ATTR(extack, attr,
				    "a cursor takes a CPU and a sequence number");
		return -EINVAL;
	}
	*cpu = nla_get_u32(tb[TRACE_IRQOFF_A_CPU]);
	*seq = nla_get_u64(tb[TRACE_IRQOFF_A_SEQ]);
	if (*cpu >= nr_cpu_ids || !cpu_possible(*cpu)) {
		NL_SET_ERR_MSG_ATTR(extack, attr,
				    "a cursor names an impossible CPU");
		return -EINVAL;
	}
	return 0;
}
