// SPDX-License-Identifier: GPL-2.0-only
/* seeds DIRECTORY: writes the inputs that are not text, from the unit tests' made-up data. */
#include <errno.h>
#include <netlink/genl/genl.h>
#include <stdio.h>
#include <string.h>
#include <zstd.h>

#include "capture/capture.h"
#include "capture/capture_read.h"
#include "capture/capture_write.h"
#include "fixture.h"
#include "fuzz.h"
#include "locks.h"
#include "waiters.h"
#include "wire.h"

/* the same values as in the fuzzers */
#define NEST	0x80
enum { ASK_CONFIG, ASK_RECORDS, ASK_NAMES, ASK_COUNTERS, ASK_HISTOGRAMS, ASK_SET };
enum { IS_CONFIG, IS_RECORD, IS_COUNTERS, IS_HISTOGRAMS };

/* unpacked, and of the file: more messages than run gives memory for */
#define BOMB_FRAME	(4000 << 10)
#define BOMB_BYTES	12288

/* how fuzz_records prints: a report for a chat, here of a module that was stopped */
#define STOPPED	(2 + 64)

static const char *directory;

static FILE *create(const char *target, const char *name)
{
	char path[256];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s/%s", directory, target, name);
	file = fopen(path, "w");
	promise(file);
	return file;
}

static struct nl_msg *message(int command, int flags)
{
	struct nl_msg *msg = nlmsg_alloc_size(16384);

	promise(msg && genlmsg_put(msg, 0, 0, 17, 0, flags, command, 1));
	return msg;
}

static void put_stack(struct nl_msg *msg, int attr, const struct tio_sample *sample)
{
	struct nlattr *nest = nla_nest_start(msg, attr);

	nla_put_u64(msg, TRACE_IRQOFF_A_AT_NS, sample->at_ns);
	nla_put_u32(msg, TRACE_IRQOFF_A_PREEMPT_COUNT, sample->preempt_count);
	nla_put_u32(msg, TRACE_IRQOFF_A_PENDING, sample->pending);
	nla_put_u32(msg, TRACE_IRQOFF_A_FLAGS, sample->flags);
	nla_put_u32(msg, TRACE_IRQOFF_A_PID, sample->pid);
	nla_put_u32(msg, TRACE_IRQOFF_A_TGID, sample->tgid);
	nla_put_string(msg, TRACE_IRQOFF_A_COMM, sample->comm);
	nla_put_u64(msg, TRACE_IRQOFF_A_CGROUP_ID, sample->cgroup_id);
	nla_put(msg, TRACE_IRQOFF_A_FRAMES, sample->nframes * sizeof(sample->frames[0]),
		sample->frames);
	nla_put(msg, TRACE_IRQOFF_A_CALLS, sample->nframes * sizeof(sample->frames[0]),
		sample->frames);
	nla_put_u64(msg, TRACE_IRQOFF_A_STALE, 1);
	nla_put_u32(msg, TRACE_IRQOFF_A_SOFTIRQ, sample->softirq);
	nla_put_u64(msg, TRACE_IRQOFF_A_DELAY_NS, sample->delay_ns);
	nla_put_u64(msg, TRACE_IRQOFF_A_HANDLER_NS, sample->handler_ns);
	nla_put_u32(msg, TRACE_IRQOFF_A_IRQ, sample->irq.number);
	nla_put_string(msg, TRACE_IRQOFF_A_IRQ_NAME, sample->irq.name);
	if (sample->lock_kind) {
		nla_put_u64(msg, TRACE_IRQOFF_A_LOCK, sample->lock);
		nla_put_u8(msg, TRACE_IRQOFF_A_LOCK_KIND, sample->lock_kind);
	}
	if (sample->lock_cpu)
		nla_put_u32(msg, TRACE_IRQOFF_A_LOCK_CPU, sample->lock_cpu - 1);
	nla_nest_end(msg, nest);
}

static struct nl_msg *record(const struct tio_record *rec)
{
	struct nl_msg *msg = message(TRACE_IRQOFF_CMD_RECORD_GET, NLM_F_MULTI);

