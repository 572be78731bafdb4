// SPDX-License-Identifier: GPL-2.0-only
#include <netlink/attr.h>
#include <netlink/genl/genl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/say.h"
#include "base/units.h"
#include "model/contradiction.h"
#include "model/cpuset.h"
#include "model/labels.h"
#include "names/symbols.h"
#include "source/attributes.h"
#include "source/decode.h"
#include "uapi/linux/trace_irqoff.h"

/* twice as many as the kernel supports (NR_CPUS): a file with more was made so, to take long */
#define CPUS_MOST	16384

#define U8	{ .type = NLA_U8, .minlen = 1, .maxlen = 1 }
#define U32	{ .type = NLA_U32, .minlen = 4, .maxlen = 4 }
#define U64	{ .type = NLA_U64, .minlen = 8, .maxlen = 8 }
#define TEXT	{ .type = NLA_STRING }
#define NEST	{ .type = NLA_NESTED }

/*
 * Messages and nests share one space of attributes. Flags need no entry: they have no
 * value. libnl 3.4 takes policies without const.
 */
/* include/linux/sched/prio.h: a kernel has 140 priorities; of policies there are eight by now */
#define POLICIES_MOST	64
#define PRIOS_MOST	140

static struct nla_policy policy[TRACE_IRQOFF_A_MAX + 1] = {
	[TRACE_IRQOFF_A_VERSION]	= U32,
	[TRACE_IRQOFF_A_MODULE_VERSION]	= TEXT,
	[TRACE_IRQOFF_A_ENABLE]		= U8,
	[TRACE_IRQOFF_A_THRESHOLD_US]	= U32,
	[TRACE_IRQOFF_A_PERIOD_US]	= U32,
	[TRACE_IRQOFF_A_CPUS]		= TEXT,
	[TRACE_IRQOFF_A_RING_RECORDS]	= U32,
	[TRACE_IRQOFF_A_RING_BYTES]	= U32,
	[TRACE_IRQOFF_A_WATCHED]	= TEXT,
	[TRACE_IRQOFF_A_NOW_NS]		= U64,
	[TRACE_IRQOFF_A_ENABLED_NS]	= U64,
	[TRACE_IRQOFF_A_CPU]		= U32,
	[TRACE_IRQOFF_A_SEQ]		= U64,
	[TRACE_IRQOFF_A_KIND]		= U8,
	[TRACE_IRQOFF_A_MIN_NS]		= U64,
	[TRACE_IRQOFF_A_MAX_NS]		= U64,
	[TRACE_IRQOFF_A_END_NS]		= U64,
	[TRACE_IRQOFF_A_NESTED_NS]	= U64,
	[TRACE_IRQOFF_A_LATE_NS]	= U64,
	[TRACE_IRQOFF_A_THRESHOLD_NS]	= U64,
	[TRACE_IRQOFF_A_PERIOD_NS]	= U64,
	[TRACE_IRQOFF_A_END_BY]		= U8,
	[TRACE_IRQOFF_A_HANDLER_NS]	= U64,
	[TRACE_IRQOFF_A_HANDLERS]	= U32,
	[TRACE_IRQOFF_A_UNSEEN_IRQS]	= U32,
	[TRACE_IRQOFF_A_SAMPLE]		= NEST,
	[TRACE_IRQOFF_A_END]		= NEST,
	[TRACE_IRQOFF_A_NAME]		= NEST,
	[TRACE_IRQOFF_A_AT_NS]		= U64,
	[TRACE_IRQOFF_A_PREEMPT_COUNT]	= U32,
	[TRACE_IRQOFF_A_PENDING]	= U32,
	[TRACE_IRQOFF_A_FLAGS]		= U32,
	[TRACE_IRQOFF_A_PID]		= U32,
	[TRACE_IRQOFF_A_TGID]		= U32,
	[TRACE_IRQOFF_A_COMM]		= TEXT,
	[TRACE_IRQOFF_A_CGROUP_ID]	= U64,
	[TRACE_IRQOFF_A_STALE]		= U64,
	[TRACE_IRQOFF_A_ADDR]		= U64,
	[TRACE_IRQOFF_A_SYMBOL]		= TEXT,
	[TRACE_IRQOFF_A_HARD]		= NEST,
	[TRACE_IRQOFF_A_SOFT]		= NEST,
	[TRACE_IRQOFF_A_COUNT]		= U64,
	[TRACE_IRQOFF_A_SUM_NS]		= U64,
	[TRACE_IRQOFF_A_LONGEST_NS]	= U64,
	[TRACE_IRQOFF_A_BEATS]		= U64,
	[TRACE_IRQOFF_A_PRODUCED]	= U64,
	[TRACE_IRQOFF_A_KEPT]		= U64,
	[TRACE_IRQOFF_A_LOST]		= U64,
	[TRACE_IRQOFF_A_CLEARED]	= U64,
	[TRACE_IRQOFF_A_LOST_BEFORE]	= U64,
	[TRACE_IRQOFF_A_RECENT]		= NEST,
	[TRACE_IRQOFF_A_CLEARED_NS]	= U64,
	[TRACE_IRQOFF_A_SAMPLES]	= U64,
	[TRACE_IRQOFF_A_COST_NS]	= U64,
	[TRACE_IRQOFF_A_COST_BEATS]	= U64,
	[TRACE_IRQOFF_A_DELAY_NS]	= U64,
	[TRACE_IRQOFF_A_IRQ]		= U32,
	[TRACE_IRQOFF_A_IRQ_NAME]	= TEXT,
	[TRACE_IRQOFF_A_NET_PROCESSED]	= U32,
	[TRACE_IRQOFF_A_NET_DROPPED]	= U32,
	[TRACE_IRQOFF_A_NET_SQUEEZED]	= U32,
	[TRACE_IRQOFF_A_SOFTIRQ]	= U32,
	[TRACE_IRQOFF_A_INSTANCE]	= U64,
	[TRACE_IRQOFF_A_GENERATION]	= U64,
	[TRACE_IRQOFF_A_BEHIND]		= TEXT,
	[TRACE_IRQOFF_A_STOPPED_NS]	= U64,
	[TRACE_IRQOFF_A_STOPPED_BY]	= U8,
	[TRACE_IRQOFF_A_SELF_STOPS]	= U64,
	[TRACE_IRQOFF_A_NMI]		= U8,
	[TRACE_IRQOFF_A_NMI_CPU_RATE]	= U32,
	[TRACE_IRQOFF_A_NMI_RATE]	= U32,
	[TRACE_IRQOFF_A_GUARD]		= U8,
	[TRACE_IRQOFF_A_MAX_COST_PPM]	= U32,
	[TRACE_IRQOFF_A_COST_PPM]	= U32,
	[TRACE_IRQOFF_A_NMI_REFUSED]	= U64,
	[TRACE_IRQOFF_A_NMI_LOST]	= U64,
	[TRACE_IRQOFF_A_NMI_NS]		= U64,
	[TRACE_IRQOFF_A_NMI_HANDLER]	= U64,
	[TRACE_IRQOFF_A_RINGS]		= U32,
	[TRACE_IRQOFF_A_TRACER]		= U32,
	[TRACE_IRQOFF_A_STEAL_NS]	= U64,
	[TRACE_IRQOFF_A_HYPERVISOR]	= U8,
	[TRACE_IRQOFF_A_SMIS]		= U32,
	[TRACE_IRQOFF_A_REGS]		= U32,
	[TRACE_IRQOFF_A_WATCHED_NS]	= U64,
	[TRACE_IRQOFF_A_SETTLED_NS]	= U64,
	[TRACE_IRQOFF_A_LOCK]		= U64,
	[TRACE_IRQOFF_A_LOCK_KIND]	= U8,
	[TRACE_IRQOFF_A_LOCK_CPU]	= U32,
	[TRACE_IRQOFF_A_MEANWHILE]	= NEST,
	[TRACE_IRQOFF_A_NOTED]		= U32,
	[TRACE_IRQOFF_A_CANDIDATES]	= U32,
	[TRACE_IRQOFF_A_THREADS]	= U32,
	[TRACE_IRQOFF_A_PARENT]		= U32,
	[TRACE_IRQOFF_A_PARENT_COMM]	= TEXT,
	[TRACE_IRQOFF_A_POLICY]		= U32,
	[TRACE_IRQOFF_A_PRIO]		= U32,
	[TRACE_IRQOFF_A_NO_LOCKS]	= TEXT,
};

