// SPDX-License-Identifier: GPL-2.0-only
/* Captures: the same output as on the node, whatever becomes of the file. */
#include "judge/judge.h"
#include "page.h"

#include <netlink/genl/genl.h>
#include <netlink/msg.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "alibi/alibi.h"
#include "base/build_id.h"
#include "base/clocks.h"
#include "base/new_file.h"
#include "capture/capture.h"
#include "capture/capture_read.h"
#include "capture/capture_write.h"
#include "capture/strip.h"
#include "wire.h"

static char *capture;
static size_t capture_len;
static char said[1024];

/* fmemopen() takes no empty buffer */
static FILE *stream_of(const char *bytes, size_t len)
{
	FILE *stream = len ? fmemopen((void *)bytes, len, "r") : fopen("/dev/null", "r");

	assert_non_null(stream);
	return stream;
}

/* reads a capture and keeps what the reader prints to standard error */
static int collect_bytes(struct collection *read, const char *bytes, size_t len)
{
	FILE *stream = stream_of(bytes, len);
	/* in memory: this is done thousands of times */
	int fd = memfd_create("said", 0), kept = dup(STDERR_FILENO), status;
	ssize_t said_len;

	dup2(fd, STDERR_FILENO);
	status = collect_stream(read, stream, "FILE");
	dup2(kept, STDERR_FILENO);
	close(kept);
	said_len = pread(fd, said, sizeof(said) - 1, 0);
	assert_true(said_len >= 0);
	said[said_len] = '\0';
	close(fd);
	fclose(stream);
	return status;
}

static void pass_all(struct collection *read)
{
	struct filter filter = { .until_ns = ~0ULL };

	collect_pass(read, &filter);
}

/* puts what a capture of the page's records holds into their place */
static void through_capture(bool strip)
{
	struct collection read;

	capture = wire_capture(&collection, strip, &capture_len);
	assert_int_equal(collect_bytes(&read, capture, capture_len), EXIT_DONE);
	assert_string_equal(said, "");
	assert_false(read.model.received.damaged);
	pass_all(&read);
	free(capture);
	collect_free(&collection);
	collection = read;
}

static void print_report(bool json)
{
	struct page whole = page();
	struct summary summary;

	summary_build(&summary, &collection.model, SUMMARY_BY_DEFAULT, SUMMARY_TOTAL);
	report_select(&whole.columns, summary.by, summary.victims, NULL);
	if (json)
		json_report(&whole, &summary);
	else
		text_report(&whole, &summary);
	summary_free(&summary);
}

static void print_list(bool verbose)
{
	struct page whole = page();

	list_select(&whole.columns, &collection.model, NULL);
	text_list(&whole, verbose);
}

static void print_status(void)
{
	struct page whole = page();

	status_select(&whole.columns, &collection.model, NULL);
	text_status(&whole);
}

static void json_of_list(void **state)
{
	struct page whole;

	through_capture(false);
	whole = page();
	json_list(&whole);
	assert_golden("list.json", out, &text);
}

static void json_of_report(void **state)
{
	through_capture(false);
	print_report(true);
	assert_golden("report.json", out, &text);
}

static void json_of_hist(void **state)
{
	through_capture(false);
	json_hist(&collection.model, true, out);
	assert_golden("hist.json", out, &text);
}

static void json_of_cleared_hist(void **state)
{
	fixture_clear(&collection.model);
	through_capture(false);
	assert_int_equal(model_loaded_sum(&collection.model).hard.count, 82);
	json_hist(&collection.model, true, out);
	assert_golden("hist-cleared.json", out, &text);
}

static void json_of_status(void **state)
{
	through_capture(false);
	json_status(&collection.model, out);
	assert_golden("status.json", out, &text);
}

/* on the node the same sentences speak of now */
static void text_of_list(void **state)
{
	through_capture(false);
	collection.model.saved = false;
	print_list(true);
	assert_golden("list-v.txt", out, &text);
}

static void text_of_ends(void **state)
{
	through_capture(false);
	collection.model.saved = false;
	print_list(true);
	assert_golden("list-v-ends.txt", out, &text);
}

static void text_of_victims(void **state)
{
	through_capture(false);
	collection.model.saved = false;
	print_list(true);
	assert_golden("list-v-victims.txt", out, &text);
}

