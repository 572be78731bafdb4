// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <limits.h>
#include <netlink/genl/ctrl.h>
#include <netlink/genl/genl.h>
#include <netlink/netlink.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clocks.h"
#include "base/say.h"
#include "model/machine.h"
#include "source/decode.h"
#include "source/exchange.h"
#include "source/installed.h"
#include "source/messages.h"
#include "source/module.h"
#include "source/source.h"
#include "version.h"

/* larger than any message: a record of five stacks with all their names */
#define MESSAGE_BYTES	(256 * 1024)
#define DUMP_TRIES	4

#define SYSFS		"/sys/module/trace_irqoff"

static enum netns own_netns(void)
{
	char own[64], first[64];
	ssize_t own_len = readlink("/proc/self/ns/net", own, sizeof(own));
	ssize_t first_len = readlink("/proc/1/ns/net", first, sizeof(first));

	if (own_len <= 0 || first_len <= 0)
		return NETNS_UNKNOWN;
	return own_len == first_len && !memcmp(own, first, own_len) ? NETNS_HOST : NETNS_OTHER;
}

/**
 * source_absent_reason() - what keeps the module from being loaded
 *
 * Return: as installed_reason().
 */
char *source_absent_reason(void)
{
	struct installed installed;
	struct machine machine;

	machine_read(&machine);
	installed_look(&installed, "", machine.release);
	return installed_reason(&installed);
}

/* outside of the initial network namespace there is no family, as without the module */
static int no_family(void)
{
	enum module_state state = module_state(SYSFS);
	char *reason = state == MODULE_ABSENT ? source_absent_reason() : NULL;
	int ret;

	ret = reason ? failed("the module trace_irqoff is not loaded; %s", reason) :
		       failed("%s", module_silence(state, own_netns()));
	free(reason);
	return ret;
}

/* the module's sentence ends with capabilities; kernels such as 6.1 drop that of a dump */
static int denied(const struct exchange *exchange)
{
	const char *own = exchange->decode ?
			  "reading takes CAP_PERFMON, CAP_SYSLOG or CAP_SYS_ADMIN" :
			  "changing takes CAP_SYS_ADMIN";

	return failed("%s of the host itself; run irqoff as root of the host",
		      *exchange->reason ? exchange->reason : own);
}

static int old_module(void)
{
	return failed("the loaded trace_irqoff answers in a form that this irqoff does not know; "
		      "load the module that was built with this irqoff");
}

/**
 * exchange_conclude() - print what the kernel's answer means
 * @exchange: an exchange that was had
 *
 * Return: an exit status.
 */
int exchange_conclude(const struct exchange *exchange)
{
	if (exchange->garbled)
		return old_module();
	switch (exchange->error) {
	case 0:
		return EXIT_DONE;
	case EPERM:
		return denied(exchange);
	case ENOENT:
	case ENODEV:
		return failed("%s", module_silence(module_state(SYSFS), NETNS_HOST));
	case EOPNOTSUPP:
		if (!*exchange->reason)
			return old_module();
		break;
	}
	if (*exchange->reason)
		return failed("%s", exchange->reason);
	return failed("the kernel refused: %s", strerror(exchange->error));
}

static void take_reason(struct exchange *exchange, void *attrs, int len)
{
	struct nlattr *attr = nla_find(attrs, len, NLMSGERR_ATTR_MSG);

	if (attr)
		snprintf(exchange->reason, sizeof(exchange->reason), "%.*s",
			 (int)strnlen(nla_data(attr), nla_len(attr)), (char *)nla_data(attr));
}

/* a number that is no errno is an error as well */
static int error_number(int error)
{
	return error < 0 && error > INT_MIN ? -error : EPROTO;
}

/* libnl drops the kernel's sentence, which stands behind the request that the error quotes */
static int on_error(struct sockaddr_nl *from, struct nlmsgerr *error, void *arg)
{
	struct nlmsghdr *message = (void *)((char *)error - NLMSG_HDRLEN);
	int len = nlmsg_datalen(message), skip = sizeof(*error);
	struct exchange *exchange = arg;

	(void)from;
	exchange->done = true;
	exchange->error = error_number(error->error);
	if (!(message->nlmsg_flags & NLM_F_CAPPED)) {
		__u32 quoted = error->msg.nlmsg_len;

		if (quoted < sizeof(error->msg) || quoted > (__u32)len)
			return NL_STOP;
		skip += NLMSG_ALIGN(quoted - sizeof(error->msg));
	}
	if (message->nlmsg_flags & NLM_F_ACK_TLVS && len > skip)
		take_reason(exchange, (char *)error + skip, len - skip);
	return NL_STOP;
}

