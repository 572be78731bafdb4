// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tells the plan (beat_plan.h) what happens, and does what it asks for.
 */
#include <linux/hrtimer.h>
#include <linux/jiffies.h>

#include "arch/clock.h"
#include "arch/irq_count.h"
#include "compat/hrtimer_bases.h"
#include "detect/beat_timer.h"
#include "detect/buddy.h"
#include "record/recorder.h"
#include "state/softirqs.h"
#include "state/steal.h"

/* where an event came from */
struct whence {
	struct pt_regs *regs;	/* what it interrupted; NULL: nothing, or not known */
	u64 now_ns;
	enum trace_irqoff_end end_by;
	bool handlers_known;
};

/* how often this CPU's hrtimer_interrupt() has given up */
static u32 hangs(const struct tio_cpu *cpu)
{
	return cpu->beat_timer.base->cpu_base->nr_hangs;
}

/*
 * Has the machine been suspended since the last look? The kernel's clock stands still then,
 * and cycles go on.
 */
static bool was_suspended(struct tio_cpu *cpu)
{
	u64 before_ns = cpu->idle.suspended_ns, now_ns = ktime_get_ns();

	cpu->idle.suspended_ns = ktime_to_ns(ktime_get_boottime()) - now_ns;
	return cpu->idle.suspended_ns > before_ns + NSEC_PER_MSEC;
}

/* between two sleeps: when interrupts were last on; 0: the CPU is not there, or nobody knows */
static u64 awake_ns(struct tio_cpu *cpu, u64 now_ns)
{
	u64 ns;

	if (cpu->idle.awake <= TIO_AWAKE_UNKNOWN || !tio_clock_steady())
		return 0;
	ns = tio_cycles_to_ns(tio_cycles() - cpu->idle.awake);
	/* a suspension matters where it would make a stall, and looking reads two clocks */
	if (ns >= cpu->timing.period_ns && (ns >= now_ns || was_suspended(cpu)))
		return 0;
	return now_ns - ns;
}

/**
 * tio_beat_timer_slow_from() - recompute when handler exit takes the slow path
 * @cpu: this CPU
 *
 * The probe compares handler time with this one number. It is called by whatever
 * changes the number's reasons.
 *
 * Context: interrupts off, as for all functions of this file.
 */
void tio_beat_timer_slow_from(struct tio_cpu *cpu)
{
	cpu->handled.slow_from = cpu->beat.mode >= TIO_BEAT_BORROWED ||
				 cpu->stall.hard_due_ns || cpu->cost_limit.asked_at ?
				 0 : cpu->handled.note_from;
}

static void arm(struct tio_cpu *cpu, u64 at_ns)
{
	hrtimer_start(&cpu->beat_timer, ns_to_ktime(at_ns), HRTIMER_MODE_ABS_PINNED_HARD);
}

/* nothing that was noted before is of the next stall */
static void forget(struct tio_cpu *cpu)
{
	cpu->heartbeat.untraced_irqs = tio_untraced_irqs();
	cpu->heartbeat.irq_entry = 0;
	cpu->heartbeat.later_irq = false;
	cpu->heartbeat.slow_mask = cpu->heartbeat.timing_mask;
	tio_handled_forget(&cpu->handled);
	tio_recorder_note_packets(cpu);
	tio_steal_note(cpu);
}

static void carry_out(struct tio_cpu *cpu, const struct tio_beat_todo *todo,
		      const struct whence *whence)
{
	if (todo->hard_ended)
		tio_recorder_end_hard(cpu, &todo->out, whence->regs, whence->now_ns,
				      whence->end_by, whence->handlers_known);
	if (todo->started)
		forget(cpu);
	if (todo->arm_ns) {
		arm(cpu, todo->arm_ns);
		tio_buddy_note(cpu);
	}
	tio_beat_timer_slow_from(cpu);
}

/**
 * tio_beat_timer_move() - let the next beat run at another moment
 * @cpu: this CPU, whose beat runs
 * @due_ns: that moment
 */