/* an absent attribute means zero; @policy says how wide one is */
static __u64 number(struct nlattr *attr)
{
	switch (attr ? policy[nla_type(attr)].minlen : 0) {
	case 1:
		return nla_get_u8(attr);
	case 4:
		return nla_get_u32(attr);
	case 8:
		return nla_get_u64(attr);
	default:
		return 0;
	}
}

static void text(char *buf, size_t size, struct nlattr *attr)
{
	fill_text(buf, size, attr ? nla_get_string(attr) : "");
	printable(buf);
}

static char *new_text(struct nlattr *attr)
{
	return printable(copy_text(attr ? nla_get_string(attr) : ""));
}

/**
 * decode_lists_cpus() - has an attribute CPUs as the kernel lists them?
 * @attr: a string; NULL: none
 *
 * Return: true for none as well.
 */
bool decode_lists_cpus(struct nlattr *attr)
{
	return !attr || cpulist_whole(nla_get_string(attr));
}

static unsigned int numbers(__u64 *array, unsigned int room, struct nlattr *attr)
{
	unsigned int count = attr ? nla_len(attr) / sizeof(*array) : 0;

	if (count > room)
		count = room;
	if (count)
		memcpy(array, nla_data(attr), count * sizeof(*array));
	return count;
}

static bool parse(struct nlmsghdr *message, struct nlattr **tb)
{
	const size_t head = NLMSG_HDRLEN + GENL_HDRLEN;

	return message->nlmsg_len >= head &&
	       attributes_find(tb, TRACE_IRQOFF_A_MAX, (char *)message + head,
			       message->nlmsg_len - head, policy);
}