	nla_put_u32(msg, TRACE_IRQOFF_A_CPU, rec->cpu);
	if (rec->open)
		nla_put_flag(msg, TRACE_IRQOFF_A_OPEN);
	else
		nla_put_u64(msg, TRACE_IRQOFF_A_SEQ, rec->seq);
	nla_put_u8(msg, TRACE_IRQOFF_A_KIND, rec->kind);
	nla_put_u64(msg, TRACE_IRQOFF_A_MIN_NS, rec->min_ns);
	nla_put_u64(msg, TRACE_IRQOFF_A_MAX_NS, rec->max_ns);
	nla_put_u64(msg, TRACE_IRQOFF_A_END_NS, rec->end_ns);
	nla_put_u64(msg, TRACE_IRQOFF_A_NESTED_NS, rec->nested_ns);
	nla_put_u64(msg, TRACE_IRQOFF_A_LATE_NS, rec->late_ns);
	nla_put_u64(msg, TRACE_IRQOFF_A_THRESHOLD_NS, rec->threshold_ns);
	nla_put_u64(msg, TRACE_IRQOFF_A_PERIOD_NS, rec->period_ns);
	nla_put_u8(msg, TRACE_IRQOFF_A_END_BY, rec->end_by);
	nla_put_u64(msg, TRACE_IRQOFF_A_HANDLER_NS, rec->handler_ns);
	nla_put_u32(msg, TRACE_IRQOFF_A_HANDLERS, rec->handlers);
	nla_put_u32(msg, TRACE_IRQOFF_A_UNSEEN_IRQS, rec->untraced_irqs);
	nla_put_flag(msg, TRACE_IRQOFF_A_NET_WAITED);
	nla_put_u32(msg, TRACE_IRQOFF_A_NET_PROCESSED, 300);
	nla_put_u32(msg, TRACE_IRQOFF_A_NET_DROPPED, 12);
	nla_put_u32(msg, TRACE_IRQOFF_A_NET_SQUEEZED, 1);
	for (unsigned int i = 0; i < rec->nsamples; i++)
		put_stack(msg, TRACE_IRQOFF_A_SAMPLE, &rec->samples[i]);
	if (!rec->open)
		put_stack(msg, TRACE_IRQOFF_A_END, &rec->end);
	wire_name(msg, AT_NOTHING, "estimation_timer+0x7c/0x100 [ip_vs]");
	if (rec->samples[0].lock == TASKLIST)
		wire_name(msg, TASKLIST, "tasklist_lock+0x0/0x8");
	return msg;
}

/* a record that was being written */
static struct nl_msg *busy(void)
{
	struct nl_msg *msg = message(TRACE_IRQOFF_CMD_RECORD_GET, NLM_F_MULTI);

	nla_put_u32(msg, TRACE_IRQOFF_A_CPU, 1);
	nla_put_u64(msg, TRACE_IRQOFF_A_SEQ, 7);
	nla_put_flag(msg, TRACE_IRQOFF_A_BUSY);
	return msg;
}

/* what a module tells that stopped by itself, with a CPU behind */
static void put_control(struct nl_msg *msg)
{
	nla_put_u64(msg, TRACE_IRQOFF_A_STOPPED_NS, NOW_NS - 1000 * MS);
	nla_put_u8(msg, TRACE_IRQOFF_A_STOPPED_BY, TRACE_IRQOFF_STOP_COST);
	nla_put_u64(msg, TRACE_IRQOFF_A_SELF_STOPS, 1);
	nla_put_u64(msg, TRACE_IRQOFF_A_GENERATION, 3);
	nla_put_string(msg, TRACE_IRQOFF_A_BEHIND, "1,3");
	nla_put_flag(msg, TRACE_IRQOFF_A_ATTACHED);
	nla_put_flag(msg, TRACE_IRQOFF_A_DETACHING);
	nla_put_u32(msg, TRACE_IRQOFF_A_RINGS, 4);
	nla_put_flag(msg, TRACE_IRQOFF_A_FREEING);
}

static struct nl_msg *config(bool enabled)
{
	struct nl_msg *msg = message(TRACE_IRQOFF_CMD_CONFIG_GET, 0);

