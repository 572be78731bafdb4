/* SPDX-License-Identifier: GPL-2.0-only */
/* A log of requests and replies, line by line, in any of the formats that are known. */
#ifndef _IRQOFF_REPLY_LOG_H
#define _IRQOFF_REPLY_LOG_H

#include "replies.h"

struct reply_options {
	bool time_is_given;
	bool time_is_end;	/* stamps of request logs are of the reply, not of the request */
	__u64 unit_ns;		/* of latencies that bear none themselves; 0: not given */
	__u64 start_ns;		/* when hping3 sent its first packet; 0: not given */
	__u64 interval_ns;	/* between packets; 0: not given */
	const char *fields;	/* TIME,LATENCY[,TARGET]: columns or keys; NULL: the usual names */
};

int reply_options_check(const struct reply_options *options, const struct replies *replies);
struct reply_log *reply_log(const char *name, const struct reply_options *options,
			    struct replies *replies);
int reply_log_line(struct reply_log *log, const char *line, __u64 now_ns);
int reply_log_end(struct reply_log *log);
int reply_log_read(const char *name, const struct reply_options *options, struct replies *replies);

#endif /* _IRQOFF_REPLY_LOG_H */
