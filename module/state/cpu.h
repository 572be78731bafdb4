/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The state of one CPU: one struct for each unit that writes it. The CPU itself
 * writes all of it, with interrupts off, unless a comment says otherwise. Other
 * CPUs read single fields.
 *
 * tio stands for trace_irqoff.
 */
#ifndef _TIO_CPU_H
#define _TIO_CPU_H

#include <linux/hrtimer.h>
#include <linux/interrupt.h>
#include <linux/percpu.h>
#include <linux/smp.h>

#include "core/beat_plan.h"
#include "core/cost.h"
#include "core/peek.h"
#include "core/record.h"
#include "core/stall.h"
#include "core/walk_order.h"
#include "state/counters.h"
#include "state/handlers.h"
#include "state/nmi_time.h"
#include "state/open_stall.h"
#include "state/steal.h"

struct tio_ring;

/* tracepoints.c: the interrupt handler that runs now */
struct tio_irq_state {
	u64 entry;		/* tio_cycles() when it began; 0: none runs */
	unsigned long handler;	/* what it handles, see tio_irq_describe() */
};

/* buddy.c: this CPU looks after others */
struct tio_buddy {
	bool guards;		/* its timer walks even while it is idle */
	u8 idle_walks;		/* walks in a row that found nobody to guard */
};

/* heartbeat.c: what one beat leaves for the next one; tio_beat_timer_begin() resets it */
struct tio_heartbeat {
	u64 irq_entry;		/* tio_irq_state.entry at the last beat */
	u32 untraced_irqs;	/* tio_untraced_irqs() not long ago */
	unsigned int slow_mask;	/* one beat in slow_mask + 1 takes the slow path; 0 while lent */
	unsigned int timing_mask;	/* what that is while the beat runs */
	bool traced;		/* beats run in interrupts that probes see; not reset */
	bool later_irq;		/* handlers ran between due_ns and the late beat's */
	u64 answered_ns;	/* meanwhile.c: the last question that was answered; not reset */
};

/* cost_limit.c: what the beats of this CPU cost */
struct tio_cost_limit {
	struct tio_cost cost;
	/* counters.beats at the beat that asked for the next one to be measured; 0: none */
	u64 asked_at;
	u64 asked_ns;		/* when that was */
	u8 slow_reads;		/* of the kernel's clock, less the fast ones */
};

/*
 * softirqs.h: the softirqs of this CPU. Written with interrupts on, too: by operations
 * that are safe against interrupts. All but "running" are for PREEMPT_RT alone.
 */
struct tio_softirqs {
	u8 running;		/* number of the softirq whose action runs, + 1; 0: none */
	u32 raised;		/* raised and not begun, a bit each */
	u32 awaited;		/* of these, raised before the open stall began */
	u32 held;		/* tasks that disabled bottom halves and do not run */
	const struct task_struct *sleeper;	/* serves softirqs and sleeps; only compared */
	u64 raised_at[NR_SOFTIRQS];	/* tio_cycles() */
};

/* watch.c: what of the settings this CPU has taken up */
struct tio_watch {
	u64 generation;		/* tio_published.generation */
	u64 since_ns;		/* watched without a gap since then; 0: it is not watched */
	u64 settled_ns;		/* watched by cpu->timing since then; 0: it changes just now */
	bool online;		/* between its hotplug callbacks: it may be watched */
};

/* what tio_idle.awake is, unless it is a time */
#define TIO_AWAKE_ASLEEP	0	/* the CPU sleeps */
#define TIO_AWAKE_FRESH		1	/* it has not slept yet since it began to idle */
#define TIO_AWAKE_UNKNOWN	2	/* watching has just begun */

/* idle.c: when an idle CPU's beat is paused */
struct tio_idle {
	/*
	 * While the beat is paused between two sleeps: when interrupts were last on, as
	 * tio_cycles(). While a task runs it means nothing.
	 */
	u64 awake;
	u64 suspended_ns;	/* beat_timer.c: how long the machine was suspended so far */
	u64 nmi_from_ns;	/* NMI handlers ran while it slept, from then */
	u64 nmi_to_ns;		/* to then; 0: none did since it woke last. Written in NMIs, too */
	bool lends;		/* the tick can stand in for the beat */
	unsigned long cancel_credit;	/* jiffies; cancelling the timer uses it up */
	bool resumed_for_softirq;	/* the beat is to be paused as that softirq ends */
};

/*
 * nmi_sample.c: a sample of this CPU that another one requests. The CPU that holds
 * the state TIO_NMI_SENDING writes the first group, the one that holds
 * TIO_NMI_GIVING_UP the second one.
 */
