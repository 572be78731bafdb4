/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Can this CPU run softirqs? preempt_count() says it, but on PREEMPT_RT, where tasks
 * run them and tasks disable bottom halves, preempted or not: softirq_count() speaks
 * of one task there. So it is the softirqs that tell: one that was raised and has
 * not begun waits, whoever it waits for.
 */
#ifndef _TIO_SOFTIRQS_H
#define _TIO_SOFTIRQS_H

#include <linux/interrupt.h>
#include <linux/preempt.h>

#include "compat/bh_off.h"
#include "cpu.h"
#include "cycles.h"

#define TIO_SOFTIRQS_IN_TASKS	IS_ENABLED(CONFIG_PREEMPT_RT)

/*
 * Those that were raised and have not begun. On PREEMPT_RT these are more than the
 * kernel calls pending: its mask has those of timers only when their thread runs,
 * and forgets all of a batch as the first of them begins.
 *
 * Context: as all of these, interrupts off.
 */
static inline u32 tio_softirqs_waiting(const struct tio_cpu *cpu)
{
	return local_softirq_pending() |
	       (TIO_SOFTIRQS_IN_TASKS ? cpu->softirqs.raised : 0);
}

/*
 * Softirqs could run when this interrupt came in, the only one on the stack, and
 * none waits to be run at its end.
 */
static inline bool tio_softirqs_on(const struct tio_cpu *cpu)
{
	if (TIO_SOFTIRQS_IN_TASKS)
		return !tio_softirqs_waiting(cpu);
	return !(softirq_count() | (hardirq_count() & ~HARDIRQ_OFFSET)) &&
	       !local_softirq_pending();
}

/* where they are off: no softirq is there to show when that is over */
static inline bool tio_softirqs_silent(void)
{
	return !TIO_SOFTIRQS_IN_TASKS && !in_serving_softirq() &&
	       !local_softirq_pending();
}

/* one begins or ends while others have been waited for: is that over? */
static inline bool tio_softirqs_go_on(const struct tio_cpu *cpu, bool exit)
{
	if (TIO_SOFTIRQS_IN_TASKS)
		return !cpu->softirqs.awaited;
	/* what is pending at an exit shows by its own entry when it can run */
	return !(exit && local_softirq_pending());
}

/* a beat is the first to find some that wait; returns since when, 0: not known */
static inline u64 tio_softirqs_await(struct tio_cpu *cpu, u64 now_ns)
{
	u64 now = tio_cycles(), longest = 0;
	unsigned int nr;

	if (!TIO_SOFTIRQS_IN_TASKS)
		return 0;
	cpu->softirqs.awaited = tio_softirqs_waiting(cpu);
	for (nr = 0; nr < NR_SOFTIRQS; nr++)
		if (cpu->softirqs.raised & BIT(nr))
			longest = max(longest, now - cpu->softirqs.raised_at[nr]);
	return longest ? now_ns - tio_cycles_to_ns(longest) : 0;
}

/* as each is raised, on PREEMPT_RT */
static inline void tio_softirqs_raise(unsigned int nr)
{
	struct tio_cpu *cpu = raw_cpu_ptr(&tio_cpu);

	if (!cpu->armed || nr >= NR_SOFTIRQS || cpu->softirqs.raised & BIT(nr))
		return;
	cpu->softirqs.raised_at[nr] = tio_cycles();
	cpu->softirqs.raised |= BIT(nr);
}

/* Context: interrupts on; one may raise softirqs meanwhile. */
static inline void tio_softirqs_begin(unsigned int nr)
{
	if (TIO_SOFTIRQS_IN_TASKS && raw_cpu_read(tio_cpu.armed)) {
		this_cpu_and(tio_cpu.softirqs.raised, ~BIT(nr));
		this_cpu_and(tio_cpu.softirqs.awaited, ~BIT(nr));
	}
}

/* it has bottom halves disabled, and serves no softirq */
static inline bool tio_task_bh_off(const struct task_struct *task)
{
	int count = tio_task_softirq_count(task);

	return count && !(count & SOFTIRQ_OFFSET);
}

/*
 * At every switch of tasks: how many of this CPU's have bottom halves disabled
 * without running. Such a task stays on its CPU. One that serves softirqs holds the
 * others up where it sleeps; where it was preempted, whoever runs does. Only one
 * serves them at a time where others wait for it (PREEMPT_RT_NEEDS_BH_LOCK).
 */
static inline void tio_softirqs_switch(bool preempted,
				       const struct task_struct *prev,
				       const struct task_struct *next)
{
	struct tio_softirqs *softirqs = raw_cpu_ptr(&tio_cpu.softirqs);

	if (!TIO_SOFTIRQS_IN_TASKS)
		return;
	if (tio_task_bh_off(prev))
		softirqs->held++;
	else if (!preempted && tio_task_softirq_count(prev))
		softirqs->sleeper = prev;
	/* it may have been preempted before anybody looked */
	if (tio_task_bh_off(next) && softirqs->held)
		softirqs->held--;
	if (softirqs->sleeper == next)
		softirqs->sleeper = NULL;
}

/* does one that does not run hold others' softirqs up? */
static inline bool tio_softirqs_held(void)
{
	return TIO_SOFTIRQS_IN_TASKS && (raw_cpu_read(tio_cpu.softirqs.held) ||
					 raw_cpu_read(tio_cpu.softirqs.sleeper));
}

#endif /* _TIO_SOFTIRQS_H */
