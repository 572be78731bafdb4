// SPDX-License-Identifier: GPL-2.0-only
/*
 * An idle CPU's timer is not armed, so that it sleeps as long as without the tracer. What
 * would tell of a hard stall meanwhile is decided here, from the kernel's own order of
 * events (kernel/sched/idle.c):
 *
 * - The switch to the idle task, with interrupts off. A beat that is overdue shows a stall,
 *   so it stays. Otherwise the idle loop must not find the timer as it looks for its next
 *   one. The tick, which goes on until the CPU sleeps, stands in for the beat: its
 *   interrupt would come within a tick just the same.
 * - The entry to an idle state, interrupts off. From here on pending interrupts wake the
 *   CPU, so none is late. The beat is paused.
 * - The exit from it, and the loop until the next entry. It has interrupts on for a few
 *   instructions. So where it takes long they were off, or the CPU did not run.
 * - A handler. Interrupts were on as it began.
 * - A task or a softirq is about to run. The beat runs first.
 *
 * tests/kunit/beat_plan_test.c walks all orders of these.
 */
#include <linux/compiler.h>
#include <linux/kernel.h>

#include "core/beat_plan.h"

static bool counts(const struct tio_timing *timing, __u64 from_ns, __u64 now_ns)
{
	return now_ns >= from_ns + TIO_COUNT_PERIODS * timing->period_ns;
}

/* interrupts have been off since @due_ns at the latest, and until @now_ns */
static void hard_stall(struct tio_stall *stall, const struct tio_timing *timing, __u64 due_ns,
		       __u64 now_ns, struct tio_beat_todo *todo)
{
	tio_stall_late(stall, due_ns);
	tio_stall_irq_exit(stall, timing, now_ns, &todo->out);
	todo->hard_ended = true;
}

/* the same, and they were on at @from_ns */
static void hard_stall_from(struct tio_stall *stall, const struct tio_timing *timing,
			    __u64 from_ns, __u64 now_ns, struct tio_beat_todo *todo)
{
	if (!counts(timing, from_ns, now_ns))
		return;
	tio_stall_hard_on(stall, from_ns);
	hard_stall(stall, timing, from_ns, now_ns, todo);
}

/*
 * Has a tick passed without an interrupt? The beat would have run within a period of the
 * loan, and have shown a stall that reached the threshold since then. So such a stall is
 * recorded, although no more is known than that interrupts have been off since the tick.
 */
static void judge_loan(struct tio_beat_plan *plan, struct tio_stall *stall,
		       const struct tio_timing *timing, __u64 now_ns, struct tio_beat_todo *todo)
{
	bool record = now_ns >= plan->lent_ns + timing->threshold_ns;

	if (now_ns <= plan->due_ns + TIO_TICK_LATE_NS ||
	    !(record || counts(timing, plan->due_ns, now_ns)))
		return;
	hard_stall(stall, timing, plan->due_ns, now_ns, todo);
	todo->out.count_hard |= record;
	todo->out.record_hard |= record;
}

static void run(struct tio_beat_plan *plan, __u64 due_ns, struct tio_beat_todo *todo)
{
	WRITE_ONCE(plan->due_ns, max(due_ns, plan->put_off_ns));
	/* who sees that the beat runs sees when it is due; pairs with walks and readers */
	smp_store_release(&plan->mode, TIO_BEAT_RUNS);
	todo->arm_ns = plan->due_ns;
}

static void start(struct tio_beat_plan *plan, struct tio_stall *stall, __u64 now_ns,
		  __u64 due_ns, bool softirqs_on, struct tio_beat_todo *todo)
{
	tio_stall_start(stall, now_ns, softirqs_on);
	run(plan, due_ns, todo);
	todo->started = true;
}

/* interrupts were on a moment ago, and a softirq that runs now was raised then */
static void resume(struct tio_beat_plan *plan, struct tio_stall *stall,
		   const struct tio_timing *timing, __u64 now_ns, struct tio_beat_todo *todo)
{
	start(plan, stall, now_ns, now_ns + timing->period_ns, true, todo);
}

/**
 * tio_beat_plan_start() - begin to watch a CPU
 * @plan: the CPU's plan
 * @stall: its stalls; none is open from now on
 * @now_ns: now, with interrupts on until now
 * @due_ns: the first beat
 * @hangs: the CPU's nr_hangs
 * @softirqs_on: softirqs could run until now as well
 * @todo: what is to be done
 *
 * Context: any, as for all functions of this file.
 */
void tio_beat_plan_start(struct tio_beat_plan *plan, struct tio_stall *stall, __u64 now_ns,
			 __u64 due_ns, __u32 hangs, bool softirqs_on,
			 struct tio_beat_todo *todo)
{
	*todo = (struct tio_beat_todo) { };
	plan->hangs = hangs;
	start(plan, stall, now_ns, due_ns, softirqs_on, todo);
}

