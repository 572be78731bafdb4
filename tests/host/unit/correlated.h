/* SPDX-License-Identifier: GPL-2.0-only */
/* A log of replies and the stalls of one node with two CPUs, and which of these explain which. */
#ifndef _CORRELATED_H
#define _CORRELATED_H

#include "correlate/blame.h"
#include "correlate/correlate.h"
#include "logs.h"
#include "waiters.h"

#define ENABLED_NS	(100 * SECOND)
#define TO_NS		(1000 * SECOND)
#define BASE_NS		(200 * 1000)
/* the wall clock at the kernel's 0 */
#define BOOT_NS		(1000000 * SECOND)

extern struct correlation correlation;
extern struct filter filter;

int open_correlation(void **state);
int close_correlation(void **state);

#define test_correlation(test)	\
	cmocka_unit_test_setup_teardown(test, open_correlation, close_correlation)

/* adds a record that ended then; its counters say that it is there */
void add_stall(__u32 cpu, __u64 end_ns, __u64 max_ns);
struct reply *add_reply(__u64 sent_ns, __u64 took_ns);
void add_lost(__u64 sent_ns);

/* one that takes as long as usual, each second */
void add_usual(void);

/* those that take 10 ms, or so long */
void correlate(void);
void correlate_over(__u64 over_ns);

/* the same replies, by a device's packets if one is named */
void correlate_again(const char *dev);

/* what a recorder read at a moment: packets of CPUs 0 and 1, and what they dropped */
void count_packets(__u64 at_ns, unsigned int first, unsigned int second, unsigned int dropped);

/* of the only slow reply */
const struct finding *only(void);

#endif /* _CORRELATED_H */
