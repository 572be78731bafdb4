// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <netlink/genl/genl.h>
#include <netlink/msg.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "base/say.h"
#include "capture/capture.h"
#include "capture/capture_write.h"
#include "source/messages.h"

/* a frame that has so much ends behind the message: a capture cut off later loses no more */
#define FRAME_BYTES	(256 * 1024)

struct capture_writer {
	FILE *out;
	ZSTD_CCtx *context;
	size_t len;		/* of the frame so far, unpacked */
	int error;		/* errno's number; 0: all could be written so far */
};

static size_t right(size_t ret)
{
	if (ZSTD_isError(ret))
		exit(failed("libzstd: %s", ZSTD_getErrorName(ret)));
	return ret;
}

/**
 * capture_writer() - begin a capture
 * @out: where it goes
 *
 * Return: a writer, for capture_writer_close().
 */
struct capture_writer *capture_writer(FILE *out)
{
	struct capture_writer *writer = alloc(1, sizeof(*writer));

	writer->out = out;
	writer->context = or_exit(ZSTD_createCCtx());
	right(ZSTD_CCtx_setParameter(writer->context, ZSTD_c_windowLog, CAPTURE_WINDOW_LOG));
	right(ZSTD_CCtx_setParameter(writer->context, ZSTD_c_checksumFlag, 1));
	return writer;
}

static void pack(struct capture_writer *writer, const void *bytes, size_t len,
		 ZSTD_EndDirective how)
{
	ZSTD_inBuffer in = { .src = bytes, .size = len };
	char room[16384];
	size_t left;

	do {
		ZSTD_outBuffer out = { .dst = room, .size = sizeof(room) };

		left = right(ZSTD_compressStream2(writer->context, &out, &in, how));
		if (fwrite(room, 1, out.pos, writer->out) != out.pos && !writer->error)
			writer->error = errno;
	} while (in.pos < in.size || (how == ZSTD_e_end && left));
}

/**
 * capture_end_frame() - end a frame; the next message begins one
 * @writer: the writer
 */
void capture_end_frame(struct capture_writer *writer)
{
	if (writer->len)
		pack(writer, NULL, 0, ZSTD_e_end);
	writer->len = 0;
}

/**
 * capture_put() - add a message, as it is
 * @writer: the writer
 * @message: the message
 */
void capture_put(struct capture_writer *writer, const struct nlmsghdr *message)
{
	static const char padding[NLMSG_ALIGNTO];
	size_t len = message->nlmsg_len;

	pack(writer, message, len, ZSTD_e_continue);
	pack(writer, padding, NLMSG_ALIGN(len) - len, ZSTD_e_continue);
	writer->len += NLMSG_ALIGN(len);
	if (writer->len >= FRAME_BYTES)
		capture_end_frame(writer);
}

/**
 * capture_put_all() - add the module's messages of an operation
 * @writer: the writer
 * @messages: as they were received
 * @cmd: the operation
 */
void capture_put_all(struct capture_writer *writer, const struct messages *messages,
		     unsigned int cmd)
{
	const struct nlmsghdr *message = NULL;

	while ((message = messages_next(messages, cmd, message)))
		capture_put(writer, message);
}

/**
 * capture_flush() - end the frame, and hand all to the kernel
 * @writer: the writer
 *
 * Return: false where something could not be written; errno says why.
 */
bool capture_flush(struct capture_writer *writer)
{
	capture_end_frame(writer);
	if (fflush(writer->out) && !writer->error)
		writer->error = errno;
	errno = writer->error;
	return !writer->error;
}

/**
 * capture_writer_close() - end the capture's last frame
 * @writer: freed
 *
 * Return: false where something could not be written.
 */
bool capture_writer_close(struct capture_writer *writer)
{
	bool whole = capture_flush(writer);

	ZSTD_freeCCtx(writer->context);
	free(writer);
	return whole;
}

/**
 * capture_message() - begin a message that is not the module's
 * @cmd: enum capture_cmd
 * @room: how long it may become
 *
 * Return: a message to put attributes into.
 */
struct nl_msg *capture_message(int cmd, size_t room)
{
	struct nl_msg *msg = or_exit(nlmsg_alloc_size(room));

	or_exit(genlmsg_put(msg, 0, 0, CAPTURE_TYPE, 0, 0, cmd, CAPTURE_FORMAT));
	return msg;
}

/* frees @msg */
void capture_put_message(struct capture_writer *writer, struct nl_msg *msg)
{
	capture_put(writer, nlmsg_hdr(msg));
	nlmsg_free(msg);
}