static int on_ack(struct nl_msg *msg, void *arg)
{
	struct exchange *exchange = arg;

	(void)msg;
	exchange->done = true;
	return NL_STOP;
}

/* the end of a dump, which may be an error as well */
static int on_finish(struct nl_msg *msg, void *arg)
{
	struct nlmsghdr *message = nlmsg_hdr(msg);
	struct exchange *exchange = arg;
	int error;

	exchange->done = true;
	if (nlmsg_datalen(message) >= (int)sizeof(error)) {
		memcpy(&error, nlmsg_data(message), sizeof(error));
		exchange->error = error < 0 ? error_number(error) : 0;
		if (message->nlmsg_flags & NLM_F_ACK_TLVS)
			take_reason(exchange, (char *)nlmsg_data(message) + sizeof(error),
				    nlmsg_datalen(message) - sizeof(error));
	}
	return NL_STOP;
}

static int on_interrupted(struct nl_msg *msg, void *arg)
{
	struct exchange *exchange = arg;

	(void)msg;
	exchange->interrupted = true;
	return NL_OK;
}

static int on_message(struct nl_msg *msg, void *arg)
{
	struct exchange *exchange = arg;

	if (exchange->messages)
		messages_keep(exchange->messages, nlmsg_hdr(msg));
	if (exchange->decode && !exchange->decode(nlmsg_hdr(msg), exchange->model))
		exchange->garbled = true;
	return NL_OK;
}

/**
 * exchange_request() - begin a request
 * @source: the module
 * @command: the operation
 * @flags: of netlink
 *
 * Return: a message to put attributes into.
 */
struct nl_msg *exchange_request(struct source *source, int command, int flags)
{
	struct nl_msg *msg = or_exit(nlmsg_alloc());

	or_exit(genlmsg_put(msg, NL_AUTO_PORT, NL_AUTO_SEQ, source->family, 0, flags, command,
			    TRACE_IRQOFF_GENL_VERSION));
	return msg;
}

/**
 * exchange_have() - send the request and take the answer
 * @source: the module
 * @msg: the request; freed
 * @exchange: what became of it
 *
 * Return: an exit status; EXIT_DONE whatever the answer is.
 */
int exchange_have(struct source *source, struct nl_msg *msg, struct exchange *exchange)
{
	struct nl_cb *own = nl_socket_get_cb(source->socket), *cb = or_exit(nl_cb_clone(own));
	int ret;

	exchange->messages = source->messages;
	nl_cb_put(own);
	nl_cb_err(cb, NL_CB_CUSTOM, on_error, exchange);
	nl_cb_set(cb, NL_CB_ACK, NL_CB_CUSTOM, on_ack, exchange);
	nl_cb_set(cb, NL_CB_FINISH, NL_CB_CUSTOM, on_finish, exchange);
	nl_cb_set(cb, NL_CB_DUMP_INTR, NL_CB_CUSTOM, on_interrupted, exchange);
	nl_cb_set(cb, NL_CB_VALID, NL_CB_CUSTOM, on_message, exchange);

	ret = nl_send_auto(source->socket, msg);
	nlmsg_free(msg);
	while (ret >= 0 && !exchange->done)
		ret = nl_recvmsgs(source->socket, cb);
	nl_cb_put(cb);
	if (ret < 0 && !exchange->done)
		return failed("talking to the kernel failed: %s", nl_geterror(ret));
	return EXIT_DONE;
}

static int talk(struct source *source, struct nl_msg *msg, struct exchange *exchange)
{
	int ret = exchange_have(source, msg, exchange);

	return ret ? ret : exchange_conclude(exchange);
}

static int dump(struct source *source, int command, bool names, struct exchange *exchange,
		void (*forget)(struct model *model))
{
	for (int i = 0; i < DUMP_TRIES; i++) {
		struct nl_msg *msg = exchange_request(source, command, NLM_F_DUMP);
		struct exchange fresh = *exchange;
		int ret;

		if (names && nla_put_flag(msg, TRACE_IRQOFF_A_NAMES))
			exit(failed("out of memory"));
		forget(exchange->model);
		if (source->messages)
			messages_forget(source->messages, command);
		ret = talk(source, msg, &fresh);
		if (ret || !fresh.interrupted)
			return ret;
	}
	return failed("the module's state kept changing while it was read; try again");
}

static void set_option(struct source *source, int option)
{
	int on = 1;

	/* kernels without the option answer without a sentence */
	setsockopt(nl_socket_get_fd(source->socket), SOL_NETLINK, option, &on, sizeof(on));
}

