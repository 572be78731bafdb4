// SPDX-License-Identifier: GPL-2.0-only
#include <linux/genetlink.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "base/say.h"
#include "capture/capture.h"
#include "capture/capture_read.h"

#define IN_BYTES	65536
#define FIRST_ROOM	(256 * 1024)

/*
 * A frame is unpacked whole before its first message is given out, so that its checksum
 * stands for all of them. A frame that is cut off has no checksum; what was there of it is
 * in whole blocks.
 */
struct capture_reader {
	FILE *in;
	ZSTD_DCtx *context;
	char packed[IN_BYTES];
	ZSTD_inBuffer unread;	/* of @packed */
	__u64 offset;		/* where the frame begins in the file */
	__u64 end;		/* where it ends, if it is whole */
	__u64 whole;		/* where the last one ends of which all messages were given out */
	__u64 packed_len;	/* of the file's bytes before @packed */
	char *frame;
	size_t room;
	size_t len;
	size_t at;		/* in the frame */
	bool any;		/* a message was given out */
	bool ended;		/* the last one says that it is the last */
	enum capture_state state;
	enum capture_state then;	/* the state behind this frame */
};

/**
 * capture_reader() - begin to read
 * @in: the capture
 *
 * Return: a reader, for capture_reader_close().
 */
struct capture_reader *capture_reader(FILE *in)
{
	struct capture_reader *reader = alloc(1, sizeof(*reader));

	reader->in = in;
	reader->context = or_exit(ZSTD_createDCtx());
	ZSTD_DCtx_setParameter(reader->context, ZSTD_d_windowLogMax, CAPTURE_WINDOW_LOG);
	reader->unread.src = reader->packed;
	return reader;
}

void capture_reader_close(struct capture_reader *reader)
{
	ZSTD_freeDCtx(reader->context);
	free(reader->frame);
	free(reader);
}

/* false at the end of the file */
static bool more(struct capture_reader *reader)
{
	if (reader->unread.pos < reader->unread.size)
		return true;
	reader->packed_len += reader->unread.size;
	reader->unread.pos = 0;
	reader->unread.size = fread(reader->packed, 1, sizeof(reader->packed), reader->in);
	return reader->unread.size;
}

/* room for more of the frame; false where it would be too long for one */
static bool make_room(struct capture_reader *reader)
{
	if (reader->len < reader->room)
		return true;
	if (reader->room >= CAPTURE_FRAME_MOST)
		return false;
	reader->room = reader->room ? 2 * reader->room : FIRST_ROOM;
	reader->frame = or_exit(realloc(reader->frame, reader->room));
	return true;
}

/* what the end of the file means where it may end, or where it may not */
static enum capture_state at_end(const struct capture_reader *reader, bool between)
{
	if (ferror(reader->in))
		return CAPTURE_UNREADABLE;
	return between && reader->ended ? CAPTURE_WHOLE : CAPTURE_CUT;
}

/* unpacks the next frame; returns the state behind it */
static enum capture_state unpack(struct capture_reader *reader)
{
	bool flush = false;
	size_t ret = 1;

	reader->len = 0;
	reader->at = 0;
	if (!more(reader))
		return at_end(reader, true);
	reader->offset = reader->packed_len + reader->unread.pos;
	ZSTD_DCtx_reset(reader->context, ZSTD_reset_session_only);
	while (ret) {
		ZSTD_outBuffer out;

		if (!make_room(reader))
			break;
		/* where the room was used up, more may come of what was read */
		if (!flush && !more(reader))
			return at_end(reader, false);
		out = (ZSTD_outBuffer){ reader->frame, reader->room, reader->len };
		ret = ZSTD_decompressStream(reader->context, &out, &reader->unread);
		if (ZSTD_isError(ret))
			break;
		reader->len = out.pos;
		flush = out.pos == out.size;
	}
	reader->end = reader->packed_len + reader->unread.pos;
	if (!ret)
		return CAPTURE_GOES_ON;
	reader->len = 0;
	return CAPTURE_DAMAGED;
}

/* the message at the place in the frame; NULL where there is no whole one */
static struct nlmsghdr *message_at(const struct capture_reader *reader)
{
	size_t left = reader->len - reader->at;
	struct nlmsghdr *message;

	if (left < NLMSG_HDRLEN)
		return NULL;
	message = (void *)(reader->frame + reader->at);
	if (message->nlmsg_len < NLMSG_HDRLEN || message->nlmsg_len > left)
		return NULL;
	return message;
}

static bool is_own(const struct nlmsghdr *message, unsigned int cmd)
{
	const struct genlmsghdr *head = NLMSG_DATA(message);

	return message->nlmsg_type == CAPTURE_TYPE &&
	       message->nlmsg_len >= NLMSG_HDRLEN + GENL_HDRLEN && head->cmd == cmd;
}

/* behind the messages of a frame */
static enum capture_state behind(const struct capture_reader *reader)
{
	if (reader->then == CAPTURE_GOES_ON && reader->at < reader->len)
		return CAPTURE_DAMAGED;
	return reader->then;
}

/* a file that does not begin as a capture is something else, and not damaged */
static struct nlmsghdr *stop(struct capture_reader *reader, enum capture_state state)
{
	reader->state = !reader->any && state == CAPTURE_DAMAGED ? CAPTURE_FOREIGN : state;
	return NULL;
}

/**
 * capture_next() - the next message
 * @reader: the reader
 *
 * Return: the message, which stays until the next call; NULL where there is no further
 * one, and capture_state() says why.
 */
struct nlmsghdr *capture_next(struct capture_reader *reader)
{
	struct nlmsghdr *message;

	if (reader->state != CAPTURE_GOES_ON)
		return NULL;
	while (!(message = message_at(reader))) {
		enum capture_state state = behind(reader);

		if (state != CAPTURE_GOES_ON)
			return stop(reader, state);
		reader->whole = reader->end;
		reader->then = unpack(reader);
	}
	if (!reader->any && !is_own(message, CAPTURE_CMD_META))
		return stop(reader, CAPTURE_FOREIGN);
	reader->any = true;
	reader->ended = is_own(message, CAPTURE_CMD_END);
	reader->at += NLMSG_ALIGN(message->nlmsg_len);
	if (reader->at > reader->len)
		reader->at = reader->len;
	return message;
}

enum capture_state capture_state(const struct capture_reader *reader)
{
	return reader->state;
}

/* where the frame begins that the last message was in, or that is damaged */
__u64 capture_offset(const struct capture_reader *reader)
{
	return reader->offset;
}

/* how much of the file was read */
__u64 capture_read_bytes(const struct capture_reader *reader)
{
	return reader->packed_len + reader->unread.pos;
}

/* how far the file is whole: up to the end of a frame, all of which was given out */
__u64 capture_whole(const struct capture_reader *reader)
{
	return reader->whole;
}

/* was there any message of a capture? */
bool capture_any(const struct capture_reader *reader)
{
	return reader->any;
}