static void saved_report(void **state)
{
	through_capture(false);
	print_report(false);
	assert_golden("report-saved.txt", out, &text);
}

static void saved_status(void **state)
{
	fixture_stop(&collection.model, TRACE_IRQOFF_STOP_COST);
	through_capture(false);
	print_status();
	assert_golden("status-saved.txt", out, &text);
}

/* how many of the records it has are those of the whole capture, in order of the file */
static void assert_prefix(const struct collection *read, const struct collection *whole)
{
	for (size_t i = 0; i < read->model.nentries; i++) {
		const struct tio_record *rec = &read->model.entries[i]->rec;
		const struct entry *found = NULL;

		for (size_t k = 0; k < whole->model.nentries && !found; k++)
			if (!memcmp(&whole->model.entries[k]->rec.end_ns, &rec->end_ns,
				    sizeof(rec->end_ns)) &&
			    whole->model.entries[k]->rec.cpu == rec->cpu)
				found = whole->model.entries[k];
		assert_non_null(found);
		assert_int_equal(found->rec.min_ns, rec->min_ns);
		assert_string_equal(found->found.culprit ? found->found.culprit : "",
				    read->model.entries[i]->found.culprit ?
				    read->model.entries[i]->found.culprit : "");
	}
}

/* so many that their frame has several blocks */
static void add_many(unsigned int count)
{
	for (unsigned int i = 0; i < count; i++) {
		struct entry *entry = add_hard(&collection.model, 3, 1000 + i,
					       NOW_NS - 50000 * MS + i * 13 * MS, 12 * MS);

		set_stack(&entry->rec.end, AT_SPIN_UNLOCK + 0x15, AT_MEMORY_STAT + i % 0xf00,
			  AT_SYSCALL + 1 + i % 0x700, 0ULL);
	}
	judge_records(collection.symbols, &collection.model);
}

/* one sentence, and the records that were there */
static size_t assert_cut(size_t at)
{
	struct collection read;
	int ret = collect_bytes(&read, capture, at);
	size_t count = read.model.nentries;

	assert_true(*said && strchr(said, '\n') == said + strlen(said) - 1);
	if (ret) {
		assert_int_equal(ret, EXIT_FAILED);
		assert_non_null(strstr(said, at ? "FILE is cut off before its first records" :
						  "FILE is empty; "));
		assert_int_equal(count, 0);
	} else {
		assert_true(read.model.received.damaged);
		assert_non_null(strstr(said, "FILE is cut off, so records may be missing"));
		pass_all(&read);
		assert_prefix(&read, &collection);
	}
	collect_free(&read);
	return count;
}

static void cut_at_every_byte(void **state)
{
	size_t count = 0;

	capture = wire_capture(&collection, false, &capture_len);
	for (size_t at = 0; at < capture_len; at++) {
		size_t now = assert_cut(at);

		assert_true(now >= count);
		count = now;
	}
	assert_int_equal(count, collection.model.nentries);
	free(capture);
	fclose(out);
	free(text);
}

/* a cut loses what is behind it, not all of the frame */
static void cut_in_a_frame(void **state)
{
	size_t different = 0, last = 0;

	add_many(2000);
	capture = wire_capture(&collection, false, &capture_len);
	for (size_t at = 0; at < capture_len; at += 499) {
		size_t now = assert_cut(at);

		different += now != last;
		last = now;
	}
	assert_true(different > 3);
	free(capture);
	fclose(out);
	free(text);
}

/* a frame whose checksum is wrong is not used; a few bits of the packed form say nothing */
static void every_byte_wrong(void **state)
{
	size_t unnoticed = 0;

	capture = wire_capture(&collection, false, &capture_len);
	for (size_t at = 0; at < capture_len; at++) {
		struct collection read;
		int ret;

		capture[at] ^= 0x41;
		ret = collect_bytes(&read, capture, capture_len);
		capture[at] ^= 0x41;
		if (!ret) {
			pass_all(&read);
			assert_prefix(&read, &collection);
		}
		if (ret || read.model.received.damaged) {
			assert_true(*said && strchr(said, '\n') == said + strlen(said) - 1);
		} else {
			assert_int_equal(read.model.nentries, collection.model.nentries);
			unnoticed++;
		}
		collect_free(&read);
	}
	assert_in_range(unnoticed, 0, 10);
	free(capture);
	fclose(out);
	free(text);
}