	nla_put_u32(msg, TRACE_IRQOFF_A_VERSION, 5);
	nla_put_string(msg, TRACE_IRQOFF_A_MODULE_VERSION, "1.2.3");
	nla_put_u8(msg, TRACE_IRQOFF_A_ENABLE, enabled);
	nla_put_u32(msg, TRACE_IRQOFF_A_THRESHOLD_US, 10000);
	nla_put_u32(msg, TRACE_IRQOFF_A_PERIOD_US, 1000);
	nla_put_u32(msg, TRACE_IRQOFF_A_RING_RECORDS, 64);
	nla_put_u32(msg, TRACE_IRQOFF_A_RING_BYTES, 210016);
	nla_put_u64(msg, TRACE_IRQOFF_A_NOW_NS, NOW_NS);
	nla_put_u64(msg, TRACE_IRQOFF_A_ENABLED_NS, NOW_NS - 5000 * MS);
	nla_put_string(msg, TRACE_IRQOFF_A_CPUS, "default");
	nla_put_string(msg, TRACE_IRQOFF_A_WATCHED, "0-3");
	nla_put_u8(msg, TRACE_IRQOFF_A_NMI, TRACE_IRQOFF_NMI_AUTO);
	nla_put_u32(msg, TRACE_IRQOFF_A_NMI_CPU_RATE, 8);
	nla_put_u32(msg, TRACE_IRQOFF_A_NMI_RATE, 64);
	nla_put_u8(msg, TRACE_IRQOFF_A_GUARD, TRACE_IRQOFF_GUARD_AUTO);
	nla_put_u32(msg, TRACE_IRQOFF_A_MAX_COST_PPM, 60000);
	if (!enabled)
		put_control(msg);
	return msg;
}

static struct nl_msg *counters(void)
{
	struct nl_msg *msg = message(TRACE_IRQOFF_CMD_COUNTER_GET, NLM_F_MULTI);

	nla_put_u32(msg, TRACE_IRQOFF_A_CPU, 1);
	nla_put_flag(msg, TRACE_IRQOFF_A_WATCHED_CPU);
	for (int attr = TRACE_IRQOFF_A_BEATS; attr <= TRACE_IRQOFF_A_COST_BEATS; attr++)
		nla_put_u64(msg, attr, 7);
	nla_put_u32(msg, TRACE_IRQOFF_A_COST_PPM, 2345);
	nla_put_u64(msg, TRACE_IRQOFF_A_NMI_REFUSED, 41);
	nla_put_u64(msg, TRACE_IRQOFF_A_NMI_LOST, 1);
	return msg;
}

static void put_pair(struct nl_msg *msg)
{
	__u64 buckets[TIO_BUCKETS] = { [11] = 4, [14] = 1 };

	for (int attr = TRACE_IRQOFF_A_HARD; attr <= TRACE_IRQOFF_A_SOFT; attr++) {
		struct nlattr *nest = nla_nest_start(msg, attr);

		nla_put(msg, TRACE_IRQOFF_A_BUCKETS, sizeof(buckets), buckets);
		nla_put_u64(msg, TRACE_IRQOFF_A_COUNT, 5);
		nla_put_u64(msg, TRACE_IRQOFF_A_SUM_NS, 30 * MS);
		nla_put_u64(msg, TRACE_IRQOFF_A_LONGEST_NS, 20 * MS);
		nla_nest_end(msg, nest);
	}
}

static struct nl_msg *histograms(void)
{
	struct nl_msg *msg = message(TRACE_IRQOFF_CMD_HISTOGRAM_GET, NLM_F_MULTI);
	struct nlattr *recent;

	nla_put_u32(msg, TRACE_IRQOFF_A_CPU, 1);
	put_pair(msg);
	nla_put_u64(msg, TRACE_IRQOFF_A_CLEARED_NS, NOW_NS - 1000 * MS);
	recent = nla_nest_start(msg, TRACE_IRQOFF_A_RECENT);
	put_pair(msg);
	nla_nest_end(msg, recent);
	return msg;
}

static void write_whole(FILE *file, struct nl_msg *msg)
{
	struct nlmsghdr *head = nlmsg_hdr(msg);

	promise(fwrite(head, NLMSG_ALIGN(head->nlmsg_len), 1, file) == 1);
	nlmsg_free(msg);
}

/* the end of an error or of a dump, with a message */
static void write_end(FILE *file, int type, int error)
{
	struct nl_msg *msg = nlmsg_alloc();
	struct nlmsgerr body = { .error = error, .msg.nlmsg_len = NLMSG_HDRLEN };
	int flags = NLM_F_ACK_TLVS | (type == NLMSG_DONE ? NLM_F_MULTI : NLM_F_CAPPED);

	promise(msg && nlmsg_put(msg, 0, 0, type, 0, flags));
	nlmsg_append(msg, &body, type == NLMSG_DONE ? sizeof(error) : sizeof(body), 0);
	nla_put_string(msg, NLMSGERR_ATTR_MSG, "enable takes 0 or 1");
	write_whole(file, msg);
}