/**
 * tio_beat_plan_lends() - can the tick stand in for the beat?
 * @timing: settings in force
 * @tick_ns: how often it comes
 *
 * Return: false where it would not show each stall that a beat shows.
 */
bool tio_beat_plan_lends(const struct tio_timing *timing, __u64 tick_ns)
{
	return tick_ns <= timing->threshold_ns;
}

/**
 * tio_beat_plan_lend() - the tick stands in for the beat
 * @plan: the plan of a CPU that switches to the idle task; its beat runs and is not overdue
 * @stall: its stalls; none is open, and no softirq waits
 * @now_ns: now, with interrupts off
 * @tick_ns: how often the tick comes
 *
 * The timer of the beat is not armed any more.
 */
void tio_beat_plan_lend(struct tio_beat_plan *plan, struct tio_stall *stall, __u64 now_ns,
			__u64 tick_ns)
{
	plan->lent_ns = now_ns;
	tio_stall_soft_on(stall, now_ns);
	WRITE_ONCE(plan->due_ns, max(now_ns + tick_ns, plan->put_off_ns));
	/* as in run() */
	smp_store_release(&plan->mode, TIO_BEAT_BORROWED);
}

/**
 * tio_beat_plan_pause() - no beat is due
 * @plan: the plan of a CPU that sleeps, or slept a moment ago
 *
 * The timer of the beat is not armed any more.
 */
void tio_beat_plan_pause(struct tio_beat_plan *plan)
{
	WRITE_ONCE(plan->mode, TIO_BEAT_PAUSED);
	WRITE_ONCE(plan->due_ns, TIO_NEVER_NS);
}

/**
 * tio_beat_plan_sleep() - the CPU is about to sleep
 * @plan: its plan; the beat is borrowed or paused
 * @stall: its stalls
 * @timing: settings in force
 * @now_ns: now, with interrupts off
 * @awake_ns: where it is paused, the last moment at which interrupts were on since the last
 *	sleep; 0: not known
 * @todo: what is to be done; the beat is paused
 */
void tio_beat_plan_sleep(struct tio_beat_plan *plan, struct tio_stall *stall,
			 const struct tio_timing *timing, __u64 now_ns, __u64 awake_ns,
			 struct tio_beat_todo *todo)
{
	*todo = (struct tio_beat_todo) { };
	if (plan->mode == TIO_BEAT_BORROWED)
		judge_loan(plan, stall, timing, now_ns, todo);
	else if (awake_ns)
		hard_stall_from(stall, timing, awake_ns, now_ns, todo);
	tio_beat_plan_pause(plan);
}

/**
 * tio_beat_plan_held() - the CPU was held in its sleep, by an NMI
 * @plan: its plan
 * @stall: its stalls
 * @timing: settings in force
 * @from_ns: from then
 * @to_ns: to then
 * @todo: what is to be done
 *
 * Nothing is told where the beat is not paused: it was resumed by what told of the NMI.
 */
void tio_beat_plan_held(struct tio_beat_plan *plan, struct tio_stall *stall,
			const struct tio_timing *timing, __u64 from_ns, __u64 to_ns,
			struct tio_beat_todo *todo)
{
	*todo = (struct tio_beat_todo) { };
	if (plan->mode == TIO_BEAT_PAUSED)
		hard_stall_from(stall, timing, from_ns, to_ns, todo);
}

/**
 * tio_beat_plan_leave() - a task or a softirq is about to run on an idle CPU
 * @plan: its plan; the beat is borrowed or paused
 * @stall: its stalls
 * @timing: settings in force
 * @now_ns: now
 * @own_ns: when the beat was due that was lent
 * @awake_ns: as of tio_beat_plan_sleep()
 * @todo: what is to be done
 *
 * A CPU whose beat is borrowed has had no interrupt since. It may have them off since before
 * that. So the loan goes on until there is one: the beat's own, at the latest.
 */
void tio_beat_plan_leave(struct tio_beat_plan *plan, struct tio_stall *stall,
			 const struct tio_timing *timing, __u64 now_ns, __u64 own_ns,
			 __u64 awake_ns, struct tio_beat_todo *todo)
{
	*todo = (struct tio_beat_todo) { };
	if (plan->mode == TIO_BEAT_BORROWED) {
		todo->arm_ns = max(own_ns, now_ns);
		return;
	}
	/* interrupts may be off since then, and go on being off: it may be overdue now */
	resume(plan, stall, timing, awake_ns ?: now_ns, todo);
	tio_stall_soft_on(stall, now_ns);
}

