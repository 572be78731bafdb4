// SPDX-License-Identifier: GPL-2.0-only
#include "captured.h"

#include <netlink/genl/genl.h>
#include <netlink/msg.h>

#include "capture/capture_read.h"
#include "wire.h"

char *capture;
size_t capture_len;
FILE *written;
struct capture_writer *writer;

/* fmemopen() takes no empty buffer */
FILE *stream_of(const char *bytes, size_t len)
{
	FILE *stream = len ? fmemopen((void *)bytes, len, "r") : fopen("/dev/null", "r");

	assert_non_null(stream);
	return stream;
}

int collect_bytes(struct collection *read, const char *bytes, size_t len)
{
	FILE *stream = stream_of(bytes, len);
	int status;

	said_begin();
	status = collect_stream(read, stream, "FILE");
	said_end();
	fclose(stream);
	return status;
}

void pass_all(struct collection *read)
{
	struct filter filter = { .until_ns = ~0ULL };

	collect_pass(read, &filter);
}

char *unpack_capture(size_t *len)
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

void begin_capture(void)
{
	char *bytes, *at;
	size_t len;

	capture = wire_capture(&collection, false, &capture_len);
	bytes = unpack_capture(&len);
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

void finish_capture(void)
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
}

void put_function(__u64 epoch, __u64 from, __u64 size, const char *name, const char *module)
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

void put_record(__u64 seq, __u64 frame)
{
	struct model made = { 0 };
	struct entry *entry = add_hard(&made, 0, seq, NOW_NS - (1000 - 100 * seq) * MS, 20 * MS);

	set_stack(&entry->rec.end, frame, 0ULL);
	capture_put_message(writer, wire_record(entry));
	model_free(&made);
}

void frame_each(void)
{
	char *bytes, *at;
	size_t len;

	bytes = unpack_capture(&len);
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