static bool parse_nest(struct nlattr *nest, struct nlattr **tb)
{
	return nest && attributes_find(tb, TRACE_IRQOFF_A_MAX, nla_data(nest), nla_len(nest),
				       policy);
}

static void decode_knobs(struct nlattr **tb, struct setting knobs[TIO_KNOBS])
{
	for (unsigned int i = TIO_KNOB_NMI; i < TIO_KNOBS; i++) {
		struct nlattr *attr = tb[tio_knobs[i].attr];

		knobs[i] = (struct setting){ .known = attr, .value = number(attr) };
	}
}

/**
 * decode_config() - an answer to CONFIG_GET
 * @message: the message
 * @model: gets the settings
 *
 * Return: false where it is of no interface that this reader knows.
 */
bool decode_config(struct nlmsghdr *message, struct model *model)
{
	struct nlattr *tb[TRACE_IRQOFF_A_MAX + 1];
	struct config *config = &model->config;

	if (!parse(message, tb) || !tb[TRACE_IRQOFF_A_VERSION] ||
	    !tb[TRACE_IRQOFF_A_THRESHOLD_US] || !tb[TRACE_IRQOFF_A_PERIOD_US] ||
	    !tb[TRACE_IRQOFF_A_NOW_NS] ||
	    !decode_lists_cpus(tb[TRACE_IRQOFF_A_WATCHED]) ||
	    !decode_lists_cpus(tb[TRACE_IRQOFF_A_BEHIND]))
		return false;
	free(config->cpus);
	free(config->watched);
	free(config->behind);
	*config = (struct config){
		.version = number(tb[TRACE_IRQOFF_A_VERSION]),
		.instance_known = !!tb[TRACE_IRQOFF_A_INSTANCE],
		.instance = number(tb[TRACE_IRQOFF_A_INSTANCE]),
		.enabled = number(tb[TRACE_IRQOFF_A_ENABLE]),
		.threshold_us = number(tb[TRACE_IRQOFF_A_THRESHOLD_US]),
		.period_us = number(tb[TRACE_IRQOFF_A_PERIOD_US]),
		.ring_records = number(tb[TRACE_IRQOFF_A_RING_RECORDS]),
		.ring_bytes = number(tb[TRACE_IRQOFF_A_RING_BYTES]),
		.now_ns = number(tb[TRACE_IRQOFF_A_NOW_NS]),
		.enabled_ns = number(tb[TRACE_IRQOFF_A_ENABLED_NS]),
		.stopped_known = !!tb[TRACE_IRQOFF_A_STOPPED_NS],
		.stopped_ns = number(tb[TRACE_IRQOFF_A_STOPPED_NS]),
		.stopped_by = number(tb[TRACE_IRQOFF_A_STOPPED_BY]),
		.control_known = !!tb[TRACE_IRQOFF_A_GENERATION],
		.generation = number(tb[TRACE_IRQOFF_A_GENERATION]),
		.self_stops = number(tb[TRACE_IRQOFF_A_SELF_STOPS]),
		.attached = !!tb[TRACE_IRQOFF_A_ATTACHED],
		.detaching = !!tb[TRACE_IRQOFF_A_DETACHING],
		.rings = number(tb[TRACE_IRQOFF_A_RINGS]),
		.freeing = !!tb[TRACE_IRQOFF_A_FREEING],
		.behind = new_text(tb[TRACE_IRQOFF_A_BEHIND]),
		.cpus = new_text(tb[TRACE_IRQOFF_A_CPUS]),
		.watched = new_text(tb[TRACE_IRQOFF_A_WATCHED]),
	};
	decode_knobs(tb, config->knobs);
	text(config->module_version, sizeof(config->module_version),
	     tb[TRACE_IRQOFF_A_MODULE_VERSION]);
	text(config->no_locks, sizeof(config->no_locks), tb[TRACE_IRQOFF_A_NO_LOCKS]);
	return true;
}