static void assert_foreign(const void *bytes, size_t len)
{
	struct collection read;

	assert_int_equal(collect_bytes(&read, bytes, len), EXIT_FAILED);
	assert_string_equal(said, "irqoff: FILE is no capture of irqoff\n");
	collect_free(&read);
}

static void garbage(void **state)
{
	static const char words[] = "PERFILE2 and so on, for longer than any head of a message";
	char packed[256];
	size_t len = ZSTD_compress(packed, sizeof(packed), words, sizeof(words), 3);

	assert_false(ZSTD_isError(len));
	assert_foreign(words, sizeof(words));
	assert_foreign(packed, len);
	len = ZSTD_compress(packed, sizeof(packed), words, 7, 3);
	assert_foreign(packed, len);
}

/* the messages of a capture, unpacked */
static char *unpacked(size_t *len)
{
	FILE *in = stream_of(capture, capture_len);
	struct capture_reader *reader = capture_reader(in);
	const struct nlmsghdr *message;
	char *bytes = NULL;
	FILE *to = open_memstream(&bytes, len);

	while ((message = capture_next(reader)))
		fwrite(message, 1, NLMSG_ALIGN(message->nlmsg_len), to);
	assert_int_equal(capture_state(reader), CAPTURE_WHOLE);
	capture_reader_close(reader);
	fclose(in);
	fclose(to);
	return bytes;
}

static bool holds(const char *text)
{
	size_t len;
	char *bytes = unpacked(&len);
	bool found = memmem(bytes, len, text, strlen(text));

	free(bytes);
	return found;
}

/* the module has hidden addresses from whoever strips; here the made-up ones stay */
static void strips(void **state)
{
	capture = wire_capture(&collection, false, &capture_len);
	assert_true(holds("kubelet") && holds("node-7") && holds("kubepods") && holds("innocent"));
	assert_true(holds("memory_stat_format"));
	free(capture);
	capture = wire_capture(&collection, true, &capture_len);
	assert_false(holds("kubelet") || holds("node-7") || holds("kubepods") || holds("innocent"));
	assert_true(holds("memory_stat_format"));
	free(capture);
	through_capture(true);
	for (size_t i = 0; i < collection.model.nentries; i++) {
		const struct tio_record *rec = &collection.model.entries[i]->rec;

		assert_string_equal(rec->end.comm, rec->open ? "" : STRIPPED_COMM);
		assert_int_equal(rec->end.cgroup_id, 0);
	}
	print_report(false);
	assert_golden("report-stripped.txt", out, &text);
}

/* a capture that still has addresses is not given out as a stripped one */
static void strip_needs_hidden_addresses(void **state)
{
	assert_int_equal(strip_check(&collection.model), EXIT_FAILED);
	for (size_t i = 0; i < collection.model.nentries; i++) {
		struct tio_record *rec = &collection.model.entries[i]->rec;

		rec->nmi_handler = 0;
		rec->end.nframes = 0;
		for (unsigned int k = 0; k < rec->nsamples; k++)
			rec->samples[k].nframes = 0;
	}
	assert_int_equal(strip_check(&collection.model), EXIT_DONE);
	collection.model.entries[0]->rec.nmi_handler = AT_NOTHING;
	assert_int_equal(strip_check(&collection.model), EXIT_FAILED);
	fclose(out);
	free(text);
}

/* a capture that a test writes message by message */
static FILE *written;
static struct capture_writer *writer;

/* begins as one of the page's records does, without the records and their names */
static void begin(void)
{
	char *bytes, *at;
	size_t len;

	capture = wire_capture(&collection, false, &capture_len);
	bytes = unpacked(&len);
	free(capture);
	written = open_memstream(&capture, &capture_len);
	writer = capture_writer(written);
	for (at = bytes; at < bytes + len;) {
		const struct nlmsghdr *message = (void *)at;
		const struct genlmsghdr *head = NLMSG_DATA(message);

		if (message->nlmsg_type == CAPTURE_TYPE ? head->cmd <= CAPTURE_CMD_CLOCK :
		    head->cmd != TRACE_IRQOFF_CMD_RECORD_GET)
			capture_put(writer, message);
		at += NLMSG_ALIGN(message->nlmsg_len);
	}
	free(bytes);
}

