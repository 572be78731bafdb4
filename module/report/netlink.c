// SPDX-License-Identifier: GPL-2.0-only
/*
 * The generic netlink family. No operation has GENL_ADMIN_PERM, whose CAP_NET_ADMIN any
 * pod on the node's network may have: each one asks access.h first.
 */
#include <linux/kallsyms.h>
#include <linux/math64.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <net/genetlink.h>

#include "compat/dump_extack.h"
#include "compat/genl_policy.h"
#include "compat/mcast_group.h"
#include "control/control.h"
#include "control/status.h"
#include "record/cursor.h"
#include "record/meanwhile.h"
#include "record/wake.h"
#include "report/access.h"
#include "report/netlink.h"
#include "report/netlink_record.h"
#include "report/netlink_status.h"
#include "report/request.h"
#include "state/counters.h"
#include "state/recent.h"

/*
 * Sizes of a dump's messages. The page allocator provides 32 KiB easily. A record with
 * five deep stacks and their names takes some 26 KiB.
 */
#define NAMED_DUMP_BYTES	SKB_WITH_OVERHEAD(32768)
#define PLAIN_DUMP_BYTES	SKB_WITH_OVERHEAD(16384)

/* since this version of requests their sender asks again */
#define VERSION_ASKS_AGAIN	2

static struct genl_family family;

/* who may not ask at all learns nothing of what is wrong with the request */
static int check_reading(struct sk_buff *skb, const struct nlmsghdr *nlh,
			 struct netlink_ext_ack *extack)
{
	return tio_request_may_read(skb, extack) ?: tio_request_check(nlh, extack);
}

static int check_changing(struct sk_buff *skb, struct genl_info *info)
{
	return tio_request_may_change(skb, info->extack) ?:
	       tio_request_check(info->nlhdr, info->extack);
}

static int config_get(struct sk_buff *skb, struct genl_info *info)
{
	struct sk_buff *msg;
	void *head;
	int ret;

	ret = check_reading(skb, info->nlhdr, info->extack);
	if (ret)
		return ret;
	msg = genlmsg_new(TIO_STATUS_BYTES, GFP_KERNEL);
	if (!msg)
		return -ENOMEM;
	head = genlmsg_put_reply(msg, info, &family, 0,
				 TRACE_IRQOFF_CMD_CONFIG_GET);
	ret = head ? tio_put_status(msg) : -EMSGSIZE;
	if (ret) {
		nlmsg_free(msg);
		return ret;
	}
	genlmsg_end(msg, head);
	return genlmsg_reply(msg, info);
}

static void refuse(struct genl_info *info, int attr, const char *rule)
{
	if (!info->extack)
		return;
	info->extack->_msg = rule;
	if (attr)
		info->extack->bad_attr = info->attrs[attr];
}

static int config_set(struct sk_buff *skb, struct genl_info *info)
{
	struct tio_settings *settings;
	const char *rule = NULL;
	int ret;

	ret = check_changing(skb, info);
	if (ret)
		return ret;
	settings = tio_control_begin();
	if (IS_ERR(settings))
		return PTR_ERR(settings);

	ret = tio_request_settings(settings, info->attrs);
	if (ret) {
		tio_control_abort(settings);
		if (ret == -EINVAL)
			refuse(info, TRACE_IRQOFF_A_CPUS, tio_cpus_rule);
		return ret;
	}

	/* while this request waits, nobody registers a family, and no later one is answered */
	ret = tio_control_end(settings, nla_get_flag(info->attrs[TRACE_IRQOFF_A_FREE]),
			      info->genlhdr->version < VERSION_ASKS_AGAIN, &rule);
	if (rule)
		refuse(info, 0, rule);
	return ret;
}

static int clear(struct sk_buff *skb, struct genl_info *info)
{
	return check_changing(skb, info) ?: tio_control_clear();
}

/* of dumps that keep nothing */
static int start_reading(struct netlink_callback *cb)
{
	return check_reading(cb->skb, cb->nlh, tio_dump_extack(cb));
}