static void decode_stack(struct nlattr **tb, struct pool *pool, struct tio_sample *sample)
{
	__u64 frames[TIO_FRAMES], calls[TIO_FRAMES] = { 0 };

	sample->nframes = numbers(frames, TIO_FRAMES, tb[TRACE_IRQOFF_A_FRAMES]);
	if (sample->nframes)
		sample->frames = pool_keep(pool, frames, sample->nframes * sizeof(*frames));
	if (numbers(calls, sample->nframes, tb[TRACE_IRQOFF_A_CALLS]))
		sample->calls = pool_keep(pool, calls, sample->nframes * sizeof(*calls));
}

/*
 * A kind that this reader does not know is a newer module's, or of a file that somebody changed:
 * nothing is known of the lock then, as of a CPU that there cannot be.
 */
static void decode_lock(struct nlattr **tb, struct tio_sample *sample)
{
	__u64 kind = number(tb[TRACE_IRQOFF_A_LOCK_KIND]);
	__u64 cpu = number(tb[TRACE_IRQOFF_A_LOCK_CPU]);

	if (!number(tb[TRACE_IRQOFF_A_LOCK]) || kind == TRACE_IRQOFF_LOCK_NONE ||
	    kind > TRACE_IRQOFF_LOCK_WRITE || cpu >= CPUS_MOST)
		return;
	sample->lock = number(tb[TRACE_IRQOFF_A_LOCK]);
	sample->lock_kind = kind;
	if (tb[TRACE_IRQOFF_A_LOCK_CPU])
		sample->lock_cpu = cpu + 1;
}

/* what no kernel has is not known */
static void decode_policy(struct nlattr **tb, struct tio_sample *sample)
{
	__u64 policy = number(tb[TRACE_IRQOFF_A_POLICY]), prio = number(tb[TRACE_IRQOFF_A_PRIO]);

	if (tb[TRACE_IRQOFF_A_POLICY] && policy < POLICIES_MOST)
		sample->policy = policy + 1;
	if (tb[TRACE_IRQOFF_A_PRIO] && prio < PRIOS_MOST)
		sample->prio = prio + 1;
}