/* ends it and reads it; the page's records are those that it holds then */
static void finish(void)
{
	struct collection read;

	capture_put_message(writer, capture_message(CAPTURE_CMD_END, 64));
	assert_true(capture_writer_close(writer));
	fclose(written);
	assert_int_equal(collect_bytes(&read, capture, capture_len), EXIT_DONE);
	pass_all(&read);
	free(capture);
	collect_free(&collection);
	collection = read;
	fclose(out);
	free(text);
}

static void put_function(__u64 epoch, __u64 from, __u64 size, const char *name, const char *module)
{
	struct nl_msg *msg = capture_message(CAPTURE_CMD_NAMES, 4096);
	struct nlattr *nest;

	nla_put_u64(msg, CAPTURE_A_EPOCH, epoch);
	nest = nla_nest_start(msg, CAPTURE_A_FUNCTION);
	nla_put_u64(msg, CAPTURE_A_FROM, from);
	nla_put_u64(msg, CAPTURE_A_TO, from + size);
	nla_put_string(msg, CAPTURE_A_SYMBOL, name);
	if (module)
		nla_put_string(msg, CAPTURE_A_MODULE_NAME, module);
	nla_nest_end(msg, nest);
	capture_put_message(writer, msg);
}

static void put_record(__u64 seq, __u64 frame)
{
	struct model made = { 0 };
	struct entry *entry = add_hard(&made, 0, seq, NOW_NS - (1000 - 100 * seq) * MS, 20 * MS);

	set_stack(&entry->rec.end, frame, 0ULL);
	capture_put_message(writer, wire_record(entry));
	model_free(&made);
}

/* a name holds for the records behind it, until another epoch begins */
static void names_of_their_time(void **state)
{
	begin();
	put_function(0, AT_SYSCALL, 0x1000, "first_owner", NULL);
	put_record(1, AT_SYSCALL + 0x10);
	put_function(1, AT_SYSCALL, 0x800, "second_owner", "late");
	put_record(2, AT_SYSCALL + 0x10);
	put_record(3, AT_SYSCALL + 0x900);
	finish();
	assert_string_equal(said, "");
	assert_int_equal(collection.model.nentries, 3);
	assert_string_equal(collection.model.entries[0]->found.culprit, "first_owner");
	assert_string_equal(collection.model.entries[1]->found.culprit, "second_owner [late]");
	assert_string_equal(collection.model.entries[2]->found.culprit, "[unloaded]");
}

static void put_text(const char *path, const char *text, __u64 at_ns, __u64 inode)
{
	struct nl_msg *msg = capture_message(CAPTURE_CMD_TEXT, 4096);
	size_t half = strlen(text) / 2;

	nla_put_string(msg, CAPTURE_A_PATH, path);
	if (at_ns) {
		nla_put_u64(msg, CAPTURE_A_MONOTONIC_NS, at_ns);
		nla_put_u64(msg, CAPTURE_A_TOOK_NS, MS);
	}
	if (inode)
		nla_put_u64(msg, CAPTURE_A_NETNS_INODE, inode);
	/* in two pieces */
	nla_put(msg, CAPTURE_A_DATA, half, text);
	nla_put(msg, CAPTURE_A_DATA, strlen(text) - half, text + half);
	capture_put_message(writer, msg);
}

