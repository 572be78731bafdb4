/* SPDX-License-Identifier: GPL-2.0-only */
/* A capture of a page's records in memory, and what it tells. */
#ifndef _CAPTURED_H
#define _CAPTURED_H

#include "capture/capture.h"
#include "capture/capture_write.h"
#include "page.h"
#include "said.h"

extern char *capture;	/* to be freed */
extern size_t capture_len;

/* a capture that a test writes message by message */
extern FILE *written;
extern struct capture_writer *writer;

FILE *stream_of(const char *bytes, size_t len);

/* reads a capture and keeps what the reader says */
int collect_bytes(struct collection *read, const char *bytes, size_t len);
void pass_all(struct collection *read);

/* the messages of @capture, to be freed */
char *unpack_capture(size_t *len);

/* begins as one of the page's records does, without the records and their names */
void begin_capture(void);

/* ends it and reads it; the page's records are those that it holds then */
void finish_capture(void);

void put_function(__u64 epoch, __u64 from, __u64 size, const char *name, const char *module);
void put_record(__u64 seq, __u64 frame);

/* the same capture, with each message in a frame of its own */
void frame_each(void);

#endif /* _CAPTURED_H */