/* the module's answer to a request */
static void write_answer(const char *name, int question, struct nl_msg *msg, int type, int error)
{
	FILE *file = create("answers", name);

	fputc(question, file);
	if (msg)
		write_whole(file, msg);
	if (type)
		write_end(file, type, error);
	fclose(file);
}

/* in the form that fuzz_records takes */
static void write_attributes(FILE *file, struct nlattr *attr, int len)
{
	for (; nla_ok(attr, len); attr = nla_next(attr, &len)) {
		if (attr->nla_type & NLA_F_NESTED) {
			fputc(nla_type(attr) | NEST, file);
			write_attributes(file, nla_data(attr), nla_len(attr));
			continue;
		}
		fputc(nla_type(attr), file);
		fputc(nla_len(attr) & 0xff, file);
		fputc(nla_len(attr) >> 8, file);
		fwrite(nla_data(attr), nla_len(attr), 1, file);
	}
	fputc(0, file);
}

static void write_piece(FILE *file, int type, struct nl_msg *msg)
{
	struct genlmsghdr *head = nlmsg_data(nlmsg_hdr(msg));

	fputc(type, file);
	write_attributes(file, genlmsg_attrdata(head, 0), genlmsg_attrlen(head, 0));
	nlmsg_free(msg);
}

static void write_records(const char *name, int how, const struct model *model, size_t first,
			  size_t last)
{
	FILE *file = create("records", name);

	/* all records, with the default keys */
	fputc(0, file);
	fputc(0, file);
	fputc(how, file);
	for (size_t i = first; i < last && i < model->nentries; i++)
		write_piece(file, IS_RECORD, record(&model->entries[i]->rec));
	if (!first) {
		write_piece(file, IS_RECORD, busy());
		write_piece(file, IS_CONFIG, config(how != STOPPED));
		write_piece(file, IS_COUNTERS, counters());
		write_piece(file, IS_HISTOGRAMS, histograms());
	}
	fclose(file);
}

static void write_symbols(const char *name, const char *text)
{
	FILE *file = create("symbols", name);

	fprintf(file, "%s%c%s%c%s", text, BETWEEN, fixture_modules, BETWEEN, fixture_kallsyms);
	fclose(file);
}

/* instead of this machine's: its modules and CPUs are no seeds, nor what its network counted */
static struct nl_msg *small_meta(void)
{
	struct nl_msg *msg = capture_message(CAPTURE_CMD_META, 4096);

	nla_put_u32(msg, CAPTURE_A_FORMAT, CAPTURE_FORMAT);
	nla_put_string(msg, CAPTURE_A_HOST, "node-7");
	nla_put_string(msg, CAPTURE_A_BOOT_ID, "7d0f4c1e-58aa-4be3-9d0a-6b1c6f1e2a33");
	nla_put_u64(msg, CAPTURE_A_INSTANCE, 0x0badc0ffee123456);
	nla_put_string(msg, CAPTURE_A_RELEASE, "6.1.0-31-amd64");
	nla_put_string(msg, CAPTURE_A_POSSIBLE, "0-3");
	nla_put_string(msg, CAPTURE_A_ONLINE, "0-3");
	return msg;
}

static void put_cursor(struct nl_msg *msg, __u32 cpu, __u64 seq)
{
	struct nlattr *nest = nla_nest_start(msg, CAPTURE_A_CURSOR);

	promise(nest);
	nla_put_u32(msg, CAPTURE_A_NUMBER, cpu);
	nla_put_u64(msg, CAPTURE_A_ID, seq);
	nla_nest_end(msg, nest);
}

static struct nl_msg *small_end(void)
{
	struct nl_msg *msg = capture_message(CAPTURE_CMD_END, 4096);

	put_cursor(msg, 0, 75);
	put_cursor(msg, 1, 5);
	return msg;
}

static struct nl_msg *small_text(const char *path, const char *text, __u64 inode)
{
	struct nl_msg *msg = capture_message(CAPTURE_CMD_TEXT, 4096);