struct tio_nmi_request {
	atomic_t state;
	u64 id;			/* tio_stall_id() of the stall that it is about */
	u64 sent_ns;
	unsigned int number;	/* of requests about that stall */
	bool requester_late;
	u64 full_ns;		/* when the CPU's budget is full, see tio_budget_take() */
	u64 refused;		/* samples that the budget refused */

	u64 lost;		/* NMIs given up */
	/* the CPU's state when its NMI was given up: whether it has handled an interrupt since */
	u64 owed_beats;		/* counters.beats */
	u64 owed_exit;		/* handled.exit */
	u64 owed_ns;		/* when that was */

	/* written by the CPU itself, in the NMI and in interrupts */
	bool credit;		/* the sample came by another NMI; ours may still arrive */
	u64 taken_ns;		/* when that was */
	u64 arrived_ns;		/* taken_ns, once an interrupt came in since */
};

struct tio_cpu {
	/* other CPUs' walks read these three: they share one cache line */
	struct tio_beat_plan beat;
	struct tio_irq_state irq;
	struct tio_buddy buddy;

	struct tio_stall stall;
	struct tio_timing timing;	/* watch.c: settings in force on this CPU */
	struct tio_watch watch;
	struct tio_heartbeat heartbeat;
	struct tio_handled handled;	/* handlers.c */
	/* every softirq touches these two: they share a cache line */
	struct tio_idle idle;
	struct tio_softirqs softirqs;
	struct tio_softnet net;		/* recorder.c: counters before an open stall */
	struct tio_nmi_time nmi_time;	/* nmi_time.c */
	struct tio_steal steal;		/* steal.c */
	struct tio_counters counters;
	struct tio_rounds rounds;	/* buddy.c: where its walks go on */
	struct tio_cost_limit cost_limit;

	/* each belongs to the unit that its name begins with */
	struct hrtimer beat_timer;
	struct hrtimer heartbeat_nudge;
	struct hrtimer buddy_timer;
	call_single_data_t buddy_call;

	/* other CPUs write this one while the CPU is stuck */
	struct tio_nmi_request nmi ____cacheline_aligned_in_smp;

	/*
	 * memory.c, under the settings mutex or in the CPU's hotplug callback. @ring is
	 * set once and stays. It has slots where @open is set. While the CPU is watched
	 * both stay.
	 */
	struct tio_ring *ring;
	struct tio_open __rcu *open;
};

DECLARE_PER_CPU(struct tio_cpu, tio_cpu);

/* is a CPU watched? Any CPU may ask */
static inline bool tio_is_watched(const struct tio_cpu *cpu)
{
	return READ_ONCE(cpu->beat.mode) != TIO_BEAT_OFF;
}

/* is its beat paused? likewise */
static inline bool tio_is_paused(const struct tio_cpu *cpu)
{
	return READ_ONCE(cpu->beat.mode) == TIO_BEAT_PAUSED;
}

/**
 * tio_cpu_ring() - the records of a CPU
 * @cpu: a possible CPU
 *
 * Context: any.
 * Return: its ring; NULL while it was never watched.
 */
static inline struct tio_ring *tio_cpu_ring(unsigned int cpu)
{
	/* pairs with tio_memory_prepare() */
	return smp_load_acquire(per_cpu_ptr(&tio_cpu.ring, cpu));
}

/**
 * tio_cpu_open() - the open stalls of this CPU
 * @cpu: this CPU, which is watched
 *
 * Context: interrupts off, or NMI.
 * Return: the room for them.
 */
static inline struct tio_open *tio_cpu_open(const struct tio_cpu *cpu)
{
	/* not freed before this CPU has taken up that it is not watched */
	return rcu_dereference_protected(cpu->open, 1);
}

/**
 * tio_stall_id_of() - what tells one hard stall of a CPU from the next one
 * @cpu: the CPU; the answer about another CPU is a guess
 * @paused: whether its beat is paused
 *
 * Context: any.
 * Return: the moment at which the beat is due, in ns; where the beat is paused, the
 * moment at which the handler that runs began, in cycles; 0 where none runs.
 */
static inline u64 tio_stall_id_of(const struct tio_cpu *cpu, bool paused)
{
	return paused ? READ_ONCE(cpu->irq.entry) : READ_ONCE(cpu->beat.due_ns);
}

static inline u64 tio_stall_id(const struct tio_cpu *cpu)
{
	return tio_stall_id_of(cpu, tio_is_paused(cpu));
}

#endif /* _TIO_CPU_H */