void tio_beat_timer_move(struct tio_cpu *cpu, u64 due_ns)
{
	tio_beat_plan_move(&cpu->beat, due_ns);
	arm(cpu, cpu->beat.due_ns);
}

/**
 * tio_beat_timer_begin() - beat from now on
 * @cpu: this CPU
 * @now_ns: now
 * @due_ns: the first beat
 */
void tio_beat_timer_begin(struct tio_cpu *cpu, u64 now_ns, u64 due_ns)
{
	const struct whence whence = { .now_ns = now_ns };
	struct tio_beat_todo todo;

	tio_beat_plan_start(&cpu->beat, &cpu->stall, now_ns, due_ns, 0, tio_softirqs_on(cpu),
			    &todo);
	carry_out(cpu, &todo, &whence);
	was_suspended(cpu);
	/* only now is the timer surely on this CPU's base */
	cpu->beat.hangs = hangs(cpu);
}

/* what the idle loop did while the beat was lent or paused */
static void idle_event(struct tio_cpu *cpu, u64 now_ns, const struct tio_beat_todo *todo)
{
	const struct whence whence = {
		.now_ns = now_ns,
		.end_by = TRACE_IRQOFF_END_IDLE,
		.handlers_known = true,
	};

	/* what handlers took was before that */
	tio_handled_forget(&cpu->handled);
	carry_out(cpu, todo, &whence);
}

/**
 * tio_beat_timer_leave() - a task or a softirq is about to run
 * @cpu: this CPU, idle until now, whose beat is borrowed or paused
 */
void tio_beat_timer_leave(struct tio_cpu *cpu)
{
	u64 now_ns = ktime_get_ns();
	struct tio_beat_todo todo;

	/* it is on its way already */
	if (cpu->beat.mode == TIO_BEAT_BORROWED && hrtimer_is_queued(&cpu->beat_timer))
		return;
	/* a timer that was cancelled keeps the moment at which it was due */
	tio_beat_plan_leave(&cpu->beat, &cpu->stall, &cpu->timing, now_ns,
			    ktime_to_ns(hrtimer_get_expires(&cpu->beat_timer)),
			    awake_ns(cpu, now_ns), &todo);
	idle_event(cpu, now_ns, &todo);
}

/**
 * tio_beat_timer_sleep() - the CPU is about to sleep
 * @cpu: this CPU, whose beat is borrowed or paused
 */
void tio_beat_timer_sleep(struct tio_cpu *cpu)
{
	bool borrowed = cpu->beat.mode == TIO_BEAT_BORROWED;
	u64 now_ns = ktime_get_ns();
	struct tio_beat_todo todo;

	/* a softirq before this sleep may have armed it */
	if (borrowed)
		hrtimer_try_to_cancel(&cpu->beat_timer);
	tio_beat_plan_sleep(&cpu->beat, &cpu->stall, &cpu->timing, now_ns,
			    awake_ns(cpu, now_ns), &todo);
	idle_event(cpu, now_ns, &todo);
	if (borrowed)
		tio_beat_timer_paused(cpu);
}

/**
 * tio_beat_timer_held() - something held a CPU that slept, and whose beat was paused
 * @cpu: this CPU
 * @from_ns: from then
 * @to_ns: to then
 */
void tio_beat_timer_held(struct tio_cpu *cpu, u64 from_ns, u64 to_ns)
{
	struct tio_beat_todo todo;

	tio_beat_plan_held(&cpu->beat, &cpu->stall, &cpu->timing, from_ns, to_ns, &todo);
	idle_event(cpu, to_ns, &todo);
}

/**
 * tio_beat_timer_paused() - the timer is not armed any more, until it is resumed
 * @cpu: this CPU, asleep or nearly so, and without an open stall
 */
void tio_beat_timer_paused(struct tio_cpu *cpu)
{
	tio_beat_plan_pause(&cpu->beat);
	tio_beat_timer_slow_from(cpu);
	tio_recorder_note_packets(cpu);
	tio_steal_note(cpu);
	tio_buddy_paused(cpu);
}

/**
 * tio_beat_timer_cancel() - pause a beat that runs
 * @cpu: this CPU, asleep or nearly so, and without an open stall
 *
 * A beat that is due already stays, and pauses itself.
 */
