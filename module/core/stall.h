/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Turns the times of one CPU's beats, interrupt exits and softirqs into stalls
 * with bounds. Pure: takes timestamps, reads no clock.
 */
#ifndef _TIO_STALL_H
#define _TIO_STALL_H

#include <linux/types.h>
#ifndef __KERNEL__
#include <stdbool.h>
#include <stddef.h>
#endif

struct tio_timing {
	__u64 period_ns;
	__u64 threshold_ns;
};

struct tio_bounds {
	__u64 min_ns;
	__u64 max_ns;
};

struct tio_stall {
	/* every softirq reads this one: it lies in the first cache line of tio_cpu */
	__u64 soft_due_ns;	/* first beat that found softirqs off; 0: no softirq stall */
	__u64 hard_on_ns;	/* the last moment at which interrupts were surely on */
	__u64 hard_due_ns;	/* lower bound of the open hard stall's begin; 0: none */
	__u64 soft_on_ns;	/* the last moment softirqs could surely run; 0: not known */
	__u64 hard_from_ns;	/* upper bound of hard_due_ns' begin: hard_on_ns before it */
	__u64 soft_off_ns;	/* last beat that found softirqs off */
	__u64 nested_ns;	/* recorded hard stalls since soft_due_ns */
	__u64 late_ns;		/* counted hard stalls since soft_due_ns */
	__u64 next_sample_ns;	/* after soft_due_ns; 0: not set yet */
};

/* one run of the heartbeat */
struct tio_beat {
	__u64 due_ns;		/* when it should have run */
	__u64 now_ns;		/* when it did */
	__u64 next_ns;		/* when it is due again */
	bool softirqs_on;	/* enabled, none running, none pending */
	bool silent;		/* off, and no softirq will show when they are on again */
	bool again;		/* in the same interrupt as the beat before */
	__u64 entry_ns;		/* of the interrupt it runs in; 0: not known */
};

/* what an event proved, and what is to be done about it */
struct tio_outcome {
	struct tio_bounds hard;
	struct tio_bounds soft;
	__u64 soft_nested_ns;
	__u64 soft_late_ns;	/* counted hard stalls in it */
	bool count_hard;
	bool record_hard;
	bool hard_ended;
	bool soft_ended;
	bool count_soft;
	bool record_soft;
	bool sample_soft;
	bool nudge;		/* raise a softirq, which shows the end of the stall */
};

/* the shortest stall that is counted, in periods: beats are too coarse for less */
#define TIO_COUNT_PERIODS	2

/**
 * tio_stall_fast() - the fast path of tio_stall_beat()
 * @stall: the CPU's state
 * @now_ns: when the beat ran
 * @entry_ns: when the interrupt came in that it runs in; @now_ns if not known
 *
 * The beat must be late by less than a period, have found softirqs on, and be the
 * first one in its interrupt.
 *
 * Context: any.
 * Return: true when no stall is open; @stall is as tio_stall_beat() would leave it.
 * False when tio_stall_beat() must be called; nothing has changed.
 */
static inline bool tio_stall_fast(struct tio_stall *stall, __u64 now_ns,
				  __u64 entry_ns)
{
	if (stall->soft_due_ns | stall->hard_due_ns)
		return false;
	stall->soft_on_ns = now_ns;
	stall->hard_on_ns = entry_ns;
	return true;
}

/* interrupts are known to have been on at @on_ns */
static inline void tio_stall_hard_on(struct tio_stall *stall, __u64 on_ns)
{
	stall->hard_on_ns = on_ns;
}

/* softirqs are known to have been able to run at @on_ns */
static inline void tio_stall_soft_on(struct tio_stall *stall, __u64 on_ns)
{
	stall->soft_on_ns = on_ns;
}

/* the threshold has changed: sample an open softirq stall by the new one */
static inline void tio_stall_resample(struct tio_stall *stall)
{
	stall->next_sample_ns = 0;
}

void tio_stall_start(struct tio_stall *stall, __u64 now_ns, bool softirqs_on);
void tio_stall_beat(struct tio_stall *stall, const struct tio_timing *timing,
		    const struct tio_beat *beat, struct tio_outcome *out);
void tio_stall_late(struct tio_stall *stall, __u64 due_ns);
void tio_stall_irq_exit(struct tio_stall *stall,
			const struct tio_timing *timing, __u64 now_ns,
			struct tio_outcome *out);
void tio_stall_softirq(struct tio_stall *stall,
		       const struct tio_timing *timing, __u64 now_ns,
		       struct tio_outcome *out);

#endif /* _TIO_STALL_H */