static bool decode_sample(struct nlattr *nest, struct pool *pool, struct tio_sample *sample)
{
	struct nlattr *tb[TRACE_IRQOFF_A_MAX + 1];

	if (!parse_nest(nest, tb))
		return false;
	sample->at_ns = number(tb[TRACE_IRQOFF_A_AT_NS]);
	sample->cgroup_id = number(tb[TRACE_IRQOFF_A_CGROUP_ID]);
	sample->flags = number(tb[TRACE_IRQOFF_A_FLAGS]);
	sample->preempt_count = number(tb[TRACE_IRQOFF_A_PREEMPT_COUNT]);
	sample->pending = number(tb[TRACE_IRQOFF_A_PENDING]);
	sample->pid = number(tb[TRACE_IRQOFF_A_PID]);
	sample->tgid = number(tb[TRACE_IRQOFF_A_TGID]);
	decode_stack(tb, pool, sample);
	text(sample->comm, sizeof(sample->comm), tb[TRACE_IRQOFF_A_COMM]);
	if (tb[TRACE_IRQOFF_A_SOFTIRQ])
		sample->softirq = number(tb[TRACE_IRQOFF_A_SOFTIRQ]) + 1;
	sample->delay_ns = number(tb[TRACE_IRQOFF_A_DELAY_NS]);
	sample->handler_ns = number(tb[TRACE_IRQOFF_A_HANDLER_NS]);
	/* 0 is an interrupt's number as well */
	sample->irq.number = tb[TRACE_IRQOFF_A_IRQ] ? (__s32)number(tb[TRACE_IRQOFF_A_IRQ]) :
						      TIO_NO_IRQ;
	text(sample->irq.name, sizeof(sample->irq.name), tb[TRACE_IRQOFF_A_IRQ_NAME]);
	sample->regs = number(tb[TRACE_IRQOFF_A_REGS]);
	sample->stale = number(tb[TRACE_IRQOFF_A_STALE]);
	decode_lock(tb, sample);
	sample->threads = number(tb[TRACE_IRQOFF_A_THREADS]);
	decode_policy(tb, sample);
	sample->parent = number(tb[TRACE_IRQOFF_A_PARENT]);
	text(sample->parent_comm, sizeof(sample->parent_comm), tb[TRACE_IRQOFF_A_PARENT_COMM]);
	return true;
}

/* what another CPU did while this one waited for a lock */
static bool decode_meanwhile(struct nlattr *nest, struct pool *pool, struct tio_record *rec)
{
	struct nlattr *tb[TRACE_IRQOFF_A_MAX + 1];
	struct tio_sample sample;

	if (!parse_nest(nest, tb))
		return false;
	rec->meanwhile.noted = number(tb[TRACE_IRQOFF_A_NOTED]);
	rec->meanwhile.candidates = number(tb[TRACE_IRQOFF_A_CANDIDATES]);
	if (!tb[TRACE_IRQOFF_A_CPU] || number(tb[TRACE_IRQOFF_A_CPU]) >= CPUS_MOST)
		return true;
	/* with what lies between its fields: the pool compares bytes */
	memset(&sample, 0, sizeof(sample));
	if (!decode_sample(nest, pool, &sample))
		return false;
	rec->meanwhile.cpu = number(tb[TRACE_IRQOFF_A_CPU]) + 1;
	rec->meanwhile.preempt_count = sample.preempt_count;
	rec->meanwhile.sample = pool_keep(pool, &sample, sizeof(sample));
	return true;
}

/* of the samples and the end, the end alone has it */
static bool decode_nmi_handler(struct nlattr *end, struct tio_record *rec)
{
	struct nlattr *tb[TRACE_IRQOFF_A_MAX + 1];

	if (!parse_nest(end, tb))
		return false;
	rec->nmi_handler = number(tb[TRACE_IRQOFF_A_NMI_HANDLER]);
	return true;
}

static bool decode_name(struct nlattr *nest, struct pool *pool, struct entry *entry)
{
	struct nlattr *tb[TRACE_IRQOFF_A_MAX + 1];
	char symbol[SYMBOL_TEXT_LEN];

	if (!parse_nest(nest, tb) || !tb[TRACE_IRQOFF_A_SYMBOL])
		return false;
	text(symbol, sizeof(symbol), tb[TRACE_IRQOFF_A_SYMBOL]);
	entry->names = grow(entry->names, entry->nnames, sizeof(*entry->names));
	entry->names[entry->nnames++] = (struct kernel_name){
		.addr = number(tb[TRACE_IRQOFF_A_ADDR]),
		.symbol = pool_keep(pool, symbol, strlen(symbol) + 1),
	};
	return true;
}

