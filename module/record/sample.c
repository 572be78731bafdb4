// SPDX-License-Identifier: GPL-2.0-only
#include <linux/interrupt.h>
#include <linux/preempt.h>
#include <linux/ptrace.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>

#include "arch/clock.h"
#include "arch/irq_text.h"
#include "arch/lock.h"
#include "arch/unwind.h"
#include "compat/cgroup_id.h"
#include "record/sample.h"
#include "record/stack.h"
#include "state/cpu.h"
#include "state/opaque.h"
#include "state/softirqs.h"

/* what nmi_enter() adds to preempt_count() */
#define TIO_NMI_OFFSET	(NMI_OFFSET + HARDIRQ_OFFSET)

/*
 * Between the tracepoints around an idle state. The rest of the idle loop calls functions
 * of others, as any task does: flush_smp_call_function_queue(), nohz_run_idle_balance().
 */
static bool asleep(void)
{
	u64 awake = raw_cpu_read(tio_cpu.idle.awake);

	return awake == TIO_AWAKE_ASLEEP || awake == TIO_AWAKE_UNKNOWN;
}

/* @count: preempt_count() of what was interrupted */
static u32 state_flags(const struct pt_regs *regs, u32 count)
{
	u32 flags = 0;

	if (count & HARDIRQ_MASK)
		flags |= TRACE_IRQOFF_F_HARDIRQ;
	if (count & SOFTIRQ_OFFSET) {
		flags |= TRACE_IRQOFF_F_SERVING_SOFTIRQ;
		if (!raw_cpu_read(tio_cpu.softirqs.running))
			flags |= TRACE_IRQOFF_F_SOFTIRQ_LOOP;
	} else if (count & SOFTIRQ_MASK) {
		flags |= TRACE_IRQOFF_F_BH_OFF;
	}
	if (tio_softirqs_held())
		flags |= TRACE_IRQOFF_F_BH_HELD;
	if (is_idle_task(current))
		flags |= asleep() ? TRACE_IRQOFF_F_IDLE : TRACE_IRQOFF_F_IDLE_LOOP;
	if (regs && user_mode((struct pt_regs *)regs))
		flags |= TRACE_IRQOFF_F_USER;
	if (regs && !regs_irqs_disabled((struct pt_regs *)regs))
		flags |= TRACE_IRQOFF_F_IRQS_ON;
	return flags;
}

/*
 * The task's cgroup. Where the memory controller lives in a v1 hierarchy it is that
 * one's: containers are there then, and the unified hierarchy holds systemd's only.
 */
static u64 cgroup_of(struct task_struct *task, u32 *flags)
{
	struct cgroup *cgrp;
	u64 id;

	rcu_read_lock();
	cgrp = task_dfl_cgroup(task);
#ifdef CONFIG_MEMCG
	if (task_cgroup(task, memory_cgrp_id)->root != &cgrp_dfl_root) {
		cgrp = task_cgroup(task, memory_cgrp_id);
		*flags |= TRACE_IRQOFF_F_CGROUP_V1;
	}
#endif
	id = cgroup_id(cgrp);
	rcu_read_unlock();
	return id;
}

/*
 * The current task's process. Both pointers stay valid while it runs, in a read-side section of
 * RCU; a task that has just been released has no process any more.
 */
static void describe_process(struct tio_sample *sample, struct task_struct *task)
{
	struct task_struct *parent;
	struct signal_struct *signal;

	sample->threads = 0;
	sample->parent = 0;
	sample->parent_comm[0] = '\0';
	if (task->flags & PF_KTHREAD)
		return;
	rcu_read_lock();
	signal = READ_ONCE(task->signal);
	if (signal)
		sample->threads = READ_ONCE(signal->nr_threads);
	parent = rcu_dereference(task->real_parent);
	sample->parent = parent->tgid;
	memcpy(sample->parent_comm, parent->comm, sizeof(sample->parent_comm));
	sample->parent_comm[sizeof(sample->parent_comm) - 1] = '\0';
	rcu_read_unlock();
}

