// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <netlink/genl/genl.h>
#include <netlink/msg.h>
#include <stdlib.h>
#include <string.h>

#include "base/say.h"
#include "capture/capture.h"
#include "capture/capture_devices.h"
#include "capture/capture_names.h"
#include "capture/capture_texts.h"
#include "capture/needed.h"
#include "capture/resume.h"
#include "capture/source_file.h"
#include "model/contradiction.h"
#include "model/labels.h"
#include "source/decode.h"

/* generic netlink's families have numbers from NLMSG_MIN_TYPE on */
#define FAMILY_MOST	0x3ff

/* libnl 3.4 takes policies without const */
static struct nla_policy policy[CAPTURE_A_MAX + 1] = {
	[CAPTURE_A_FORMAT]		= { .type = NLA_U32, .minlen = 4, .maxlen = 4 },
	[CAPTURE_A_HOST]		= { .type = NLA_STRING },
	[CAPTURE_A_BOOT_ID]		= { .type = NLA_STRING },
	[CAPTURE_A_INSTANCE]		= { .type = NLA_U64, .minlen = 8, .maxlen = 8 },
	[CAPTURE_A_RELEASE]		= { .type = NLA_STRING },
	[CAPTURE_A_POSSIBLE]		= { .type = NLA_STRING },
	[CAPTURE_A_ONLINE]		= { .type = NLA_STRING },
	[CAPTURE_A_MONOTONIC_NS]	= { .type = NLA_U64, .minlen = 8, .maxlen = 8 },
	[CAPTURE_A_REALTIME_NS]		= { .type = NLA_U64, .minlen = 8, .maxlen = 8 },
	[CAPTURE_A_EPOCH]		= { .type = NLA_U64, .minlen = 8, .maxlen = 8 },
};

static void text(char *buf, size_t size, struct nlattr *attr)
{
	snprintf(buf, size, "%s", attr ? nla_get_string(attr) : "");
	printable(buf);
}

static void begin_epoch(struct epochs *epochs, __u64 number)
{
	epochs->tables = grow(epochs->tables, epochs->count, sizeof(*epochs->tables));
	epochs->tables[epochs->count++] = symbols_new();
	epochs->last = number;
}

void epochs_free(struct epochs *epochs)
{
	for (size_t i = 0; i < epochs->count; i++)
		symbols_close(epochs->tables[i]);
	free(epochs->tables);
	*epochs = (struct epochs){ 0 };
}

static bool same_load(const struct machine *machine, const struct config *config,
		      struct nlattr **tb)
{
	char boot[sizeof(machine->boot_id)];

	text(boot, sizeof(boot), tb[CAPTURE_A_BOOT_ID]);
	return !strcmp(boot, machine->boot_id) && tb[CAPTURE_A_INSTANCE] &&
	       nla_get_u64(tb[CAPTURE_A_INSTANCE]) == config->instance;
}

static void take_online(struct nlattr *attr, struct captured *captured)
{
	if (!attr)
		return;
	free(captured->online);
	captured->online = printable(copy_text(nla_get_string(attr)));
}

/*
 * Somebody went on writing. Epochs of names begin anew: modules may have come and gone
 * meanwhile, so the names so far hold for none of what follows.
 */
static void go_on(struct nlattr **tb, struct captured *captured)
{
	captured->again = true;
	model_drop_open(captured->model);
	begin_epoch(&captured->epochs, 0);
	take_online(tb[CAPTURE_A_ONLINE], captured);
}

static void take_recording(struct nlmsghdr *message, struct nlattr **tb,
			   struct captured *captured)
{
	struct coverage *recorded = &captured->recorded;

	if (tb[CAPTURE_A_RECORDING] && !recorded->known)
		capture_take_cursors(message, &recorded->from);
	recorded->known = recorded->known || tb[CAPTURE_A_RECORDING];
	recorded->ended = false;
}