	nla_put_string(msg, CAPTURE_A_PATH, path);
	nla_put_u64(msg, CAPTURE_A_MONOTONIC_NS, NOW_NS + 1000 * MS);
	if (inode)
		nla_put_u64(msg, CAPTURE_A_NETNS_INODE, inode);
	nla_put(msg, CAPTURE_A_DATA, strlen(text), text);
	nla_put_u64(msg, CAPTURE_A_TOOK_NS, MS);
	return msg;
}

static void put_device(struct nl_msg *msg, const char *dev, enum serving_why why, int attr,
		       const char *value)
{
	struct nlattr *nest = nla_nest_start(msg, CAPTURE_A_DEVICE);

	promise(nest);
	nla_put_string(msg, CAPTURE_A_NAME, dev);
	nla_put_u8(msg, CAPTURE_A_WHY, why);
	nla_put_string(msg, attr, value);
	nla_nest_end(msg, nest);
}

static struct nl_msg *small_devices(void)
{
	struct nl_msg *msg = capture_message(CAPTURE_CMD_DEVICES, 4096);

	put_device(msg, "eth0", SERVING_STEERED, CAPTURE_A_LIST, "0-1,3");
	put_device(msg, "br0", SERVING_NO_INTERRUPTS, CAPTURE_A_LOWER, "tap0");
	return msg;
}

/* what the network counted, by kernels before and since 5.10 */
static void write_network(FILE *file)
{
	write_whole(file, small_text("/proc/net/softnet_stat",
				     "1 2 3\nff 0 0\n2 0 0\n0 0 0\n", 0));
	write_whole(file, small_text("/proc/net/softnet_stat",
				     "6 2 3 0 0 0 0 0 0 0 0 0 1 0 0\n", 0));
	write_whole(file, small_text("/proc/net/snmp", "Tcp: RetransSegs InCsumErrors\n"
				     "Tcp: 5 6\n", 0));
	write_whole(file, small_text("/proc/net/netstat", "TcpExt: ListenDrops TCPTimeouts\n"
				     "TcpExt: 1 2\n", 0));
	write_whole(file, small_text("/proc/net/stat/nf_conntrack", "entries insert_failed drop\n"
				     "1 a b\n2 c d\n", 4026531999));
	write_whole(file, small_devices());
}

static bool is_own(const struct nlmsghdr *message, int cmd)
{
	const struct genlmsghdr *head = nlmsg_data(message);

	return message->nlmsg_type == CAPTURE_TYPE && head->cmd == cmd;
}

static bool of_this_machine(const struct nlmsghdr *message)
{
	return is_own(message, CAPTURE_CMD_TEXT) || is_own(message, CAPTURE_CMD_DEVICES);
}

/* a capture's messages, one by one, as fuzz_capture packs them */
static void write_messages(struct capture_reader *reader, FILE *file)
{
	struct nlmsghdr *message;

	while ((message = capture_next(reader))) {
		if (is_own(message, CAPTURE_CMD_META)) {
			struct nl_msg *meta = small_meta();

			/* a recording, where the packed ones are none */
			nla_put_flag(meta, CAPTURE_A_RECORDING);
			put_cursor(meta, 0, 66);
			write_whole(file, meta);
		} else if (is_own(message, CAPTURE_CMD_END)) {
			write_network(file);
			write_whole(file, small_end());
		} else if (!of_this_machine(message)) {
			fwrite(message, NLMSG_ALIGN(message->nlmsg_len), 1, file);
		}
	}
}

/* the same, packed */
static void write_packed(struct capture_reader *reader, FILE *file)
{
	struct capture_writer *writer = capture_writer(file);
	struct nlmsghdr *message;

	while ((message = capture_next(reader))) {
		if (is_own(message, CAPTURE_CMD_META))
			capture_put_message(writer, small_meta());
		else if (!of_this_machine(message))
			capture_put(writer, message);
		capture_end_frame(writer);
	}
	promise(capture_writer_close(writer));
}

static void write_capture(const char *name, int how, struct collection *from)
{
	FILE *file = create("capture", name), *in;
	struct capture_reader *reader;
	size_t len;
	char *bytes = wire_capture(from, false, &len);

	in = fmemopen(bytes, len, "r");
	reader = capture_reader(in);
	fputc(how, file);
	if (how & READ_MESSAGES)
		write_messages(reader, file);
	else
		write_packed(reader, file);
	capture_reader_close(reader);
	fclose(in);
	fclose(file);
	free(bytes);
}

/* as short as can be: the reader has room for all buckets */
static struct nl_msg *empty_histograms(void)
{
	struct nl_msg *msg = message(TRACE_IRQOFF_CMD_HISTOGRAM_GET, NLM_F_MULTI);

