/* SPDX-License-Identifier: GPL-2.0-only */
/* Packets in a row that no reply came for, and when they were sent, as far as neighbours tell. */
#ifndef _IRQOFF_REPLY_MISSING_H
#define _IRQOFF_REPLY_MISSING_H

#include <linux/types.h>
#include <stddef.h>

/* packets in a row without a reply */
struct missing {
	size_t given;		/* how many of them were told as lost */
	__u64 first, last;
	__u64 left_ns, right_ns;	/* when those beside them were sent; 0: not known */
	unsigned int line;
	size_t index;			/* of the first one's reply, once they were given up */
};

__u64 missing_estimate(const struct missing *row, __u64 seq, __u64 apart_ns);
__u64 missing_unsure(const struct missing *row, __u64 sent_ns, __u64 apart_ns);

#endif /* _IRQOFF_REPLY_MISSING_H */