/* the attributes that may come several times */
static bool decode_nests(struct nlmsghdr *message, struct pool *pool, struct entry *entry)
{
	struct genlmsghdr *head = nlmsg_data(message);
	struct nlattr *attr;
	int rest;

	nla_for_each_attr(attr, genlmsg_attrdata(head, 0), genlmsg_attrlen(head, 0), rest) {
		unsigned int i = entry->rec.nsamples;

		if (nla_type(attr) == TRACE_IRQOFF_A_NAME && !decode_name(attr, pool, entry))
			return false;
		if (nla_type(attr) == TRACE_IRQOFF_A_SAMPLE && i < TIO_SAMPLES) {
			if (!decode_sample(attr, pool, &entry->rec.samples[i]))
				return false;
			entry->rec.nsamples++;
		}
	}
	return true;
}

static unsigned int count_samples(struct nlmsghdr *message)
{
	struct genlmsghdr *head = nlmsg_data(message);
	unsigned int count = 0;
	struct nlattr *attr;
	int rest;

	nla_for_each_attr(attr, genlmsg_attrdata(head, 0), genlmsg_attrlen(head, 0), rest)
		count += nla_type(attr) == TRACE_IRQOFF_A_SAMPLE;
	return count < TIO_SAMPLES ? count : TIO_SAMPLES;
}

static void decode_scalars(struct nlattr **tb, struct entry *entry)
{
	struct tio_record *rec = &entry->rec;

	rec->cpu = number(tb[TRACE_IRQOFF_A_CPU]);
	rec->seq = number(tb[TRACE_IRQOFF_A_SEQ]);
	rec->kind = number(tb[TRACE_IRQOFF_A_KIND]);
	rec->open = !!tb[TRACE_IRQOFF_A_OPEN];
	rec->min_ns = number(tb[TRACE_IRQOFF_A_MIN_NS]);
	rec->max_ns = number(tb[TRACE_IRQOFF_A_MAX_NS]);
	rec->end_ns = number(tb[TRACE_IRQOFF_A_END_NS]);
	rec->nested_ns = number(tb[TRACE_IRQOFF_A_NESTED_NS]);
	rec->late_ns = number(tb[TRACE_IRQOFF_A_LATE_NS]);
	rec->threshold_ns = number(tb[TRACE_IRQOFF_A_THRESHOLD_NS]);
	rec->period_ns = number(tb[TRACE_IRQOFF_A_PERIOD_NS]);
	rec->end_by = number(tb[TRACE_IRQOFF_A_END_BY]);
	rec->handler_ns = number(tb[TRACE_IRQOFF_A_HANDLER_NS]);
	rec->handlers = number(tb[TRACE_IRQOFF_A_HANDLERS]);
	rec->handler_known = !!tb[TRACE_IRQOFF_A_HANDLER_NS];
	rec->untraced_irqs = number(tb[TRACE_IRQOFF_A_UNSEEN_IRQS]);
	rec->nmi_ns = number(tb[TRACE_IRQOFF_A_NMI_NS]);
	if (tb[TRACE_IRQOFF_A_STEAL_NS])
		rec->steal = number(tb[TRACE_IRQOFF_A_STEAL_NS]) + 1;
	if (tb[TRACE_IRQOFF_A_SMIS])
		rec->smis = number(tb[TRACE_IRQOFF_A_SMIS]) + 1;
	if (tb[TRACE_IRQOFF_A_HYPERVISOR])
		rec->beneath = number(tb[TRACE_IRQOFF_A_HYPERVISOR]) ?
				     TIO_BENEATH_HYPERVISOR : TIO_BENEATH_FIRMWARE;
	entry->net_known = !!tb[TRACE_IRQOFF_A_NET_PROCESSED];
	rec->net.waited = !!tb[TRACE_IRQOFF_A_NET_WAITED];
	rec->net.processed = number(tb[TRACE_IRQOFF_A_NET_PROCESSED]);
	rec->net.dropped = number(tb[TRACE_IRQOFF_A_NET_DROPPED]);
	rec->net.time_squeeze = number(tb[TRACE_IRQOFF_A_NET_SQUEEZED]);
}