/* dumps a message for each CPU that was ever watched; cb->args[0] is the next CPU */
static int dump_cpus(struct sk_buff *skb, struct netlink_callback *cb, u8 cmd,
		     int (*put)(struct sk_buff *skb, unsigned int cpu))
{
	unsigned int cpu = cb->args[0];
	bool put_one = false;

	/* not 0, which would be no number; it is compared with that of the part before */
	cb->seq = tio_control_drops() | 1U << 31;
	for (; cpu < nr_cpu_ids; cpu++) {
		struct tio_ring_index index;
		void *head;

		if (!cpu_possible(cpu) || !tio_status_ring(cpu, &index))
			continue;
		head = genlmsg_put(skb, NETLINK_CB(cb->skb).portid,
				   cb->nlh->nlmsg_seq, &family, NLM_F_MULTI,
				   cmd);
		if (!head)
			break;
		genl_dump_check_consistent(cb, head);
		if (put(skb, cpu)) {
			genlmsg_cancel(skb, head);
			break;
		}
		genlmsg_end(skb, head);
		put_one = true;
	}
	if (cpu < nr_cpu_ids && !put_one)
		return -EMSGSIZE;
	cb->args[0] = cpu;
	return skb->len;
}

static int put_histogram(struct sk_buff *skb, int attr,
			 const struct tio_histogram *hist)
{
	struct nlattr *nest = nla_nest_start(skb, attr);

	if (!nest ||
	    nla_put_64bit(skb, TRACE_IRQOFF_A_BUCKETS, sizeof(hist->buckets),
			  hist->buckets, TRACE_IRQOFF_A_PAD) ||
	    tio_put_u64(skb, TRACE_IRQOFF_A_COUNT, hist->count) ||
	    tio_put_u64(skb, TRACE_IRQOFF_A_SUM_NS, hist->sum_ns) ||
	    tio_put_u64(skb, TRACE_IRQOFF_A_LONGEST_NS, hist->max_ns))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int put_pair(struct sk_buff *skb, const struct tio_histogram *hard,
		    const struct tio_histogram *soft)
{
	return put_histogram(skb, TRACE_IRQOFF_A_HARD, hard) ?:
	       put_histogram(skb, TRACE_IRQOFF_A_SOFT, soft);
}

static noinline_for_stack int put_loaded(struct sk_buff *skb, unsigned int cpu)
{
	struct tio_counters counters;

	tio_counters_read(cpu, &counters);
	return put_pair(skb, &counters.hard, &counters.soft);
}

static noinline_for_stack int put_recent(struct sk_buff *skb, unsigned int cpu)
{
	struct tio_recent recent;
	struct nlattr *nest;
	u64 cleared_ns;

	cleared_ns = tio_status_recent(cpu, &recent);
	if (!cleared_ns)
		return 0;
	if (tio_put_u64(skb, TRACE_IRQOFF_A_CLEARED_NS, cleared_ns))
		return -EMSGSIZE;
	nest = nla_nest_start(skb, TRACE_IRQOFF_A_RECENT);
	if (!nest || put_pair(skb, &recent.hard, &recent.soft))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int put_histograms(struct sk_buff *skb, unsigned int cpu)
{
	if (nla_put_u32(skb, TRACE_IRQOFF_A_CPU, cpu))
		return -EMSGSIZE;
	return put_loaded(skb, cpu) ?: put_recent(skb, cpu);
}

static int histogram_dump(struct sk_buff *skb, struct netlink_callback *cb)
{
	return dump_cpus(skb, cb, TRACE_IRQOFF_CMD_HISTOGRAM_GET,
			 put_histograms);
}

static int put_settled(struct sk_buff *skb, unsigned int cpu)
{
	struct tio_settled settled;

	if (!tio_counters_settled(cpu, &settled))
		return 0;
	if (tio_put_u64(skb, TRACE_IRQOFF_A_SETTLED_NS, settled.since_ns) ||
	    nla_put_u32(skb, TRACE_IRQOFF_A_THRESHOLD_US,
			div_u64(settled.timing.threshold_ns, NSEC_PER_USEC)) ||
	    nla_put_u32(skb, TRACE_IRQOFF_A_PERIOD_US,
			div_u64(settled.timing.period_ns, NSEC_PER_USEC)))
		return -EMSGSIZE;
	return 0;
}

static int put_counters(struct sk_buff *skb, unsigned int cpu)
{
	u64 watched_ns = tio_counters_watched_ns(cpu);
	struct tio_counters counters;
	struct tio_ring_index index;

	tio_counters_read(cpu, &counters);
	tio_status_ring(cpu, &index);
	if (nla_put_u32(skb, TRACE_IRQOFF_A_CPU, cpu) ||
	    (tio_counters_watched(cpu) &&
	     nla_put_flag(skb, TRACE_IRQOFF_A_WATCHED_CPU)) ||
	    (watched_ns && tio_put_u64(skb, TRACE_IRQOFF_A_WATCHED_NS, watched_ns)) ||
	    put_settled(skb, cpu) ||
	    tio_put_u64(skb, TRACE_IRQOFF_A_BEATS, counters.beats) ||
	    tio_put_u64(skb, TRACE_IRQOFF_A_PRODUCED, index.produced) ||
	    tio_put_u64(skb, TRACE_IRQOFF_A_KEPT, tio_ring_kept(&index)) ||
	    tio_put_u64(skb, TRACE_IRQOFF_A_LOST, tio_ring_lost(&index)) ||
	    tio_put_u64(skb, TRACE_IRQOFF_A_LOST_BEFORE, tio_ring_lost_before(&index)) ||
	    tio_put_u64(skb, TRACE_IRQOFF_A_CLEARED, index.cleared) ||
	    tio_put_u64(skb, TRACE_IRQOFF_A_SAMPLES, counters.samples) ||
	    tio_put_u64(skb, TRACE_IRQOFF_A_COST_NS, counters.cost_ns) ||
	    tio_put_u64(skb, TRACE_IRQOFF_A_COST_BEATS, counters.cost_beats) ||
	    nla_put_u32(skb, TRACE_IRQOFF_A_COST_PPM, counters.cost_ppm) ||
	    tio_put_u64(skb, TRACE_IRQOFF_A_NMI_REFUSED, counters.nmi_refused) ||
	    tio_put_u64(skb, TRACE_IRQOFF_A_NMI_LOST, counters.nmi_lost) ||
	    nla_put_u32(skb, TRACE_IRQOFF_A_TRACER, tio_status_tracer(cpu)))
		return -EMSGSIZE;
	return 0;
}

static int counter_dump(struct sk_buff *skb, struct netlink_callback *cb)
{
	return dump_cpus(skb, cb, TRACE_IRQOFF_CMD_COUNTER_GET, put_counters);
}

/* the state of a dump of records, which cb->args[0] points to */
struct tio_dump {
	struct tio_cursor *cursor;
	bool names;
	bool addresses;		/* the requester may see them */
	bool waiting;		/* the record in the cursor found no room yet */
	bool ended;		/* no records are left; open stalls are next */
	struct tio_sample meanwhile;	/* of the record in the cursor */
	char symbol[KSYM_SYMBOL_LEN];
};

static int read_cursors(struct tio_dump *dump, const struct nlmsghdr *nlh,
			struct netlink_ext_ack *extack)
{
	struct nlattr *attr;
	int rem, ret;

	nlmsg_for_each_attr(attr, nlh, GENL_HDRLEN, rem) {
		u32 cpu;
		u64 seq;

		if (nla_type(attr) == TRACE_IRQOFF_A_NAMES)
			dump->names = true;
		if (nla_type(attr) != TRACE_IRQOFF_A_CURSOR)
			continue;
		ret = tio_request_cursor(attr, &cpu, &seq, extack);
		if (ret)
			return ret;
		dump->cursor->next[cpu] = seq;
	}
	return 0;
}

static int record_start(struct netlink_callback *cb)
{
	struct tio_dump *dump;
	int ret;

	ret = check_reading(cb->skb, cb->nlh, tio_dump_extack(cb));
	if (ret)
		return ret;
	dump = kzalloc(sizeof(*dump), GFP_KERNEL);
	if (!dump)
		return -ENOMEM;
	ret = -ENOMEM;
	dump->cursor = tio_cursor_create();
	if (dump->cursor)
		ret = read_cursors(dump, cb->nlh, tio_dump_extack(cb));
	if (ret) {
		tio_cursor_destroy(dump->cursor);
		kfree(dump);
		return ret;
	}
	dump->addresses = tio_request_may_see_addresses(cb->skb);
	/* nobody else can name what has an opaque number */
	dump->names |= !dump->addresses;
	cb->args[0] = (long)dump;
	cb->min_dump_alloc = dump->names ? NAMED_DUMP_BYTES : PLAIN_DUMP_BYTES;
	return 0;
}

static bool next_record(struct tio_dump *dump)
{
	if (!dump->ended) {
		if (tio_cursor_next(dump->cursor))
			return true;
		dump->ended = true;
	}
	return tio_cursor_next_open(dump->cursor);
}

/* @alone: the message was empty, so names that do not fit into it never do */
static int put_record(struct sk_buff *skb, struct tio_dump *dump, bool alone)
{
	const struct tio_record *rec = &dump->cursor->rec;
	int ret;

	tio_meanwhile_sample(rec, &dump->meanwhile);
	ret = tio_put_record(skb, rec, &dump->meanwhile, dump->addresses);
	if (ret)
		return ret;
	ret = tio_put_names(skb, rec, &dump->meanwhile, dump->names, dump->addresses,
			    dump->symbol);
	return alone ? 0 : ret;
}

static int record_dump(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct tio_dump *dump = (struct tio_dump *)cb->args[0];

	while (dump->waiting || next_record(dump)) {
		bool alone = !skb->len;
		void *head = genlmsg_put(skb, NETLINK_CB(cb->skb).portid,
					 cb->nlh->nlmsg_seq, &family,
					 NLM_F_MULTI,
					 TRACE_IRQOFF_CMD_RECORD_GET);

		if (!head || put_record(skb, dump, alone)) {
			if (head)
				genlmsg_cancel(skb, head);
			dump->waiting = true;
			return skb->len ?: -EMSGSIZE;
		}
		genlmsg_end(skb, head);
		dump->waiting = false;
		/* all names of a record may fill the message */
		if (dump->names)
			return skb->len;
	}
	return skb->len;
}

static int record_done(struct netlink_callback *cb)
{
	struct tio_dump *dump = (struct tio_dump *)cb->args[0];

	tio_cursor_destroy(dump->cursor);
	kfree(dump);
	return 0;
}

static const struct genl_ops ops[] = {
	{
		.cmd = TRACE_IRQOFF_CMD_CONFIG_GET,
		TIO_OP_POLICY(tio_request_policy)
		.doit = config_get,
	}, {
		.cmd = TRACE_IRQOFF_CMD_CONFIG_SET,
		TIO_OP_POLICY(tio_request_policy)
		.doit = config_set,
	}, {
		.cmd = TRACE_IRQOFF_CMD_RECORD_GET,
		TIO_OP_POLICY(tio_request_policy)
		.start = record_start,
		.dumpit = record_dump,
		.done = record_done,
	}, {
		.cmd = TRACE_IRQOFF_CMD_HISTOGRAM_GET,
		TIO_OP_POLICY(tio_request_policy)
		.start = start_reading,
		.dumpit = histogram_dump,
	}, {
		.cmd = TRACE_IRQOFF_CMD_COUNTER_GET,
		TIO_OP_POLICY(tio_request_policy)
		.start = start_reading,
		.dumpit = counter_dump,
	}, {
		.cmd = TRACE_IRQOFF_CMD_CLEAR,
		TIO_OP_POLICY(tio_request_policy)
		.doit = clear,
	},
};

/* wake.c sends to the first one */
static const struct genl_multicast_group groups[] = {
	{ .name = TRACE_IRQOFF_GROUP_STALLS, TIO_MCAST_SYS_ADMIN },
};

static struct genl_family family __ro_after_init = {
	.name = TRACE_IRQOFF_GENL_NAME,
	.version = TRACE_IRQOFF_GENL_VERSION,
	.maxattr = TRACE_IRQOFF_A_MAX,
	TIO_FAMILY_POLICY(tio_request_policy)
	.ops = ops,
	.n_ops = ARRAY_SIZE(ops),
	.mcgrps = groups,
	.n_mcgrps = ARRAY_SIZE(groups),
	.module = THIS_MODULE,
	/* nobody waits for the change of settings that somebody else requests */
	.parallel_ops = true,
};

/**
 * tio_netlink_init() - offer the family
 *
 * Context: module init.
 * Return: 0 or a negative errno.
 */
int tio_netlink_init(void)
{
	struct tio_status status;
	int ret = genl_register_family(&family);

	if (ret)
		return ret;
	tio_status(&status);
	tio_wake_begin(&family, status.instance);
	return 0;
}

/**
 * tio_netlink_exit() - withdraw the family; no operation runs any more on return
 *
 * Context: task, may sleep.
 */
void tio_netlink_exit(void)
{
	/* before: the group's number may be another family's afterwards */
	tio_wake_end();
	genl_unregister_family(&family);
}
