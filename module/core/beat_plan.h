/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * When a CPU's beat is due, and which hard stalls an idle CPU has. Pure: takes what
 * happened and when, reads no clock, programs no timer.
 */
#ifndef _TIO_BEAT_PLAN_H
#define _TIO_BEAT_PLAN_H

#include <linux/types.h>

#include "core/stall.h"

/* "no beat is due"; equals KTIME_MAX */
#define TIO_NEVER_NS	0x7fffffffffffffffULL

/* what would tell of a hard stall; from TIO_BEAT_BORROWED on it is not the beat */
enum tio_beat_mode {
	TIO_BEAT_OFF,		/* nothing: the CPU is not watched */
	TIO_BEAT_RUNS,		/* its beat, due at due_ns */
	TIO_BEAT_BORROWED,	/* the kernel's tick, due by due_ns (tio_beat_plan_lend()) */
	TIO_BEAT_PAUSED,	/* the idle loop, which sleeps, or will in a moment */
};

struct tio_beat_plan {
	/* other CPUs read these two */
	__u64 due_ns;		/* CLOCK_MONOTONIC; TIO_NEVER_NS while paused */
	__u8 mode;		/* enum tio_beat_mode */

	__u32 hangs;		/* the CPU's nr_hangs (kernel/time/hrtimer.c) at the last look */
	__u64 put_off_ns;	/* the kernel runs no timer before; 0: it runs them all */
	__u64 lent_ns;		/* since when it is borrowed */
};

/* what an event asks for; all of it false: nothing */
struct tio_beat_todo {
	__u64 arm_ns;		/* arm the timer for then; 0: leave it */
	bool started;		/* forget what was noted of before: watching begins anew */
	bool hard_ended;	/* a hard stall is over: see out */
	struct tio_outcome out;
};

/* the end of an interrupt handler */
struct tio_irq_end {
	__u64 entry_ns;		/* when it began */
	bool timed;		/* exactly: the cycle counter is steady */
	__u64 now_ns;
	__u32 hangs;		/* the CPU's nr_hangs now */
	bool put_off;		/* hrtimer_interrupt() has put timers off, and they are still */
	__u64 awake_ns;		/* as of tio_beat_plan_sleep() */
	bool idle;		/* the CPU goes on being idle */
	bool softirqs_on;	/* softirqs could run when it began, and none waits now */
};

/*
 * The tick's interrupt may come so late without a stall. It is less than TIO_BOUNDS_SLACK_NS,
 * so each stall that irqoff alibi can exclude still has a record.
 */
#define TIO_TICK_LATE_NS	100000ULL

/* the longest that hrtimer_interrupt() puts timers off (kernel/time/hrtimer.c) */
#define TIO_HANG_MAX_NS	100000000ULL

/* has a beat fallen due that has not run? It must run, whatever the CPU does next */
static inline bool tio_beat_plan_overdue(const struct tio_beat_plan *plan, __u64 now_ns)
{
	return now_ns >= plan->due_ns;
}

void tio_beat_plan_start(struct tio_beat_plan *plan, struct tio_stall *stall, __u64 now_ns,
			 __u64 due_ns, __u32 hangs, bool softirqs_on,
			 struct tio_beat_todo *todo);
bool tio_beat_plan_lends(const struct tio_timing *timing, __u64 tick_ns);
void tio_beat_plan_lend(struct tio_beat_plan *plan, struct tio_stall *stall, __u64 now_ns,
			__u64 tick_ns);
void tio_beat_plan_pause(struct tio_beat_plan *plan);
void tio_beat_plan_sleep(struct tio_beat_plan *plan, struct tio_stall *stall,
			 const struct tio_timing *timing, __u64 now_ns, __u64 awake_ns,
			 struct tio_beat_todo *todo);
void tio_beat_plan_held(struct tio_beat_plan *plan, struct tio_stall *stall,
			const struct tio_timing *timing, __u64 from_ns, __u64 to_ns,
			struct tio_beat_todo *todo);
void tio_beat_plan_leave(struct tio_beat_plan *plan, struct tio_stall *stall,
			 const struct tio_timing *timing, __u64 now_ns, __u64 own_ns,
			 __u64 awake_ns, struct tio_beat_todo *todo);
void tio_beat_plan_move(struct tio_beat_plan *plan, __u64 due_ns);
void tio_beat_plan_irq_end(struct tio_beat_plan *plan, struct tio_stall *stall,
			   const struct tio_timing *timing, const struct tio_irq_end *irq,
			   struct tio_beat_todo *todo);
void tio_beat_plan_stop(struct tio_beat_plan *plan, struct tio_stall *stall,
			const struct tio_timing *timing, __u64 now_ns, __u64 awake_ns,
			struct tio_beat_todo *todo);

#endif /* _TIO_BEAT_PLAN_H */