/* can the interrupted code be an interrupt's way out? That runs no softirq's action */
static bool way_out(u32 flags)
{
	return flags & TRACE_IRQOFF_F_SOFTIRQ_LOOP ||
	       !(flags & TRACE_IRQOFF_F_SERVING_SOFTIRQ);
}

/* fills in all but flags and stack; returns the flags */
static u32 describe(struct tio_sample *sample, const struct pt_regs *regs,
		    u64 now_ns, u32 count)
{
	struct task_struct *task = current;
	u32 flags;

	/* on PREEMPT_RT these bits are in the task, not in preempt_count() */
	count |= softirq_count();
	flags = state_flags(regs, count);
	sample->at_ns = now_ns;
	sample->preempt_count = count;
	sample->pending = tio_softirqs_waiting(this_cpu_ptr(&tio_cpu));
	sample->pid = task->pid;
	sample->tgid = task->tgid;
	memcpy(sample->comm, task->comm, sizeof(sample->comm));
	sample->comm[sizeof(sample->comm) - 1] = '\0';
	describe_process(sample, task);
	sample->policy = task->policy + 1;
	/* -1 of SCHED_DEADLINE */
	sample->prio = task->prio + 1;
	sample->cgroup_id = cgroup_of(task, &flags);
	sample->delay_ns = 0;
	sample->handler_ns = 0;
	sample->irq.number = TIO_NO_IRQ;
	sample->irq.name[0] = '\0';
	sample->nframes = 0;
	sample->regs = 0;
	sample->lock = 0;
	sample->lock_kind = TRACE_IRQOFF_LOCK_NONE;
	sample->lock_cpu = 0;
	sample->softirq = flags & TRACE_IRQOFF_F_SERVING_SOFTIRQ ?
			  raw_cpu_read(tio_cpu.softirqs.running) : 0;
	return flags;
}

/**
 * tio_sample_take() - sample this CPU
 * @sample: filled in
 * @regs: interrupted registers, NULL outside of a hard interrupt
 * @now_ns: now
 * @by: why; the stack of whatever stops the watching is not taken
 * @later_irq: another interrupt came in first since interrupts are on again
 *
 * Such a later interrupt may have turned interrupts on for this one on its own way
 * out: in the softirq loop, or to reschedule. Then what the first one interrupted is
 * sampled.
 *
 * Context: interrupts off.
 */
void tio_sample_take(struct tio_sample *sample, struct pt_regs *regs,
		     u64 now_ns, enum trace_irqoff_end by, bool later_irq)
{
	/* without the hard interrupt that this code is in itself */
	u32 count = preempt_count() - (regs ? HARDIRQ_OFFSET : 0);
	u32 flags = describe(sample, regs, now_ns, count);
	struct pt_regs at;

	if (!(flags & TRACE_IRQOFF_F_USER) && by != TRACE_IRQOFF_END_STOP) {
		if (regs) {
			at = *regs;
			regs = &at;
			if (later_irq && way_out(flags) && tio_unwind_way_out(&at))
				flags &= ~(TRACE_IRQOFF_F_SOFTIRQ_LOOP |
					   TRACE_IRQOFF_F_SERVING_SOFTIRQ);
			if (tio_at_irq_enable(regs))
				flags |= TRACE_IRQOFF_F_AT_IRQ_ENABLE;
		}
		if (tio_stack_take(sample->frames, TIO_FRAMES, &sample->nframes, regs))
			flags |= TRACE_IRQOFF_F_TRUNCATED;
	}
	sample->flags = flags;
}

/**
 * tio_sample_lock() - the lock that a sample waits for
 * @sample: just taken; gets lock and lock_kind
 * @regs: what was interrupted
 *
 * Context: interrupts off, or an NMI.
 */
void tio_sample_lock(struct tio_sample *sample, const struct pt_regs *regs)
{
	sample->lock = tio_lock_find(regs, sample->frames, sample->nframes,
				     &sample->lock_kind);
}

