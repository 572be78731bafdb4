// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a follower asks of the module. Where the module has gone no sentence is printed: the
 * follower waits until it is loaded again.
 */
#include <errno.h>
#include <netlink/genl/ctrl.h>
#include <netlink/genl/genl.h>

#include "base/clocks.h"
#include "base/say.h"
#include "source/decode.h"
#include "source/exchange.h"
#include "source/messages.h"

#define DUMP_TRIES	4

/* is this what the kernel says where there is no such family, or its module is leaving? */
static bool gone(const struct exchange *exchange)
{
	return exchange->error == ENOENT || exchange->error == ENODEV ||
	       exchange->error == EPROTONOSUPPORT;
}

static int ask(struct following *following, struct nl_msg *msg, struct exchange *exchange)
{
	const struct genlmsghdr *head = nlmsg_data(nlmsg_hdr(msg));
	int ret;

	if (following->messages)
		messages_forget(following->messages, head->cmd);
	source_keep(following->source, following->messages);
	ret = exchange_have(following->source, msg, exchange);
	if (ret)
		return ret;
	return gone(exchange) ? FOLLOW_GONE : exchange_conclude(exchange);
}

static void put_cursor(struct nl_msg *msg, const struct cursor *cursor)
{
	/* the kernel wants the flag, which libnl sets itself from 3.5 on */
	struct nlattr *nest = or_exit(nla_nest_start(msg,
						     NLA_F_NESTED | TRACE_IRQOFF_A_CURSOR));

	if (nla_put_u32(msg, TRACE_IRQOFF_A_CPU, cursor->cpu) ||
	    nla_put_u64(msg, TRACE_IRQOFF_A_SEQ, cursor->seq))
		exit(failed("out of memory"));
	nla_nest_end(msg, nest);
}

/* larger than nlmsg_alloc()'s where there are many CPUs */
static struct nl_msg *request(struct following *following, int command, size_t room)
{
	struct nl_msg *msg = or_exit(nlmsg_alloc_size(4096 + room));

	or_exit(genlmsg_put(msg, NL_AUTO_PORT, NL_AUTO_SEQ, following->source->family, 0,
			    NLM_F_DUMP, command, TRACE_IRQOFF_GENL_VERSION));
	return msg;
}

/* a cursor's attributes, with their padding */
#define CURSOR_BYTES	32

static int kept_changing(void)
{
	return failed("the module's state kept changing while it was read; try again");
}

static int records(void *context, const struct cursor *cursors, size_t ncursors,
		   struct model *model)
{
	struct following *following = context;

	for (int i = 0; following->source && i < DUMP_TRIES; i++) {
		struct exchange exchange = { .decode = decode_record, .model = model };
		struct nl_msg *msg = request(following, TRACE_IRQOFF_CMD_RECORD_GET,
					     ncursors * CURSOR_BYTES);
		int ret;

		if (following->names && nla_put_flag(msg, TRACE_IRQOFF_A_NAMES))
			exit(failed("out of memory"));
		for (size_t k = 0; k < ncursors; k++)
			put_cursor(msg, &cursors[k]);
		model_forget_entries(model);
		ret = ask(following, msg, &exchange);
		if (ret || !exchange.interrupted)
			return ret;
	}
	return following->source ? kept_changing() : FOLLOW_GONE;
}

static int dump(struct following *following, int command, const struct exchange *exchange,
		void (*forget)(struct model *model))
{
	for (int i = 0; following->source && i < DUMP_TRIES; i++) {
		struct exchange fresh = *exchange;
		int ret;

		forget(exchange->model);
		ret = ask(following, request(following, command, 0), &fresh);
		if (ret || !fresh.interrupted)
			return ret;
	}
	return following->source ? kept_changing() : FOLLOW_GONE;
}

static int counters(void *context, struct model *model)
{
	struct exchange exchange = { .decode = decode_counters, .model = model };

	return dump(context, TRACE_IRQOFF_CMD_COUNTER_GET, &exchange, model_forget_counters);
}

static int histograms(void *context, struct model *model)
{
	struct exchange exchange = { .decode = decode_histograms, .model = model };

	return dump(context, TRACE_IRQOFF_CMD_HISTOGRAM_GET, &exchange, model_forget_histograms);
}

static int config(void *context, struct model *model)
{
	struct exchange exchange = { .decode = decode_config, .model = model };
	struct following *following = context;
	__u64 asked_ns = clock_monotonic_ns();
	int ret;

	if (!following->source)
		return FOLLOW_GONE;
	ret = ask(following,
		  exchange_request(following->source, TRACE_IRQOFF_CMD_CONFIG_GET, 0), &exchange);
	if (ret)
		return ret;
	if (!following->skew_told)
		exchange_tell_skew(&model->config);
	following->skew_told = true;
	model->config.realtime_ns = clock_realtime_at(model->config.now_ns, asked_ns);
	return EXIT_DONE;
}

/**
 * source_follow() - the module as a follower's source
 * @following: outlives the answer
 *
 * Return: the source.
 */
struct follow_source source_follow(struct following *following)
{
	return (struct follow_source){
		.context = following,
		.config = config,
		.counters = counters,
		.histograms = histograms,
		.records = records,
	};
}

/**
 * source_group() - the multicast group that tells when stalls end
 * @source: the module, whose socket is asked
 * @group: its number
 *
 * Return: an exit status; or FOLLOW_GONE where the module went after it was found.
 */
int source_group(struct source *source, int *group)
{
	*group = genl_ctrl_resolve_grp(source->socket, TRACE_IRQOFF_GENL_NAME,
				       TRACE_IRQOFF_GROUP_STALLS);
	if (*group >= 0)
		return EXIT_DONE;
	if (genl_ctrl_resolve(source->socket, TRACE_IRQOFF_GENL_NAME) != source->family)
		return FOLLOW_GONE;
	return failed("the loaded trace_irqoff does not tell when stalls end; "
		      "load the module that was built with this irqoff");
}
