/* SPDX-License-Identifier: GPL-2.0-only */
/* The numbers of the packets that were sent to one target, and which of them are lost. */
#ifndef _IRQOFF_REPLY_SEQUENCE_H
#define _IRQOFF_REPLY_SEQUENCE_H

#include <linux/types.h>
#include <stddef.h>

#include "replies/replies.h"

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

#define APART_KEPT	15

struct sequence {
	/* set by the caller */
	enum reply_kind kind;
	unsigned int target;
	bool wraps;		/* at 16 bits */
	__u64 usual_ns;		/* between packets, until the log has told; 0: 1 s */

	bool begun;		/* there was a reply */
	bool has_first;
	__u64 first;		/* number of the run's first packet; 0: not known */
	__u64 highest;		/* that was replied to */
	__u64 highest_ns;	/* when that was sent */
	__u64 sent;		/* packets below this number were sent */
	__u64 unanswered;	/* none will come for numbers below this one */
	struct missing *missing;	/* by number */
	size_t nmissing;
	size_t given_up;	/* of them, from the first on */
	__u64 apart_ns[APART_KEPT];	/* between packets, as they were sent lately */
	size_t napart;
	__u64 slowest_ns;
	unsigned int line;
};

void sequence_begin(struct sequence *sequence, struct replies *replies, __u64 first);
bool sequence_reply(struct sequence *sequence, struct replies *replies, const struct reply *reply);
void sequence_pass(struct sequence *sequence, struct replies *replies, const struct reply *reply);
void sequence_sent(struct sequence *sequence, __u64 seq, unsigned int line);
void sequence_lost(struct sequence *sequence, __u64 seq, unsigned int line);
void sequence_unsent(struct sequence *sequence, unsigned int line);
__u64 sequence_apart(const struct sequence *sequence);
__u64 sequence_number(const struct sequence *sequence, __u64 seq);
__u64 sequence_estimate(const struct sequence *sequence, __u64 seq);
void sequence_end(struct sequence *sequence, struct replies *replies);

#endif /* _IRQOFF_REPLY_SEQUENCE_H */
