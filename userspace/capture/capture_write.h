/* SPDX-License-Identifier: GPL-2.0-only */
/* Packs netlink messages into the frames of a capture. */
#ifndef _IRQOFF_CAPTURE_WRITE_H
#define _IRQOFF_CAPTURE_WRITE_H

#include <linux/netlink.h>
#include <stdbool.h>
#include <stdio.h>

struct capture_writer;
struct messages;
struct nl_msg;

struct capture_writer *capture_writer(FILE *out);
void capture_put(struct capture_writer *writer, const struct nlmsghdr *message);
void capture_put_all(struct capture_writer *writer, const struct messages *messages,
		     unsigned int cmd);
void capture_end_frame(struct capture_writer *writer);
bool capture_flush(struct capture_writer *writer);
bool capture_writer_close(struct capture_writer *writer);

struct nl_msg *capture_message(int cmd, size_t room);
void capture_put_message(struct capture_writer *writer, struct nl_msg *msg);

#endif /* _IRQOFF_CAPTURE_WRITE_H */