static bool suffices_brief(struct nlattr **tb, const struct model *model)
{
	return !tb[TRACE_IRQOFF_A_OPEN] && number(tb[TRACE_IRQOFF_A_CPU]) < BRIEF_CPUS &&
	       number(tb[TRACE_IRQOFF_A_END_NS]) < model->brief_ns;
}

static void decode_brief(struct nlattr **tb, struct model *model)
{
	__u64 min_ns = number(tb[TRACE_IRQOFF_A_MIN_NS]);

	model_add_brief(model, number(tb[TRACE_IRQOFF_A_CPU]), (struct brief){
		.seq = number(tb[TRACE_IRQOFF_A_SEQ]),
		.min_ns = min_ns,
		.end_ns = number(tb[TRACE_IRQOFF_A_END_NS]),
		.kind = number(tb[TRACE_IRQOFF_A_KIND]),
		.crossed = contradiction_crossed(min_ns, number(tb[TRACE_IRQOFF_A_MAX_NS])),
	});
}

static bool decode_whole(struct nlmsghdr *message, struct nlattr **tb, struct pool *pool,
			 struct entry *entry)
{
	decode_scalars(tb, entry);
	return (!tb[TRACE_IRQOFF_A_MEANWHILE] ||
		decode_meanwhile(tb[TRACE_IRQOFF_A_MEANWHILE], pool, &entry->rec)) &&
	       (!tb[TRACE_IRQOFF_A_END] ||
		(decode_sample(tb[TRACE_IRQOFF_A_END], pool, &entry->rec.end) &&
		 decode_nmi_handler(tb[TRACE_IRQOFF_A_END], &entry->rec))) &&
	       decode_nests(message, pool, entry);
}

/**
 * decode_record() - one message of RECORD_GET
 * @message: the message
 * @model: gets the record
 *
 * Return: false where it is of no interface that this reader knows.
 */
bool decode_record(struct nlmsghdr *message, struct model *model)
{
	struct nlattr *tb[TRACE_IRQOFF_A_MAX + 1];
	struct entry room = { 0 }, *entry;
	bool right;

	if (!parse(message, tb) || !tb[TRACE_IRQOFF_A_CPU])
		return false;
	if (!tb[TRACE_IRQOFF_A_SEQ] && !tb[TRACE_IRQOFF_A_OPEN])
		return false;
	if (tb[TRACE_IRQOFF_A_BUSY]) {
		model_add_busy(model, number(tb[TRACE_IRQOFF_A_CPU]), tb[TRACE_IRQOFF_A_OPEN],
			       number(tb[TRACE_IRQOFF_A_SEQ]));
		return true;
	}
	if (!tb[TRACE_IRQOFF_A_KIND] || !tb[TRACE_IRQOFF_A_MIN_NS] ||
	    !tb[TRACE_IRQOFF_A_MAX_NS] || !tb[TRACE_IRQOFF_A_END_NS])
		return false;
	if (suffices_brief(tb, model)) {
		decode_brief(tb, model);
		return true;
	}
	if (!model->packs) {
		entry = model_add_entry(model, count_samples(message));
		return decode_whole(message, tb, model_pool(model), entry);
	}
	right = decode_whole(message, tb, model_pool(model), &room);
	model_add_packed(model, &room);
	return right;
}

/**
 * decode_counters() - one message of COUNTER_GET
 * @message: the message
 * @model: gets the counters
 *
 * Return: false where it is of no interface that this reader knows.
 */