static bool take_meta(struct nlmsghdr *message, struct nlattr **tb, struct captured *captured)
{
	struct machine *machine = &captured->model->machine;
	struct config *config = &captured->model->config;

	if (!tb[CAPTURE_A_FORMAT] || !decode_lists_cpus(tb[CAPTURE_A_POSSIBLE]) ||
	    !decode_lists_cpus(tb[CAPTURE_A_ONLINE]))
		return false;
	if (captured->format) {
		captured->more = !same_load(machine, config, tb);
		if (captured->more)
			return true;
		go_on(tb, captured);
		take_recording(message, tb, captured);
		return true;
	}
	take_recording(message, tb, captured);
	captured->format = nla_get_u32(tb[CAPTURE_A_FORMAT]);
	text(machine->host, sizeof(machine->host), tb[CAPTURE_A_HOST]);
	text(machine->boot_id, sizeof(machine->boot_id), tb[CAPTURE_A_BOOT_ID]);
	text(machine->release, sizeof(machine->release), tb[CAPTURE_A_RELEASE]);
	text(machine->cpus, sizeof(machine->cpus), tb[CAPTURE_A_POSSIBLE]);
	config->instance_known = tb[CAPTURE_A_INSTANCE];
	if (config->instance_known)
		config->instance = nla_get_u64(tb[CAPTURE_A_INSTANCE]);
	take_online(tb[CAPTURE_A_ONLINE], captured);
	return captured->format;
}

/* as the first clock has it: twice the time, as the wall clock may be set meanwhile */
static void set_brief(struct captured *captured)
{
	__u64 begin_ns = captured->realtime_ns - captured->monotonic_ns + 2 * NEEDED_BEFORE_NS;

	if (captured->brief_ns || captured->since_ns <= begin_ns || captured->model->nread)
		return;
	captured->brief_ns = captured->since_ns - begin_ns;
	captured->model->brief_ns = captured->brief_ns;
}

static bool take_clock(struct nlattr **tb, struct captured *captured)
{
	if (!tb[CAPTURE_A_MONOTONIC_NS] || !tb[CAPTURE_A_REALTIME_NS])
		return false;
	captured->monotonic_ns = nla_get_u64(tb[CAPTURE_A_MONOTONIC_NS]);
	captured->realtime_ns = nla_get_u64(tb[CAPTURE_A_REALTIME_NS]);
	set_brief(captured);
	return true;
}

static bool take_names(struct nlmsghdr *message, struct nlattr **tb, struct epochs *epochs)
{
	__u64 number = tb[CAPTURE_A_EPOCH] ? nla_get_u64(tb[CAPTURE_A_EPOCH]) : 0;

	if (number != epochs->last)
		begin_epoch(epochs, number);
	return capture_take_names(message, epochs->tables[epochs->count - 1]);
}

static bool take_own(struct nlmsghdr *message, struct captured *captured)
{
	struct nlattr *tb[CAPTURE_A_MAX + 1];

	if (genlmsg_parse(message, 0, tb, CAPTURE_A_MAX, policy))
		return false;
	switch (((struct genlmsghdr *)nlmsg_data(message))->cmd) {
	case CAPTURE_CMD_META:
		return take_meta(message, tb, captured);
	case CAPTURE_CMD_CLOCK:
		return take_clock(tb, captured);
	case CAPTURE_CMD_NAMES:
		return take_names(message, tb, &captured->epochs);
	case CAPTURE_CMD_END:
		captured->recorded.ended = true;
		capture_take_cursors(message, &captured->recorded.to);
		return true;
	case CAPTURE_CMD_CGROUPS:
		return capture_take_cgroups(message, captured->cgroups);
	case CAPTURE_CMD_TEXT:
		capture_take_text(message, captured->model->config.now_ns, captured->online,
				  &captured->model->counted);
		return true;
	case CAPTURE_CMD_DEVICES:
		capture_take_devices(message, &captured->model->counted);
		return true;
	default:
		return true;
	}
}

/* counters and histograms come behind the settings that they belong to, the clock before */
static bool take_config(struct nlmsghdr *message, struct captured *captured)
{
	struct model *model = captured->model;

	coverage_begin(&captured->recorded, model);
	model_begin(model);
	model_forget_histograms(model);
	captured->whole = decode_config(message, model);
	model->config.realtime_ns = captured->realtime_ns -
				    (captured->monotonic_ns - model->config.now_ns);
	return captured->whole;
}

static bool take_record(struct nlmsghdr *message, struct captured *captured)
{
	struct model *model = captured->model;
	size_t before = model->nentries;
	bool right = decode_record(message, model);

	if (model->nentries > before) {
		record_order_add(&model->ascent, &model->entries[before]->rec);
		model->entries[before]->symbols =
			captured->epochs.tables[captured->epochs.count - 1];
	}
	return right;
}

/* counters follow the settings, then histograms: a message behind them says that all came */
static void note_received(int cmd, struct received *received)
{
	if (cmd == TRACE_IRQOFF_CMD_CONFIG_GET) {
		received->no_counters = true;
		received->no_histograms = true;
	} else if (cmd != TRACE_IRQOFF_CMD_COUNTER_GET) {
		received->no_counters = false;
		if (cmd != TRACE_IRQOFF_CMD_HISTOGRAM_GET)
			received->no_histograms = false;
	}
}

