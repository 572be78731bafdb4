/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Can this CPU run softirqs? preempt_count() says so, except on PREEMPT_RT: tasks run
 * softirqs there, tasks disable bottom halves, and both may be preempted, so that
 * softirq_count() speaks of one task only. There the softirqs themselves tell: one
 * that was raised and has not begun waits, whatever it waits for.
 */
#ifndef _TIO_SOFTIRQS_H
#define _TIO_SOFTIRQS_H

#include <linux/interrupt.h>
#include <linux/preempt.h>

#include "arch/clock.h"
#include "compat/bh_off.h"
#include "state/cpu.h"

#define TIO_SOFTIRQS_IN_TASKS	IS_ENABLED(CONFIG_PREEMPT_RT)

/*
 * The softirqs that were raised and have not begun, a bit each. On PREEMPT_RT these
 * are more than the kernel calls pending: its mask has those of timers only while
 * their thread runs, and it clears all of a batch as the first one begins.
 *
 * Context: interrupts off, as all of these unless they say otherwise.
 */
static inline u32 tio_softirqs_waiting(const struct tio_cpu *cpu)
{
	return local_softirq_pending() |
	       (TIO_SOFTIRQS_IN_TASKS ? cpu->softirqs.raised : 0);
}

/*
 * Could softirqs run when this interrupt came in? It must be the only one on the
 * stack, and none may wait to run at its end.
 */
static inline bool tio_softirqs_on(const struct tio_cpu *cpu)
{
	if (TIO_SOFTIRQS_IN_TASKS)
		return !tio_softirqs_waiting(cpu);
	return !(softirq_count() | (hardirq_count() & ~HARDIRQ_OFFSET)) &&
	       !local_softirq_pending();
}

/* softirqs are off: does none run or wait, so that nothing will show the end? */
static inline bool tio_softirqs_silent(void)
{
	return !TIO_SOFTIRQS_IN_TASKS && !in_serving_softirq() &&
	       !local_softirq_pending();
}

/* a softirq begins, or ends (@exit), while a softirq stall is open: is that its end? */
static inline bool tio_softirqs_go_on(const struct tio_cpu *cpu, bool exit)
{
	if (TIO_SOFTIRQS_IN_TASKS)
		return !cpu->softirqs.awaited;
	/* at an exit one is pending: its own entry will show that it can run */
	return !(exit && local_softirq_pending());
}

/*
 * A beat is the first one to find softirqs that wait. Returns since when the first of
 * them waits, 0 where that is not known.
 */
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

/* a softirq is raised; called on PREEMPT_RT alone */
static inline void tio_softirqs_raise(unsigned int nr)
{
	struct tio_cpu *cpu = raw_cpu_ptr(&tio_cpu);

	if (!tio_is_watched(cpu) || nr >= NR_SOFTIRQS || cpu->softirqs.raised & BIT(nr))
		return;
	cpu->softirqs.raised_at[nr] = tio_cycles();
	cpu->softirqs.raised |= BIT(nr);
}

/*
 * A softirq begins to run.
 * Context: interrupts on; an interrupt may raise softirqs meanwhile.
 */
static inline void tio_softirqs_begin(unsigned int nr)
{
	raw_cpu_write(tio_cpu.softirqs.running, nr + 1);
	if (TIO_SOFTIRQS_IN_TASKS && tio_is_watched(raw_cpu_ptr(&tio_cpu))) {
		this_cpu_and(tio_cpu.softirqs.raised, ~BIT(nr));
		this_cpu_and(tio_cpu.softirqs.awaited, ~BIT(nr));
	}
}

/* and ends; context as above */
static inline void tio_softirqs_end(void)
{
	raw_cpu_write(tio_cpu.softirqs.running, 0);
}

/* has a task bottom halves disabled, without serving softirqs? */
static inline bool tio_task_bh_off(const struct task_struct *task)
{
	int count = tio_task_softirq_count(task);

	return count && !(count & SOFTIRQ_OFFSET);
}

/*
 * Every switch of tasks counts how many of this CPU's tasks have bottom halves
 * disabled and do not run. Such a task stays on its CPU. A task that serves softirqs
 * holds up the others' while it sleeps. Where it was preempted, the task that runs
 * holds them up. One task at a time serves softirqs where others wait for it
 * (PREEMPT_RT_NEEDS_BH_LOCK).
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
	/* it may have been switched from before the probes were attached */
	if (tio_task_bh_off(next) && softirqs->held)
		softirqs->held--;
	if (softirqs->sleeper == next)
		softirqs->sleeper = NULL;
}

/* does a task that does not run hold up softirqs? */
static inline bool tio_softirqs_held(void)
{
	return TIO_SOFTIRQS_IN_TASKS && (raw_cpu_read(tio_cpu.softirqs.held) ||
					 raw_cpu_read(tio_cpu.softirqs.sleeper));
}

/* the CPU is about to be watched: what was raised before is not known */
static inline void tio_softirqs_reset(struct tio_cpu *cpu)
{
	cpu->softirqs.raised = 0;
}

/* probes are about to be attached: nobody has counted what tasks did until now */
static inline void tio_softirqs_forget(struct tio_cpu *cpu)
{
	cpu->softirqs.held = 0;
	cpu->softirqs.sleeper = NULL;
}

#endif /* _TIO_SOFTIRQS_H */