/* with the times at which they were read, or, of an older irqoff, soon after the settings */
static void counters_of_the_network(void **state)
{
	static const char tcp[] = "Tcp: RetransSegs\nTcp: %u\n";
	const struct net_counted *counted;
	struct nl_msg *msg;
	char text[64];

	begin();
	snprintf(text, sizeof(text), tcp, 3);
	put_text("/proc/net/snmp", text, 0, 0);
	snprintf(text, sizeof(text), tcp, 12345);
	put_text("/proc/net/snmp", text, NOW_NS + 7000 * MS, 4026531999);
	/* before the settings: by the clock of a time namespace */
	put_text("/proc/net/softnet_stat", "1 2 3 0 0 0 0 0 0 0 0 0 6\n", 5, 0);
	/* foreign ones tell nothing, and are no damage */
	msg = capture_message(CAPTURE_CMD_TEXT, 64);
	nla_put(msg, CAPTURE_A_PATH, 3, "abc");
	capture_put_message(writer, msg);
	capture_put_message(writer, capture_message(CAPTURE_CMD_TEXT, 64));
	put_text("/proc/net/snmp", "", NOW_NS, 0);
	finish();
	assert_string_equal(said, "");
	counted = &collection.model.counted;
	assert_int_equal(counted->nnets, 3);
	assert_int_equal(counted->nets[0].values[NET_RETRANS].value, 3);
	assert_int_equal(counted->nets[0].read.from_ns, NOW_NS);
	assert_int_equal(counted->nets[0].read.to_ns, NOW_NS + 1000 * MS);
	assert_int_equal(counted->nets[1].values[NET_RETRANS].value, 12345);
	assert_int_equal(counted->nets[1].inode, 4026531999);
	assert_int_equal(counted->nets[1].read.from_ns, NOW_NS + 7000 * MS);
	assert_int_equal(counted->nets[1].read.to_ns, NOW_NS + 7001 * MS);
	assert_false(counted->nets[2].values[NET_RETRANS].known);
	assert_int_equal(counted->nsoftnets, 1);
	assert_int_equal(counted->softnets[0].read.from_ns, NOW_NS);
}

/* what capture_save() read of this machine */
static void network_of_this_machine(void **state)
{
	struct cpuset cpus = { 0 };
	struct collection read;
	struct net_growth growth;
	__u64 now_ns;

	free(collection.model.config.online);
	collection.model.config.online = machine_online();
	/* before the files are read, as the module tells it */
	now_ns = clock_monotonic_ns();
	collection.model.config.now_ns = now_ns;
	capture = wire_capture(&collection, false, &capture_len);
	assert_int_equal(collect_bytes(&read, capture, capture_len), EXIT_DONE);
	assert_int_equal(read.model.counted.nsoftnets, 1);
	assert_int_equal(counted_cpus(&read.model, 0, now_ns, &cpus), COUNTED_SINCE_BOOT);
	assert_int_equal(counted_net(&read.model, 0, 0, now_ns, &growth), COUNTED_SINCE_BOOT);
	assert_true(growth.values[NET_RETRANS].known && growth.values[NET_SYN_RETRANS].known);
	assert_in_range(growth.between.to_ns, now_ns, clock_monotonic_ns());
	cpuset_free(&cpus);
	collect_free(&read);
	free(capture);
	fclose(out);
	free(text);
}

/* what comes later is left out, with a word about it where it may matter */
static void newer_formats(void **state)
{
	struct nl_msg *msg = capture_message(77, 64), *head;
	char *bytes;
	size_t len;

	begin();
	nla_put_string(msg, CAPTURE_A_MAX + 7, "new");
	capture_put_message(writer, msg);
	msg = capture_message(CAPTURE_CMD_CLOCK, 64);
	nlmsg_hdr(msg)->nlmsg_type = CAPTURE_TYPE + 1;
	capture_put_message(writer, msg);
	put_record(1, AT_SYSCALL + 0x10);
	finish();
	assert_string_equal(said, "");
	assert_int_equal(collection.model.nentries, 1);

	bytes = NULL;
	written = open_memstream(&bytes, &len);
	writer = capture_writer(written);
	head = capture_message(CAPTURE_CMD_META, 256);
	nla_put_u32(head, CAPTURE_A_FORMAT, CAPTURE_FORMAT + 1);
	capture_put_message(writer, head);
	assert_true(capture_writer_close(writer));
	fclose(written);
	{
		struct collection read;

		assert_int_equal(collect_bytes(&read, bytes, len), EXIT_FAILED);
		assert_non_null(strstr(said, "cut off before its first records"));
		collect_free(&read);
	}
	free(bytes);
}

/* the same capture, with each message in a frame of its own */
static void frame_each(void)
{
	char *bytes, *at;
	size_t len;

	bytes = unpacked(&len);
	free(capture);
	written = open_memstream(&capture, &capture_len);
	writer = capture_writer(written);
	for (at = bytes; at < bytes + len; at += NLMSG_ALIGN(((struct nlmsghdr *)at)->nlmsg_len)) {
		capture_put(writer, (void *)at);
		capture_end_frame(writer);
	}
	assert_true(capture_writer_close(writer));
	fclose(written);
	free(bytes);
}

