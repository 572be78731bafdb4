/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the tracer holds for one CPU. Written by that CPU alone, with interrupts
 * off, unless said otherwise; others read single fields of it.
 */
#ifndef _TIO_CPU_H
#define _TIO_CPU_H

#include <linux/hrtimer.h>
#include <linux/interrupt.h>
#include <linux/percpu.h>
#include <linux/smp.h>

#include "asked.h"
#include "handlers.h"
#include "histogram.h"
#include "record.h"
#include "stall.h"

struct tio_ring;

#define TIO_NEVER_NS	((u64)KTIME_MAX)

/* of a PREEMPT_RT kernel, softirqs.h */
struct tio_softirqs {
	u32 raised;			/* and not begun */
	u32 awaited;			/* since the stall began that is open */
	u32 held;			/* tasks that have them off and do not run */
	const struct task_struct *sleeper;	/* one that serves them, never looked into */
	u64 raised_at[NR_SOFTIRQS];	/* tio_cycles() */
};

struct tio_cpu {
	/* what other CPUs look at, in one line */
	u64 due_ns;			/* of the next beat, or TIO_NEVER_NS */
	u64 irq_entry;			/* tio_cycles() of the handler that runs; 0: none */
	bool armed;
	bool parked;			/* armed, but idle: no beat is due */
	bool guards;			/* stays awake, though idle, for another CPU */
	u8 needless;			/* ... in so many walks for none */

	struct tio_stall stall;
	struct tio_timing timing;	/* settings in force on this CPU */
	unsigned long handler;		/* what it handles, TIO_HANDLER_ACTION */
	u64 beat_entry;			/* irq_entry at the last beat */
	struct tio_handled handled;
	u32 hangs;			/* hrtimer_interrupt() gave up so often */
	u32 unseen_irqs;		/* tio_unseen_irqs() not long ago */
	struct tio_softirqs softirqs;
	u8 softirq;			/* whose action runs, number + 1; 0: none's */
	bool second;			/* handlers ran between due_ns and the late beat's */
	bool resumed_for_softirq;	/* from idle: to be parked at its end */
	struct tio_softnet net;		/* some beats ago, no stall open */
	unsigned long take_back;	/* jiffies; what park.c has spent */

	unsigned int other_mask;	/* one beat in so many looks around */

	struct hrtimer beat;
	struct hrtimer nudge;
	struct hrtimer patrol;
	call_single_data_t guard;

	u64 beats;
	u64 samples;
	u64 cost_ns;			/* of cost_beats of the beats */
	u64 cost_beats;
	struct tio_histogram hard;
	struct tio_histogram soft;

	/* other CPUs write this, when this one is stuck */
	struct tio_asked asked ____cacheline_aligned_in_smp;

	/* set once, before the first beat, under the settings mutex or by the
	 * CPU's own hotplug callback; freed by module exit
	 */
	struct tio_ring *ring;
};

DECLARE_PER_CPU(struct tio_cpu, tio_cpu);

/*
 * A field that its CPU may be writing at this very moment, by a plain store: to be
 * shown, or in an NMI, where either value is as good.
 */
#define tio_peek(field)	data_race(READ_ONCE(field))

/*
 * What tells one hard stall of a CPU from the next: the moment at which the beat
 * is due, in ns; where none is (@parked), the beginning of the handler that runs
 * on top of the idle CPU, in cycles, 0 if none does. Of another CPU it is a guess.
 */
static inline u64 tio_stall_id_of(const struct tio_cpu *cpu, bool parked)
{
	return parked ? READ_ONCE(cpu->irq_entry) : READ_ONCE(cpu->due_ns);
}

static inline u64 tio_stall_id(const struct tio_cpu *cpu)
{
	return tio_stall_id_of(cpu, READ_ONCE(cpu->parked));
}

#endif /* _TIO_CPU_H */
