/* SPDX-License-Identifier: GPL-2.0-only */
/* Unpacks the messages of a capture, up to where it is damaged. Trusts no byte of it. */
#ifndef _IRQOFF_CAPTURE_READ_H
#define _IRQOFF_CAPTURE_READ_H

#include <linux/netlink.h>
#include <linux/types.h>
#include <stdbool.h>
#include <stdio.h>

/* why there is no further message */
enum capture_state {
	CAPTURE_GOES_ON,
	CAPTURE_WHOLE,		/* it was written to its end */
	CAPTURE_CUT,		/* its end is missing */
	CAPTURE_DAMAGED,
	CAPTURE_FOREIGN,	/* it is something else */
	CAPTURE_UNREADABLE,	/* errno says why */
	CAPTURE_TOO_LARGE,	/* what it has takes too much memory */
};

struct capture_reader;

struct capture_reader *capture_reader(FILE *in);
struct nlmsghdr *capture_next(struct capture_reader *reader);
enum capture_state capture_state(const struct capture_reader *reader);
__u64 capture_offset(const struct capture_reader *reader);
__u64 capture_read_bytes(const struct capture_reader *reader);
__u64 capture_whole(const struct capture_reader *reader);
bool capture_any(const struct capture_reader *reader);
void capture_reader_close(struct capture_reader *reader);

#endif /* _IRQOFF_CAPTURE_READ_H */