static void assert_says(const struct collection *read, const char *text, bool said)
{
	struct page page = {
		.model = &read->model, .window = window_of(&read->model, 0, ~0ULL),
	};
	struct summary summary;
	char *printed;
	size_t size;

	page.out = open_memstream(&printed, &size);
	summary_build(&summary, &read->model, SUMMARY_BY_DEFAULT, SUMMARY_TOTAL);
	if (read->model.nentries) {
		report_select(&page.columns, summary.by, summary.victims, NULL);
		text_report(&page, &summary);
	} else {
		text_share(&page, &summary);
	}
	summary_free(&summary);
	fclose(page.out);
	if (!strstr(printed, text) == said)
		fail_msg("%s", printed);
	free(printed);
}

/* a CPU's records and its counters */
static void assert_told(const struct collection *read, bool *lacked)
{
	const struct received *received = &read->model.received;
	size_t ended = 0;

	for (size_t i = 0; i < read->model.nentries; i++)
		ended += !read->model.entries[i]->rec.open;
	assert_true(received->cut);
	if (received->no_counters) {
		assert_int_equal(ended + received->missing, 0);
		assert_says(read, "how many records are missing is not known", true);
		return;
	}
	assert_int_equal(read->model.ncounters, collection.model.ncounters);
	assert_int_equal(ended + received->missing, model_counters_sum(&read->model).kept);
	if (!received->no_histograms)
		assert_int_equal(read->model.nhistograms, collection.model.nhistograms);
	assert_says(read, " missing; 6 records overwritten", received->missing);
	if (received->missing)
		assert_says(read, "no rates", read->model.nentries);
	*lacked |= received->missing && read->model.nentries;
}

/* whatever is cut off, nothing is said of what is not there */
static void tells_what_is_missing(void **state)
{
	bool uncounted = false, undrawn = false, lacked = false;

	capture = wire_capture(&collection, false, &capture_len);
	frame_each();
	for (size_t at = 0; at < capture_len; at += 3) {
		struct collection read;

		if (!collect_bytes(&read, capture, at)) {
			assert_told(&read, &lacked);
			uncounted |= read.model.received.no_counters && read.model.ncounters;
			undrawn |= read.model.received.no_histograms && read.model.nhistograms;
		}
		collect_free(&read);
	}
	assert_true(uncounted && undrawn && lacked);
	free(capture);
	fclose(out);
	free(text);
}

/* nobody takes one that somebody still writes for one that is cut off, or for an old module's */
static void grows_in_counters(void **state)
{
	char path[] = "/tmp/irqoff-grows-XXXXXX";
	struct filter filter;
	int fd = mkstemp(path);
	bool grew = false;

	filter_init(&filter);
	capture = wire_capture(&collection, false, &capture_len);
	frame_each();
	assert_int_equal(flock(fd, LOCK_EX), 0);
	for (size_t at = 0; at < capture_len; at += 3) {
		struct alibi alibi = { .to_ns = ~0ULL };
		struct alibi_book book;
		struct collection read;

		assert_int_equal(ftruncate(fd, at), 0);
		assert_int_equal(pwrite(fd, capture, at, 0), at);
		if (!collect_capture(&read, path, NULL) && read.model.received.no_counters) {
			alibi.damaged = read.model.received.damaged;
			alibi_open(&book, &read.model, &filter);
			alibi_ask(&alibi, &book);
			alibi_close(&book);
			assert_int_equal(alibi.gap, ALIBI_GROWING);
			alibi_free(&alibi);
			grew = true;
		}
		collect_free(&read);
	}
	assert_true(grew);
	close(fd);
	unlink(path);
	filter_free(&filter);
	free(capture);
	fclose(out);
	free(text);
}

