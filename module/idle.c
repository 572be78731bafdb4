// SPDX-License-Identifier: GPL-2.0-only
/*
 * The heartbeat of an idle CPU is paused: no timer is armed, so the CPU sleeps as
 * long as it would without the tracer. Nothing is missed meanwhile. An idle CPU
 * takes interrupts at once, and the probes time the handlers that run on top of it.
 * A softirq or a task that is about to run resumes the beat first.
 *
 * Resuming and pausing program the timer each. A CPU that naps often therefore
 * keeps its beat: the timer is cancelled CANCEL_HZ times a second (125 at HZ=250). A beat
 * that stays armed pauses itself when it finds the CPU idle.
 */
#include <linux/interrupt.h>
#include <linux/jiffies.h>
#include <linux/sched.h>

#include "beat_timer.h"
#include "idle.h"
#include "softirqs.h"

#define CANCEL_HZ	100

/* the most credit that is saved up: what one second gives */
#define CANCEL_BURST	HZ

/* the tracepoints that resume a beat, or time handlers while it is paused, are attached */
static bool allowed;

/**
 * tio_idle_allow() - may heartbeats be paused?
 * @allow: all tracepoints that this needs are attached
 *
 * Context: task; before any CPU is watched.
 */
void tio_idle_allow(bool allow)
{
	WRITE_ONCE(allowed, allow);
}

/**
 * tio_idle_reset() - the CPU is about to be watched, or is no more
 * @cpu: this CPU
 *
 * Context: interrupts off.
 */
void tio_idle_reset(struct tio_cpu *cpu)
{
	cpu->idle.cancel_credit = jiffies;
	cpu->idle.resumed_for_softirq = false;
}

/* takes the price of one cancelled timer; false where there is no credit for it */
static bool spend(struct tio_idle *idle)
{
	const unsigned long price = HZ / CANCEL_HZ ?: 1;
	unsigned long now = jiffies;

	if (time_before(idle->cancel_credit, now - CANCEL_BURST))
		idle->cancel_credit = now - CANCEL_BURST;
	if (time_after(idle->cancel_credit + price, now))
		return false;
	idle->cancel_credit += price;
	return true;
}

/* no stall is open, and none can begin before an interrupt */
static bool nothing_open(const struct tio_cpu *cpu)
{
	return !cpu->stall.soft_due_ns && !cpu->stall.hard_due_ns &&
	       !tio_softirqs_waiting(cpu);
}

/* likewise, and the idle task goes on */
static bool at_rest(const struct tio_cpu *cpu)
{
	return !tio_idle_over() && nothing_open(cpu);
}

/**
 * tio_idle_may_pause() - may the beat that has just run be the last one for now?
 *
 * Context: the heartbeat, which found the idle task and softirqs on.
 * Return: true when it may.
 */
bool tio_idle_may_pause(void)
{
	return READ_ONCE(allowed) && at_rest(this_cpu_ptr(&tio_cpu));
}

/**
 * tio_idle_resume() - resume a beat that is paused
 * @cpu: this CPU
 * @now_ns: now
 * @for_softirq: a softirq is why, and its end may pause the beat again
 *
 * Context: interrupts off; the CPU was idle until now.
 */
void tio_idle_resume(struct tio_cpu *cpu, u64 now_ns, bool for_softirq)
{
	tio_beat_timer_resume(cpu, now_ns);
	cpu->idle.resumed_for_softirq = for_softirq;
}

/**
 * tio_idle_softirq_begins() - a softirq is about to run on a CPU whose beat is paused
 *
 * Context: softirq.
 */
void tio_idle_softirq_begins(void)
{
	struct tio_cpu *cpu;
	unsigned long flags;

	local_irq_save(flags);
	cpu = this_cpu_ptr(&tio_cpu);
	if (cpu->beat.paused)
		tio_idle_resume(cpu, ktime_get_ns(), true);
	local_irq_restore(flags);
}

/**
 * tio_idle_softirq_ended() - the softirq that resumed the beat has ended
 *
 * The beat is paused right here, before the idle governor asks when the next timer
 * is due.
 *
 * Context: softirq.
 */
void tio_idle_softirq_ended(void)
{
	struct tio_cpu *cpu;
	unsigned long flags;

	local_irq_save(flags);
	cpu = this_cpu_ptr(&tio_cpu);
	if (!tio_softirqs_waiting(cpu)) {
		cpu->idle.resumed_for_softirq = false;
		if (cpu->beat.armed && at_rest(cpu) && spend(&cpu->idle))
			tio_beat_timer_cancel(cpu);
	}
	local_irq_restore(flags);
}

/**
 * tio_idle_sleep() - a CPU whose beat is armed goes to sleep
 *
 * Context: the idle task, interrupts off.
 */
void tio_idle_sleep(void)
{
	struct tio_cpu *cpu;
	unsigned long flags;

	if (!READ_ONCE(allowed))
		return;
	local_irq_save(flags);
	cpu = this_cpu_ptr(&tio_cpu);
	if (at_rest(cpu) && spend(&cpu->idle))
		tio_beat_timer_cancel(cpu);
	local_irq_restore(flags);
}

/**
 * tio_idle_wake() - a CPU whose beat is paused is about to run a task
 *
 * An idle task that slept with interrupts off learns only from the interrupt what
 * woke it. That interrupt's end resumes the beat then (tio_heartbeat_irq_end()).
 *
 * Context: the idle task; or the switch from it, under the run queue's lock. The
 * scheduler starts hrtimers of its own under that lock.
 */
void tio_idle_wake(void)
{
	struct tio_cpu *cpu;
	unsigned long flags;

	local_irq_save(flags);
	cpu = this_cpu_ptr(&tio_cpu);
	if (cpu->beat.paused)
		tio_idle_resume(cpu, ktime_get_ns(), false);
	local_irq_restore(flags);
}

/**
 * tio_idle_switch() - the idle task is about to run on a CPU whose beat is armed
 *
 * It asks its governor for a state next, and that looks at the next timer. A beat that
 * is cancelled only as the CPU goes to sleep (tio_idle_sleep()) has made it choose a
 * lighter state.
 *
 * Context: the switch to it, interrupts off, under the run queue's lock.
 */
void tio_idle_switch(void)
{
	struct tio_cpu *cpu;

	if (!READ_ONCE(allowed))
		return;
	cpu = this_cpu_ptr(&tio_cpu);
	if (nothing_open(cpu) && spend(&cpu->idle))
		tio_beat_timer_cancel(cpu);
}