static bool take_modules(struct nlmsghdr *message, struct captured *captured)
{
	switch (((struct genlmsghdr *)nlmsg_data(message))->cmd) {
	case TRACE_IRQOFF_CMD_CONFIG_GET:
		return take_config(message, captured);
	case TRACE_IRQOFF_CMD_RECORD_GET:
		return take_record(message, captured);
	case TRACE_IRQOFF_CMD_COUNTER_GET:
		return decode_counters(message, captured->model);
	case TRACE_IRQOFF_CMD_HISTOGRAM_GET:
		return decode_histograms(message, captured->model);
	default:
		return true;
	}
}

/* a type that is not known comes from a newer irqoff */
static bool take(struct nlmsghdr *message, struct captured *captured)
{
	if (message->nlmsg_len < NLMSG_HDRLEN + GENL_HDRLEN)
		return false;
	note_received(message->nlmsg_type == CAPTURE_TYPE ? 0 :
		      ((struct genlmsghdr *)nlmsg_data(message))->cmd,
		      &captured->model->received);
	if (message->nlmsg_type == CAPTURE_TYPE)
		return take_own(message, captured);
	if (message->nlmsg_type < NLMSG_MIN_TYPE || message->nlmsg_type > FAMILY_MOST)
		return true;
	return take_modules(message, captured);
}

static bool too_large(const struct capture_reader *reader, size_t memory)
{
	return memory > CAPTURE_MEMORY &&
	       memory > CAPTURE_MEMORY_TIMES * capture_read_bytes(reader);
}

static void read_messages(FILE *in, struct captured *captured, bool head)
{
	struct capture_reader *reader = capture_reader(in);
	size_t before = memory_allocated();
	bool right = true, large = false;
	struct nlmsghdr *message;

	begin_epoch(&captured->epochs, 0);
	captured->cgroups = cgroups_read(NULL);
	while (right && !large && !captured->more && !(head && captured->whole) &&
	       (message = capture_next(reader))) {
		right = take(message, captured);
		large = too_large(reader, memory_allocated() - before);
	}
	captured->error = errno;
	captured->state = large ? CAPTURE_TOO_LARGE :
			  right ? capture_state(reader) : CAPTURE_DAMAGED;
	captured->offset = capture_offset(reader);
	captured->empty = !capture_read_bytes(reader);
	capture_reader_close(reader);
}

/* the latest time that it tells; 0 where it goes on behind that, as that of a recorder may */
static __u64 time_of_end(const struct captured *captured)
{
	__u64 now_ns = captured->model->config.now_ns;

	if (!captured->recorded.ended)
		return 0;
	return now_ns > captured->monotonic_ns ? now_ns : captured->monotonic_ns;
}

/**
 * source_file_read() - read a capture
 * @in: the capture
 * @captured: the result; has a model, which gets all that is there
 */
void source_file_read(FILE *in, struct captured *captured)
{
	struct model *model = captured->model;
	size_t repeated;

	read_messages(in, captured, false);
	if (captured->state == CAPTURE_TOO_LARGE)
		model_forget_entries(model);
	for (size_t i = 0; i < captured->epochs.count; i++)
		symbols_sort(captured->epochs.tables[i]);
	model->received.cut = captured->state == CAPTURE_CUT || captured->state == CAPTURE_DAMAGED;
	if (!model->received.cut)
		model->received = (struct received){ 0 };
	repeated = model_drop_older(model);
	/* a number is given once; who goes on with a file may begin with what it has */
	if (!captured->again)
		model->received.contradictory = repeated;
	coverage_count(model, &captured->recorded);
	model->received.contradictory += contradiction_drop(model, time_of_end(captured));
	coverage_settle(model, &captured->recorded);
	if (captured->recorded.known)
		coverage_drop_open(model);
	coverage_free(&captured->recorded);
	model->saved = true;
	model->config.online = captured->online;
	captured->online = NULL;
}

/**
 * source_file_head() - read who made a capture, when, and with which settings
 * @in: the capture
 * @captured: the result; has a model, which gets machine, instance and settings; the caller
 *	frees it
 */
void source_file_head(FILE *in, struct captured *captured)
{
	read_messages(in, captured, true);
	epochs_free(&captured->epochs);
	coverage_free(&captured->recorded);
	cgroups_close(captured->cgroups);
	captured->cgroups = NULL;
	free(captured->online);
	captured->online = NULL;
}