/* somebody went on writing: names are others, and a record counts once */
static void same_load_again(void **state)
{
	struct nl_msg *msg = capture_message(CAPTURE_CMD_META, 256);

	begin();
	put_function(0, AT_SYSCALL, 0x1000, "first_owner", NULL);
	put_record(1, AT_SYSCALL + 0x10);
	put_record(2, AT_SYSCALL + 0x10);
	nla_put_u32(msg, CAPTURE_A_FORMAT, CAPTURE_FORMAT);
	nla_put_string(msg, CAPTURE_A_BOOT_ID, collection.model.machine.boot_id);
	nla_put_u64(msg, CAPTURE_A_INSTANCE, collection.model.config.instance);
	nla_put_string(msg, CAPTURE_A_ONLINE, "0-6");
	capture_put_message(writer, msg);
	put_function(0, AT_SYSCALL, 0x800, "second_owner", "late");
	/* read again, as it was told by then */
	put_record(2, AT_SYSCALL + 0x10);
	put_record(3, AT_SYSCALL + 0x10);
	finish();
	assert_string_equal(said, "");
	assert_int_equal(collection.model.nentries, 3);
	assert_string_equal(collection.model.entries[0]->found.culprit, "first_owner");
	assert_string_equal(collection.model.entries[1]->found.culprit, "second_owner [late]");
	assert_string_equal(collection.model.entries[2]->found.culprit, "second_owner [late]");
	assert_string_equal(collection.model.config.online, "0-6");
}

/* CPUs that no kernel lists are damage, whatever follows */
static void lists_wrong_cpus(int attr)
{
	struct nl_msg *msg = capture_message(CAPTURE_CMD_META, 256);

	begin();
	put_record(1, AT_SYSCALL + 0x10);
	nla_put_u32(msg, CAPTURE_A_FORMAT, CAPTURE_FORMAT);
	nla_put_string(msg, CAPTURE_A_BOOT_ID, collection.model.machine.boot_id);
	nla_put_u64(msg, CAPTURE_A_INSTANCE, collection.model.config.instance);
	nla_put_string(msg, attr, "4294967295");
	capture_put_message(writer, msg);
	finish();
	assert_non_null(strstr(said, "FILE is damaged from byte "));
}

static void wrong_possible(void **state)
{
	lists_wrong_cpus(CAPTURE_A_POSSIBLE);
}

static void wrong_online(void **state)
{
	lists_wrong_cpus(CAPTURE_A_ONLINE);
}

/* another boot in the same file is not mixed with this one */
static void two_loads(void **state)
{
	struct nl_msg *msg = capture_message(CAPTURE_CMD_META, 256);

	begin();
	put_record(1, AT_SYSCALL + 0x10);
	nla_put_u32(msg, CAPTURE_A_FORMAT, CAPTURE_FORMAT);
	nla_put_string(msg, CAPTURE_A_BOOT_ID, "another");
	capture_put_message(writer, msg);
	put_record(2, AT_SYSCALL + 0x10);
	finish();
	assert_non_null(strstr(said, "FILE goes on with another boot, or another load of"));
	assert_int_equal(collection.model.nentries, 1);
}

static int close_new(struct new_file *file, const char *text)
{
	fputs(text, file->out);
	return new_file_close(file, !fflush(file->out));
}

static void assert_holds(const char *path, const char *wanted)
{
	char line[16] = "";
	FILE *file = fopen(path, "r");

	assert_non_null(file);
	assert_non_null(fgets(line, sizeof(line), file));
	fclose(file);
	assert_string_equal(line, wanted);
}

/* zstd passes over such a frame; it makes a file longer, and nothing else */
static void put_nothing(size_t len)
{
	const __u32 head[] = { 0x184d2a50, len };
	char *bytes = calloc(1, len);

	capture_end_frame(writer);
	fwrite(head, sizeof(head), 1, written);
	fwrite(bytes, len, 1, written);
	free(bytes);
}

/* a record so often that it takes more than @memory */
static void put_many(size_t memory)
{
	struct nl_msg *msg = wire_record(collection.model.entries[0]);

	for (size_t taken = 0; taken <= memory; taken += offsetof(struct entry, rec.samples))
		capture_put(writer, nlmsg_hdr(msg));
	nlmsg_free(msg);
}