/**
 * tio_sample_end_section() - show the function that ended a section as it returned
 * @sample: the end of a hard stall, taken in an interrupt
 *
 * Context: interrupts off.
 */
void tio_sample_end_section(struct tio_sample *sample)
{
	unsigned long at = 0;

	if (sample->nframes && !(sample->flags & TRACE_IRQOFF_F_AT_IRQ_ENABLE))
		at = tio_irq_enable_returned(sample->frames[0]);
	if (!at)
		return;
	sample->flags |= TRACE_IRQOFF_F_AT_IRQ_ENABLE;
	if (tio_stack_push(sample->frames, &sample->nframes, at))
		sample->flags |= TRACE_IRQOFF_F_TRUNCATED;
}

/* equal for equal registers: a CPU that has others the next time has run */
static u32 hash_of(const struct pt_regs *regs)
{
	return tio_opaque(regs, sizeof(*regs)) ?: 1;
}

/**
 * tio_sample_nmi() - sample this CPU for another one
 * @sample: filled in
 * @regs: interrupted registers
 * @now_ns: now
 * @delay_ns: since the request
 * @requester_late: the requester was late itself
 *
 * Context: NMI.
 */
void tio_sample_nmi(struct tio_sample *sample, struct pt_regs *regs,
		    u64 now_ns, u64 delay_ns, bool requester_late)
{
	u32 flags = describe(sample, regs, now_ns, preempt_count() - TIO_NMI_OFFSET);
	const struct tio_cpu *cpu = this_cpu_ptr(&tio_cpu);
	u64 entry = READ_ONCE(cpu->irq.entry);
	struct pt_regs at;

	flags |= TRACE_IRQOFF_F_ASKED;
	if (requester_late)
		flags |= TRACE_IRQOFF_F_ASKER_LATE;
	sample->delay_ns = delay_ns;
	sample->regs = hash_of(regs);
	if (flags & TRACE_IRQOFF_F_HARDIRQ && entry) {
		sample->handler_ns = tio_cycles_to_ns(tio_cycles() - entry);
		tio_irq_describe(&sample->irq, READ_ONCE(cpu->irq.handler));
	}
	if (!(flags & TRACE_IRQOFF_F_USER)) {
		at = *regs;
		if (tio_stack_take(sample->frames, TIO_FRAMES, &sample->nframes, &at))
			flags |= TRACE_IRQOFF_F_TRUNCATED;
		tio_sample_lock(sample, regs);
	}
	sample->flags = flags;
}

/**
 * tio_sample_meanwhile() - what this CPU does while another one waits for a lock
 * @note: filled in but for what compares CPUs; candidates is 1 where it may hold the lock
 * @regs: interrupted registers
 * @now_ns: now
 *
 * Context: hard interrupt, interrupts off.
 */
void tio_sample_meanwhile(struct tio_meanwhile *note, struct pt_regs *regs, u64 now_ns)
{
	struct task_struct *task = current;
	u32 count = (preempt_count() - HARDIRQ_OFFSET) | softirq_count();
	u8 kind;
	struct pt_regs at;

	note->at_ns = now_ns;
	note->cpu = smp_processor_id() + 1;
	note->flags = state_flags(regs, count);
	note->preempt_count = count;
	note->pid = task->pid;
	note->tgid = task->tgid;
	memcpy(note->comm, task->comm, sizeof(note->comm));
	note->comm[sizeof(note->comm) - 1] = '\0';
	note->nframes = 0;
	note->candidates = 0;
	if (note->flags & (TRACE_IRQOFF_F_USER | TRACE_IRQOFF_F_IDLE))
		return;
	at = *regs;
	if (tio_stack_take(note->frames, TIO_MEANWHILE_FRAMES, &note->nframes, &at))
		note->flags |= TRACE_IRQOFF_F_TRUNCATED;
	/* who waits for a lock itself, with interrupts on, is not the one to look for */
	tio_lock_find(regs, note->frames, note->nframes, &kind);
	note->candidates = kind == TRACE_IRQOFF_LOCK_NONE;
}
