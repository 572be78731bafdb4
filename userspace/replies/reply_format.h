/* SPDX-License-Identifier: GPL-2.0-only */
/* What a log's formats share, and what each of them has to do. */
#ifndef _IRQOFF_REPLY_FORMAT_H
#define _IRQOFF_REPLY_FORMAT_H

#include "base/say.h"
#include "replies/replies.h"
#include "replies/reply_sequence.h"

/* in the place of an exit status */
#define LINE_FOREIGN	(-1)	/* it is neither of a reply nor the tool's own */
#define LINE_UNTOLD	(-2)	/* it is of a reply, and nobody knows how long that took */
#define LINE_ASIDE	(-3)	/* it tells of no reply, whatever the log's format is */

/* what the columns or keys of a request log are called */
struct request_fields {
	char *time, *latency, *target;	/* of --fields; NULL: the usual names */
};

/* where the columns are; -1: there is none */
struct request_columns {
	char separator;		/* 0: not known yet */
	int time, latency, target;
	__u64 unit_ns;		/* of latencies, as the name says; 0: it does not */
	bool puzzling;		/* a line of names was read that are not known */
};

struct reply_log {
	char *name;
	struct reply_options options;
	struct replies *replies;
	int (*take)(struct reply_log *log, char *line, __u64 now_ns);	/* NULL: not known yet */
	unsigned int line;
	__u64 stamp_grain_ns;	/* of what somebody put before its lines; 0: nobody did */
	size_t first_reply;	/* in replies */
	size_t said;		/* how many replies */
	int status;		/* of the first error */
	char *puzzle;		/* what was not understood first; NULL: nothing */
	int puzzle_status;
	__u64 grain_ns;		/* of its finest stamp: tools leave out zeros at the end */
	__u64 others_grain_ns;	/* of the logs before it */

	/* of packets */
	struct sequence *sequences;	/* by target */
	size_t nsequences;
	bool has_host;		/* the run's first line named the target */
	unsigned int target;	/* of the last line that named one */
	struct hping *hping;
	/* of requests */
	struct request_fields fields;
	struct request_columns columns;
};

/* each takes a line, which it may change, and returns an exit status or one of these */
int ping_take(struct reply_log *log, char *line, __u64 now_ns);
int hping_take(struct reply_log *log, char *line, __u64 now_ns);
int fping_take(struct reply_log *log, char *line, __u64 now_ns);
void fping_end(struct reply_log *log);
int json_take(struct reply_log *log, char *line, __u64 now_ns);
int csv_take(struct reply_log *log, char *line, __u64 now_ns);

/* reply_format.c: parts of lines, and what packets have in common */
bool line_begins(const char *line, const char *text);
const char *line_value(const char *line, const char *key);
bool line_number(const char *text, __u64 *number);
bool line_ms(const char *text, __u64 *ns);
char *line_stamp(char *line, __u64 *ns, __u64 *grain_ns);
void log_grain(struct reply_log *log, __u64 grain_ns);
bool log_knows_target(const struct reply_log *log);
struct sequence *log_sequence(struct reply_log *log, enum reply_kind kind, bool wraps);
void log_packet(struct reply_log *log, struct sequence *sequence, const struct reply *reply);

/* reply_request.c: what CSV and JSON have in common */
int fields_read(struct reply_log *log);
void fields_free(struct request_fields *fields);
bool field_is_time(const struct request_fields *fields, const char *name);
bool field_is_latency(const struct request_fields *fields, const char *name, __u64 *unit_ns);
bool field_is_target(const struct request_fields *fields, const char *name);
__u64 field_unit(const char *name);
int request_take(struct reply_log *log, const char *time, const char *latency, __u64 unit_ns,
		 const char *target);

/* reply_puzzle.c */
__printf(3, 4) void log_puzzle(struct reply_log *log, int status, const char *format, ...);
void log_puzzle_fields(struct reply_log *log, const char *noun, const char *names, bool time,
		       bool latency);
int log_puzzle_tell(const struct reply_log *log);

#endif /* _IRQOFF_REPLY_FORMAT_H */