/* few bytes that become very many are no capture that was ever written */
static void bomb(void **state)
{
	struct collection read;

	begin();
	put_many(CAPTURE_MEMORY);
	assert_true(capture_writer_close(writer));
	fclose(written);
	assert_in_range(capture_len, 0, CAPTURE_MEMORY / CAPTURE_MEMORY_TIMES / 4);
	assert_int_equal(collect_bytes(&read, capture, capture_len), EXIT_FAILED);
	assert_non_null(strstr(said, "FILE has few bytes that become very many, over 320 MiB"));
	assert_int_equal(read.model.nentries, 0);
	free(capture);
	collect_free(&read);
	fclose(out);
	free(text);
}

/* a long file may have as much as that */
static void long_file(void **state)
{
	begin();
	put_nothing(CAPTURE_MEMORY / CAPTURE_MEMORY_TIMES * 2);
	put_many(CAPTURE_MEMORY);
	finish();
	assert_int_equal(collection.model.nentries, 1);
}

/* a file is there whole or not at all, and none is replaced unasked */
static void new_files(void **state)
{
	char dir[] = "/tmp/irqoff-test-XXXXXX", path[64];
	struct new_file file, late;
	struct stat stat_of;

	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/new", dir);
	assert_int_equal(new_file_open(&file, path, false), EXIT_DONE);
	assert_int_equal(new_file_open(&late, path, false), EXIT_DONE);
	assert_int_equal(access(path, F_OK), -1);
	assert_int_equal(close_new(&file, "first"), EXIT_DONE);
	assert_int_equal(stat(path, &stat_of), 0);
	assert_int_equal(stat_of.st_mode & 0777, 0600);
	/* it came while this one was written */
	assert_int_equal(close_new(&late, "late"), EXIT_FAILED);
	assert_int_equal(new_file_open(&file, path, false), EXIT_FAILED);
	assert_holds(path, "first");
	assert_int_equal(new_file_open(&file, path, true), EXIT_DONE);
	assert_int_equal(new_file_close(&file, false), EXIT_FAILED);
	assert_holds(path, "first");
	assert_int_equal(new_file_open(&file, path, true), EXIT_DONE);
	assert_int_equal(close_new(&file, "second"), EXIT_DONE);
	assert_holds(path, "second");
	assert_int_equal(new_file_open(&file, dir, true), EXIT_FAILED);
	assert_int_equal(new_file_open(&file, "/nowhere/new", true), EXIT_FAILED);
	unlink(path);
	/* no temporary file is left */
	assert_int_equal(rmdir(dir), 0);
}

/* notes as /sys/kernel/notes has them: others may stand before the build id */
static void build_ids(void **state)
{
	static const unsigned char notes[] = {
		4, 0, 0, 0, 4, 0, 0, 0, 6, 0, 0, 0, 'X', 'e', 'n', 0, '2', '.', '6', 0,
		4, 0, 0, 0, 5, 0, 0, 0, 3, 0, 0, 0, 'G', 'N', 'U', 0, 1, 2, 3, 4, 5, 0, 0, 0,
	};
	unsigned char id[BUILD_ID_MOST];

	assert_int_equal(build_id_find(id, notes, sizeof(notes)), 5);
	assert_memory_equal(id, "\1\2\3\4\5", 5);
	for (size_t len = 0; len < sizeof(notes) - 3; len++)
		assert_int_equal(build_id_find(id, notes, len), 0);
	assert_int_equal(build_id_read(id, "/nowhere"), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_page(json_of_list),
		test_page(json_of_report),
		test_page(json_of_hist),
		test_page(json_of_cleared_hist),
		test_page(json_of_status),
		test_page(text_of_list),
		test_ends(text_of_ends),
		test_victims(text_of_victims),
		test_page(saved_report),
		test_page(saved_status),
		test_page(cut_at_every_byte),
		test_page(cut_in_a_frame),
		test_page(every_byte_wrong),
		cmocka_unit_test(garbage),
		test_page(strips),
		test_page(strip_needs_hidden_addresses),
		test_page(names_of_their_time),
		test_page(newer_formats),
		test_page(counters_of_the_network),
		test_page(network_of_this_machine),
		test_page(tells_what_is_missing),
		test_page(grows_in_counters),
		test_page(same_load_again),
		test_page(wrong_possible),
		test_page(wrong_online),
		test_page(two_loads),
		test_page(bomb),
		test_page(long_file),
		cmocka_unit_test(new_files),
		cmocka_unit_test(build_ids),
	};

	return cmocka_run_group_tests_name("capture", tests, NULL, NULL);
}