bool decode_counters(struct nlmsghdr *message, struct model *model)
{
	struct nlattr *tb[TRACE_IRQOFF_A_MAX + 1];
	struct cpu_counters *counters;

	if (!parse(message, tb) || !tb[TRACE_IRQOFF_A_CPU] || !tb[TRACE_IRQOFF_A_PRODUCED] ||
	    model->ncounters == CPUS_MOST)
		return false;
	counters = model_add_counters(model);
	*counters = (struct cpu_counters){
		.cpu = number(tb[TRACE_IRQOFF_A_CPU]),
		.watched = !!tb[TRACE_IRQOFF_A_WATCHED_CPU],
		.watched_ns = number(tb[TRACE_IRQOFF_A_WATCHED_NS]),
		.settled_ns = number(tb[TRACE_IRQOFF_A_SETTLED_NS]),
		.threshold_ns = number(tb[TRACE_IRQOFF_A_THRESHOLD_US]) * NSEC_PER_USEC,
		.period_ns = number(tb[TRACE_IRQOFF_A_PERIOD_US]) * NSEC_PER_USEC,
		.beats = number(tb[TRACE_IRQOFF_A_BEATS]),
		.produced = number(tb[TRACE_IRQOFF_A_PRODUCED]),
		.kept = number(tb[TRACE_IRQOFF_A_KEPT]),
		.lost = number(tb[TRACE_IRQOFF_A_LOST]),
		.lost_before = number(tb[TRACE_IRQOFF_A_LOST_BEFORE]),
		.cleared = number(tb[TRACE_IRQOFF_A_CLEARED]),
		.samples = number(tb[TRACE_IRQOFF_A_SAMPLES]),
		.cost_ns = number(tb[TRACE_IRQOFF_A_COST_NS]),
		.cost_beats = number(tb[TRACE_IRQOFF_A_COST_BEATS]),
		.cost_known = !!tb[TRACE_IRQOFF_A_COST_PPM],
		.cost_ppm = number(tb[TRACE_IRQOFF_A_COST_PPM]),
		.nmi_known = !!tb[TRACE_IRQOFF_A_NMI_REFUSED],
		.nmi_refused = number(tb[TRACE_IRQOFF_A_NMI_REFUSED]),
		.nmi_lost = number(tb[TRACE_IRQOFF_A_NMI_LOST]),
		.tracer_known = !!tb[TRACE_IRQOFF_A_TRACER],
		.tracer = number(tb[TRACE_IRQOFF_A_TRACER]),
	};
	/* of a file that somebody changed */
	if (counters->lost_before > counters->lost)
		counters->lost_before = counters->lost;
	return true;
}

static bool decode_histogram(struct nlattr *nest, struct tio_histogram *hist)
{
	struct nlattr *tb[TRACE_IRQOFF_A_MAX + 1];

	if (!parse_nest(nest, tb) || !tb[TRACE_IRQOFF_A_BUCKETS])
		return false;
	numbers(hist->buckets, TIO_BUCKETS, tb[TRACE_IRQOFF_A_BUCKETS]);
	hist->count = number(tb[TRACE_IRQOFF_A_COUNT]);
	hist->sum_ns = number(tb[TRACE_IRQOFF_A_SUM_NS]);
	hist->max_ns = number(tb[TRACE_IRQOFF_A_LONGEST_NS]);
	return true;
}

static bool decode_pair(struct nlattr **tb, struct histograms *histograms)
{
	return decode_histogram(tb[TRACE_IRQOFF_A_HARD], &histograms->hard) &&
	       decode_histogram(tb[TRACE_IRQOFF_A_SOFT], &histograms->soft);
}

/**
 * decode_histograms() - one message of HISTOGRAM_GET
 * @message: the message
 * @model: gets the histograms
 *
 * Return: false where it is of no interface that this reader knows.
 */
bool decode_histograms(struct nlmsghdr *message, struct model *model)
{
	struct nlattr *tb[TRACE_IRQOFF_A_MAX + 1], *recent[TRACE_IRQOFF_A_MAX + 1];
	struct cpu_histograms *histograms;

	if (!parse(message, tb) || !tb[TRACE_IRQOFF_A_CPU] || model->nhistograms == CPUS_MOST)
		return false;
	histograms = model_add_histograms(model);
	histograms->cpu = number(tb[TRACE_IRQOFF_A_CPU]);
	histograms->cleared_ns = number(tb[TRACE_IRQOFF_A_CLEARED_NS]);
	return decode_pair(tb, &histograms->loaded) &&
	       (!histograms->cleared_ns ||
		(parse_nest(tb[TRACE_IRQOFF_A_RECENT], recent) &&
		 decode_pair(recent, &histograms->recent)));
}

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

/* The message that nobody asked for: there is something new. */

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

	if (nla_parse_nested(tb, TRACE_IRQOFF_A_MAX, nest, wake_policy) ||
	    !tb[TRACE_IRQOFF_A_CPU] || !tb[TRACE_IRQOFF_A_PRODUCED])
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