/**
 * source_on() - a source on a socket that is there already
 * @socket: the socket; source_close() frees it
 * @family: the family's number there
 *
 * Return: the source, which sends and receives as the socket's own callbacks say.
 */
struct source *source_on(struct nl_sock *socket, int family)
{
	struct source *source = alloc(1, sizeof(*source));

	source->socket = socket;
	source->family = family;
	return source;
}

/**
 * source_absent() - is the module not loaded, or about to be?
 *
 * Return: false also where it does not answer in this network namespace.
 */
bool source_absent(void)
{
	return module_state(SYSFS) != MODULE_LIVE;
}

/**
 * source_open() - find the module
 * @source: the result
 *
 * Return: an exit status.
 */
int source_open(struct source **source)
{
	struct source *new = source_on(or_exit(nl_socket_alloc()), -1);
	int ret;

	ret = genl_connect(new->socket);
	if (ret) {
		failed("could not open a netlink socket: %s", nl_geterror(ret));
		source_close(new);
		return EXIT_FAILED;
	}
	nl_socket_set_msg_buf_size(new->socket, MESSAGE_BYTES);
	set_option(new, NETLINK_EXT_ACK);
	set_option(new, NETLINK_CAP_ACK);
	new->family = genl_ctrl_resolve(new->socket, TRACE_IRQOFF_GENL_NAME);
	if (new->family < 0) {
		ret = no_family();
		source_close(new);
		return ret;
	}
	*source = new;
	return EXIT_DONE;
}

/**
 * source_keep() - keep the module's messages as they are received
 * @source: the module
 * @messages: gets them; those of an operation that is carried out again replace the old
 */
void source_keep(struct source *source, struct messages *messages)
{
	source->messages = messages;
}

void source_close(struct source *source)
{
	if (!source)
		return;
	nl_socket_free(source->socket);
	free(source);
}

/**
 * exchange_tell_skew() - say where module and reader are of other versions
 * @config: the module's
 *
 * The interface only grows, so what both versions know is right.
 */
void exchange_tell_skew(const struct config *config)
{
	if (config->version > TRACE_IRQOFF_API)
		note("the module (%s) has interface %u and this irqoff (%s) knows up to %u; "
		     "what is shown is right, but what is newer is left out",
		     config->module_version, config->version, TRACE_IRQOFF_VERSION,
		     TRACE_IRQOFF_API);
	if (config->version < TRACE_IRQOFF_API)
		note("the module (%s) has interface %u, older than the %u of this irqoff (%s); "
		     "what is shown is right, but what came later is missing or 0",
		     config->module_version, config->version, TRACE_IRQOFF_API,
		     TRACE_IRQOFF_VERSION);
}

/**
 * source_config() - settings and clock; says where module and reader are of other versions
 * @source: the module
 * @model: gets them
 *
 * Return: an exit status.
 */
int source_config(struct source *source, struct model *model)
{
	struct exchange exchange = { .decode = decode_config, .model = model };
	__u64 asked_ns = clock_monotonic_ns();
	int ret = talk(source, exchange_request(source, TRACE_IRQOFF_CMD_CONFIG_GET, 0),
		       &exchange);

	if (ret)
		return ret;
	exchange_tell_skew(&model->config);
	model->config.realtime_ns = clock_realtime_at(model->config.now_ns, asked_ns);
	return EXIT_DONE;
}

/**
 * source_records() - all records that are kept, and the open stalls
 * @source: the module
 * @model: gets them
 * @names: ask the kernel for the names of addresses
 *
 * Return: an exit status.
 */
int source_records(struct source *source, struct model *model, bool names)
{
	struct exchange exchange = { .decode = decode_record, .model = model };

	return dump(source, TRACE_IRQOFF_CMD_RECORD_GET, names, &exchange, model_forget_entries);
}

int source_counters(struct source *source, struct model *model)
{
	struct exchange exchange = { .decode = decode_counters, .model = model };

	return dump(source, TRACE_IRQOFF_CMD_COUNTER_GET, false, &exchange, model_forget_counters);
}

int source_histograms(struct source *source, struct model *model)
{
	struct exchange exchange = { .decode = decode_histograms, .model = model };

	return dump(source, TRACE_IRQOFF_CMD_HISTOGRAM_GET, false, &exchange,
		    model_forget_histograms);
}

int source_clear(struct source *source)
{
	struct exchange exchange = { 0 };

	return talk(source, exchange_request(source, TRACE_IRQOFF_CMD_CLEAR, 0), &exchange);
}
