/* SPDX-License-Identifier: GPL-2.0-only */
/* A log of requests and replies, line by line, in any of the formats that are known. */
#ifndef _IRQOFF_REPLY_LOG_H
#define _IRQOFF_REPLY_LOG_H

#include "replies/replies.h"

int reply_options_check(const struct reply_options *options, const struct replies *replies);
struct reply_log *reply_log(const char *name, const struct reply_options *options,
			    struct replies *replies);
int reply_log_line(struct reply_log *log, const char *line, __u64 now_ns);
int reply_log_end(struct reply_log *log);
int reply_log_read(const char *name, const struct reply_options *options, struct replies *replies);

#endif /* _IRQOFF_REPLY_LOG_H */
