/* SPDX-License-Identifier: GPL-2.0-only */
/* Requests and their replies, as logs tell of them. No input and no output. */
#ifndef _IRQOFF_REPLIES_H
#define _IRQOFF_REPLIES_H

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>

enum reply_kind {
	REPLY_ECHO,	/* of a ping: nobody sends it again */
	REPLY_CONNECT,	/* of a SYN that a tool sent itself: nobody sends that again either */
	REPLY_REQUEST,	/* of the kernel's TCP, which sends again what is lost */
};

/* times are by the wall clock of whoever wrote the log */
struct reply {
	enum reply_kind kind;
	bool lost;
	bool untold;		/* a lost one, of which the log does not say that it is */
	__u64 sent_ns;		/* of a lost one, estimated from its neighbours */
	__u64 came_ns;		/* 0: lost */
	__u64 unsure_ns;	/* of a lost one: it was sent so much earlier or later */
	unsigned int target;	/* index in targets */
	__u64 seq;		/* from the log, not wrapped; of request logs the line */
	unsigned int line;	/* of its log, from 1; of a lost one, of what showed that it is */
};

/* how a log is to be read */
struct reply_options {
	bool time_is_given;
	bool time_is_end;	/* stamps of request logs are of the reply, not of the request */
	__u64 unit_ns;		/* of latencies that bear none themselves; 0: not given */
	__u64 start_ns;		/* when hping3 sent its first packet; 0: not given */
	__u64 interval_ns;	/* between packets; 0: not given */
	const char *fields;	/* TIME,LATENCY[,TARGET]: columns or keys; NULL: the usual names */
};

struct replies {
	struct reply *all;	/* in the order in which the logs told; reply_sequence.h has why */
	size_t count;
	size_t lost;		/* of these, without those that are untold */
	size_t untold;
	char **targets;		/* printable; "" where a log names none */
	size_t ntargets;
	struct lh_table *by_target;	/* indices in targets */
	__u64 grain_ns;		/* how fine the stamps of the coarsest log are; 0: there are none */
	bool any_requests;	/* some log is one of requests */
	bool any_hping;		/* some log is hping3's */
	bool zoneless;		/* a stamp is of local time and names no zone */
	size_t ignored;		/* lines of which nobody knows what they say */
	unsigned int first_ignored;	/* the number of the first of them in its log */
	char *ignored_log;	/* that log; NULL: there is none */
	char *ignored_text;	/* how the line begins */
};

struct reply *replies_add(struct replies *replies, const struct reply *reply);
bool replies_too_many(const struct replies *replies);
unsigned int replies_target(struct replies *replies, const char *name);
void replies_free(struct replies *replies);

#endif /* _IRQOFF_REPLIES_H */