void tio_beat_timer_cancel(struct tio_cpu *cpu)
{
	if (!tio_beat_plan_overdue(&cpu->beat, ktime_get_ns()) &&
	    hrtimer_try_to_cancel(&cpu->beat_timer) == 1)
		tio_beat_timer_paused(cpu);
}

/**
 * tio_beat_timer_lend() - let the kernel's tick stand in for a beat that runs
 * @cpu: this CPU, which begins to idle, without an open stall
 *
 * A beat that is due already stays.
 */
void tio_beat_timer_lend(struct tio_cpu *cpu)
{
	u64 now_ns = ktime_get_ns();

	if (tio_beat_plan_overdue(&cpu->beat, now_ns) ||
	    hrtimer_try_to_cancel(&cpu->beat_timer) != 1)
		return;
	tio_beat_plan_lend(&cpu->beat, &cpu->stall, now_ns, TICK_NSEC);
	/* should it be armed again, it looks whether it still is lent */
	cpu->heartbeat.slow_mask = 0;
	tio_handled_forget(&cpu->handled);
	tio_beat_timer_slow_from(cpu);
}

/**
 * tio_beat_timer_lent_again() - the CPU begins to idle again, with the beat still lent
 * @cpu: this CPU, which has had no interrupt meanwhile
 */
void tio_beat_timer_lent_again(struct tio_cpu *cpu)
{
	hrtimer_try_to_cancel(&cpu->beat_timer);
}

/**
 * tio_beat_timer_irq_end() - an interrupt handler has ended
 * @cpu: this CPU
 * @regs: what it interrupted; NULL: not known
 * @entry_ns: when it began
 * @now_ns: now
 * @idle: the CPU goes on being idle
 */
void tio_beat_timer_irq_end(struct tio_cpu *cpu, struct pt_regs *regs, u64 entry_ns,
			    u64 now_ns, bool idle)
{
	const struct whence whence = {
		.regs = regs,
		.now_ns = now_ns,
		.end_by = TRACE_IRQOFF_END_BEAT,
		.handlers_known = true,
	};
	const struct tio_irq_end irq = {
		.entry_ns = entry_ns,
		.timed = tio_clock_steady(),
		.now_ns = now_ns,
		.hangs = hangs(cpu),
		.put_off = cpu->beat_timer.base->cpu_base->hang_detected,
		.awake_ns = awake_ns(cpu, now_ns),
		.idle = idle,
		.softirqs_on = tio_softirqs_on(cpu),
	};
	struct tio_beat_todo todo;

	/* where no late beat has found a stall, this handler shows its end */
	if (!cpu->stall.hard_due_ns)
		cpu->heartbeat.later_irq = false;
	tio_beat_plan_irq_end(&cpu->beat, &cpu->stall, &cpu->timing, &irq, &todo);
	carry_out(cpu, &todo, &whence);
}

/**
 * tio_beat_timer_end() - beat no more, and end what is open
 * @cpu: this CPU
 * @now_ns: now
 *
 * Other CPUs neither look at it nor request samples from now on.
 */
void tio_beat_timer_end(struct tio_cpu *cpu, u64 now_ns)
{
	const struct whence whence = { .now_ns = now_ns, .end_by = TRACE_IRQOFF_END_STOP };
	struct tio_beat_todo todo;

	tio_beat_plan_stop(&cpu->beat, &cpu->stall, &cpu->timing, now_ns, awake_ns(cpu, now_ns),
			   &todo);
	/* the beat cannot be running: it and this are on one CPU, interrupts off */
	hrtimer_try_to_cancel(&cpu->beat_timer);
	carry_out(cpu, &todo, &whence);
	tio_buddy_note(cpu);
}

/**
 * tio_beat_timer_note_hangs() - what hrtimer_interrupt() gave up until now does not matter
 * @cpu: this CPU
 */
void tio_beat_timer_note_hangs(struct tio_cpu *cpu)
{
	cpu->beat.hangs = hangs(cpu);
}
