/* SPDX-License-Identifier: GPL-2.0-only */
/* Made-up stalls that wait for each other, on CPUs 0 to 3, which are all watched. */
#ifndef _WAITERS_H
#define _WAITERS_H

#include "fixture.h"

/* the time at which most of them end */
#define END	(1000 * MS)

extern struct collection waiters;
extern struct model * const model;

int open_waiters(void **state);
int close_waiters(void **state);

/* how a node was watched, without a stall so far */
struct watching {
	unsigned int cpus;	/* from 0 on */
	__u64 from_ns, to_ns;	/* by the kernel's clock */
	__u64 threshold_ns;
	__u64 boot_ns;		/* the wall clock at the kernel's 0 */
};

void watch_waiters(const struct watching *watching);

#define test_waiters(test)	cmocka_unit_test_setup_teardown(test, open_waiters, close_waiters)

struct entry *add_holder(__u32 cpu, __u64 seq, __u64 end_ns, __u64 min_ns);
struct entry *add_waiter(__u32 cpu, __u64 seq, __u64 end_ns, __u64 min_ns, __u64 in);
struct entry *add_soft_waiter(__u32 cpu, __u64 seq, __u64 end_ns, __u64 min_ns, __u64 in);
void look_again(struct entry *entry, __u64 at_ns, __u64 in);

/* judges everything again from the start */
void judge(void);
void assert_waits_for(const struct entry *entry, const char *wanted);
void assert_judged(const struct entry *entry, const char *wanted);

/* a separate model for tests of the output, with other CPUs */
void fixture_collect_victims(struct collection *collection);

#endif /* _WAITERS_H */
