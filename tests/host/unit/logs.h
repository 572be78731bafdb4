/* SPDX-License-Identifier: GPL-2.0-only */
/* Logs of packets and their replies, read from memory. */
#ifndef _LOGS_H
#define _LOGS_H

#include "fixture.h"
#include "replies/reply_log.h"
#include "said.h"

#define SECOND	(1000 * MS)
#define US	1000ULL

extern struct replies replies;
extern struct reply_options options;

int open_log(void **state);
int close_log(void **state);

#define test_log(test)	cmocka_unit_test_setup_teardown(test, open_log, close_log)

/* reads a log as a file; returns its status, and keeps what was said */
int read_text(const char *name, const char *text);

/* reads what was written to a stream in memory; closes and frees it */
void read_written(FILE *out, char **text);

/* reads a log, without the replies of those before */
void assert_read(const char *text, size_t count, size_t lost, size_t ignored);

void assert_reply(size_t i, __u64 seq, __u64 sent_ns, __u64 came_ns);

/* the only reply, or lost packet, with this number */
const struct reply *number(__u64 seq);
void assert_lost(__u64 seq, __u64 sent_ns);
size_t count_lost(void);

/* lines at one packet each 200 ms from second 1000 on: "[1795001000.000500] ... time=0.500 ms" */
void put_ping(FILE *out, unsigned int seq, __u64 sent_ms, __u64 took_us);
__u64 at_ms(__u64 ms);

#endif /* _LOGS_H */