	nla_put_u32(msg, TRACE_IRQOFF_A_CPU, 1);
	for (int attr = TRACE_IRQOFF_A_HARD; attr <= TRACE_IRQOFF_A_SOFT; attr++) {
		struct nlattr *nest = nla_nest_start(msg, attr);

		nla_put_u64(msg, TRACE_IRQOFF_A_BUCKETS, 1);
		nla_nest_end(msg, nest);
	}
	return msg;
}

/* a message very often, in few bytes */
static void write_bomb(const char *name, struct collection *from, struct nl_msg *msg)
{
	const struct nlmsghdr *head = nlmsg_hdr(msg);
	size_t each = NLMSG_ALIGN(head->nlmsg_len), count = BOMB_FRAME / each, len, most;
	FILE *file = create("capture", name);
	char *bytes = wire_capture(from, false, &len), *frame, *packed;
	ZSTD_CCtx *context = ZSTD_createCCtx();

	fputc(0, file);
	fwrite(bytes, 1, len, file);
	free(bytes);
	frame = malloc(count * each);
	for (size_t i = 0; i < count; i++)
		memcpy(frame + i * each, head, each);
	nlmsg_free(msg);
	most = ZSTD_compressBound(count * each);
	packed = malloc(most);
	ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, CAPTURE_WINDOW_LOG);
	len = ZSTD_compress2(context, packed, most, frame, count * each);
	promise(!ZSTD_isError(len));
	while (ftell(file) + len <= BOMB_BYTES)
		fwrite(packed, 1, len, file);
	ZSTD_freeCCtx(context);
	free(packed);
	free(frame);
	fclose(file);
}

int main(int argc, char **argv)
{
	struct collection asked, ended, victims, locks;

	promise(argc == 2);
	directory = argv[1];
	fixture_collect(&asked);
	fixture_collect_ends(&ended);
	fixture_collect_victims(&victims);
	fixture_collect_locks(&locks);
	write_answer("config", ASK_CONFIG, config(true), 0, 0);
	write_answer("stopped", ASK_CONFIG, config(false), 0, 0);
	write_answer("busy", ASK_RECORDS, busy(), NLMSG_DONE, 0);
	write_answer("record", ASK_RECORDS, record(&asked.model.entries[0]->rec), NLMSG_DONE, 0);
	write_answer("names", ASK_NAMES, record(&ended.model.entries[0]->rec), NLMSG_DONE, -EPERM);
	write_answer("counters", ASK_COUNTERS, counters(), NLMSG_DONE, 0);
	write_answer("histograms", ASK_HISTOGRAMS, histograms(), NLMSG_DONE, 0);
	write_answer("refused", ASK_SET, NULL, NLMSG_ERROR, -EINVAL);
	write_answer("done", ASK_SET, NULL, NLMSG_ERROR, 0);
	/* the largest number of samples */
	asked.model.entries[0]->rec.nsamples = TIO_SAMPLES;
	write_records("few", 0, &asked.model, 0, 3);
	write_records("more", 1, &asked.model, 3, 9);
	write_records("ends", 2, &ended.model, 0, 4);
	write_records("victims", 3, &victims.model, 0, 6);
	write_records("locks", 3, &locks.model, 0, 9);
	write_records("settings", 6, &ended.model, 0, 0);
	write_records("stopped", STOPPED, &asked.model, 0, 3);
	write_symbols("fixture", "estimation_timer+0x7c/0x100 [ip_vs]");
	write_symbols("gone", "make_irqoff.cold+0x12/0x40 [stall] (unloaded)");
	write_symbols("place", "[stall init]+0x85 (unloaded)");
	write_symbols("older", "[unloaded stall]");
	write_capture("packed", 0, &ended);
	write_capture("messages", READ_MESSAGES, &asked);
	write_capture("newest", READ_MESSAGES | READ_NEWEST, &asked);
	write_capture("grouped", READ_MESSAGES | READ_GROUPED | READ_NONE, &victims);
	write_capture("victims", READ_MESSAGES, &victims);
	write_capture("locks", READ_MESSAGES, &locks);
	write_bomb("bomb", &ended, empty_histograms());
	collect_free(&asked);
	collect_free(&ended);
	collect_free(&victims);
	collect_free(&locks);
	return 0;
}