/* hrtimer_interrupt() gives up after three passes, and puts the next one off (see there) */
static bool hung(struct tio_beat_plan *plan, const struct tio_irq_end *irq)
{
	if (irq->hangs == plan->hangs)
		return false;
	plan->hangs = irq->hangs;
	/* a handler before this one gave up, and was too short to be told of */
	if (!irq->put_off)
		return false;
	plan->put_off_ns = irq->now_ns + min(irq->now_ns - irq->entry_ns, TIO_HANG_MAX_NS);
	return true;
}

/**
 * tio_beat_plan_move() - the next beat is to be due at another moment
 * @plan: the CPU's plan; the beat runs
 * @due_ns: that moment, or later where the kernel puts timers off
 */
void tio_beat_plan_move(struct tio_beat_plan *plan, __u64 due_ns)
{
	WRITE_ONCE(plan->due_ns, max(due_ns, plan->put_off_ns));
}

/* the beat runs */
static void irq_end_running(struct tio_beat_plan *plan, struct tio_stall *stall,
			    const struct tio_timing *timing, const struct tio_irq_end *irq,
			    struct tio_beat_todo *todo)
{
	if (hung(plan, irq)) {
		/* a beat that fell due in this handler runs late because of it */
		if (irq->now_ns > plan->due_ns)
			tio_stall_late(stall, plan->due_ns);
		WRITE_ONCE(plan->due_ns, max(plan->due_ns, plan->put_off_ns));
	}
	/* the beat ran in this handler, each time a little late only */
	if (irq->timed && !stall->hard_due_ns && irq->now_ns < plan->due_ns &&
	    counts(timing, irq->entry_ns, irq->now_ns))
		tio_stall_late(stall, irq->entry_ns);
	if (stall->hard_due_ns) {
		/*
		 * Interrupts have been off since it began. Cycles that ran on while a guest was
		 * paused, or run faster on another host, tell of a begin that cannot be.
		 */
		if (irq->timed)
			stall->hard_due_ns = min(stall->hard_due_ns,
						 max(irq->entry_ns, stall->hard_from_ns));
		tio_stall_irq_exit(stall, timing, irq->now_ns, &todo->out);
		todo->hard_ended = true;
	}
}

/**
 * tio_beat_plan_irq_end() - an interrupt handler has ended
 * @plan: the CPU's plan
 * @stall: its stalls
 * @timing: settings in force
 * @irq: the handler
 * @todo: what is to be done
 *
 * A handler that took less than half a period need not be told of while the beat runs and no
 * hard stall is open.
 */
void tio_beat_plan_irq_end(struct tio_beat_plan *plan, struct tio_stall *stall,
			   const struct tio_timing *timing, const struct tio_irq_end *irq,
			   struct tio_beat_todo *todo)
{
	__u64 from_ns = irq->entry_ns, soft_on_ns = stall->soft_on_ns;
	bool lent = plan->mode == TIO_BEAT_BORROWED;

	*todo = (struct tio_beat_todo) { };
	if (plan->mode == TIO_BEAT_RUNS) {
		irq_end_running(plan, stall, timing, irq, todo);
		return;
	}
	hung(plan, irq);
	if (lent && plan->due_ns < irq->entry_ns) {
		judge_loan(plan, stall, timing, irq->now_ns, todo);
	} else if (irq->timed) {
		if (irq->awake_ns && counts(timing, irq->awake_ns, irq->entry_ns))
			from_ns = irq->awake_ns;
		hard_stall_from(stall, timing, from_ns, irq->now_ns, todo);
	}
	if (lent || !irq->idle)
		resume(plan, stall, timing, irq->now_ns, todo);
	/* a task may have run meanwhile */
	if (lent && !irq->softirqs_on)
		tio_stall_soft_on(stall, soft_on_ns);
}

/**
 * tio_beat_plan_stop() - the CPU is not watched any more
 * @plan: its plan
 * @stall: its stalls
 * @timing: settings in force
 * @now_ns: now, with interrupts off
 * @awake_ns: as of tio_beat_plan_sleep()
 * @todo: what is to be done
 *
 * A beat that is due but has not run is taken for the last one.
 */
void tio_beat_plan_stop(struct tio_beat_plan *plan, struct tio_stall *stall,
			const struct tio_timing *timing, __u64 now_ns, __u64 awake_ns,
			struct tio_beat_todo *todo)
{
	*todo = (struct tio_beat_todo) { };
	if (plan->mode == TIO_BEAT_BORROWED)
		judge_loan(plan, stall, timing, now_ns, todo);
	else if (plan->mode == TIO_BEAT_PAUSED && awake_ns)
		hard_stall_from(stall, timing, awake_ns, now_ns, todo);
	else if (now_ns > plan->due_ns)
		hard_stall(stall, timing, plan->due_ns, now_ns, todo);
	WRITE_ONCE(plan->mode, TIO_BEAT_OFF);
	/* whoever arms it again must not find it overdue */
	WRITE_ONCE(plan->due_ns, TIO_NEVER_NS);
}
