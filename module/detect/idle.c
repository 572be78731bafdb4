// SPDX-License-Identifier: GPL-2.0-only
/*
 * The heartbeat of an idle CPU is paused: no timer is armed, so the CPU sleeps as
 * long as it would without the tracer. What tells of stalls meanwhile is said in
 * beat_plan.c.
 *
 * Resuming and pausing program the timer each. A CPU that naps often therefore
 * keeps its beat: the timer is cancelled CANCEL_HZ times a second (125 at HZ=250). A beat
 * that stays armed pauses itself when it finds the CPU idle.
 */
#include <linux/interrupt.h>
#include <linux/jiffies.h>
#include <linux/sched.h>
#include <linux/sched/isolation.h>
#include <linux/smp.h>

#include "arch/clock.h"
#include "detect/beat_timer.h"
#include "detect/idle.h"
#include "state/softirqs.h"

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
	cpu->idle.awake = TIO_AWAKE_UNKNOWN;
	WRITE_ONCE(cpu->idle.nmi_to_ns, 0);
	cpu->idle.cancel_credit = jiffies;
	cpu->idle.resumed_for_softirq = false;
}

/**
 * tio_idle_set_timing() - can the tick stand in for beats by now?
 * @cpu: this CPU, with the settings in force in its timing
 *
 * Where the kernel may stop it while a task runs, it cannot.
 *
 * Context: interrupts off.
 */
void tio_idle_set_timing(struct tio_cpu *cpu)
{
	cpu->idle.lends = tio_beat_plan_lends(&cpu->timing, TICK_NSEC) &&
			  housekeeping_cpu(smp_processor_id(), HK_TYPE_TICK);
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

/* it sleeps, or has slept since it began to idle, and will again in a moment */
static bool sleeps(const struct tio_cpu *cpu)
{
	return cpu->idle.awake != TIO_AWAKE_FRESH && cpu->idle.awake != TIO_AWAKE_UNKNOWN;
}

/* where it is between two sleeps: interrupts are on */
static void note_awake(struct tio_cpu *cpu)
{
	if (cpu->idle.awake > TIO_AWAKE_UNKNOWN)
		cpu->idle.awake = tio_cycles();
}

/**
 * tio_idle_may_pause() - may the beat that has just run be the last one for now?
 *
 * Context: the heartbeat, which found the idle task and softirqs on.
 * Return: true when it may. It must be, then.
 */
bool tio_idle_may_pause(void)
{
	struct tio_cpu *cpu = this_cpu_ptr(&tio_cpu);

	if (!READ_ONCE(allowed) || !at_rest(cpu) || !sleeps(cpu))
		return false;
	note_awake(cpu);
	return true;
}

/**
 * tio_idle_softirq_begins() - a softirq is about to run on a CPU whose beat does not run
 *
 * Context: softirq.
 */
void tio_idle_softirq_begins(void)
{
	struct tio_cpu *cpu;
	unsigned long flags;

	local_irq_save(flags);
	cpu = this_cpu_ptr(&tio_cpu);
	if (cpu->beat.mode >= TIO_BEAT_BORROWED) {
		tio_idle_tell_nmi(cpu);
		cpu->idle.resumed_for_softirq = tio_is_paused(cpu);
		tio_beat_timer_leave(cpu);
	}
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
		if (cpu->beat.mode == TIO_BEAT_RUNS && at_rest(cpu) && sleeps(cpu) &&
		    spend(&cpu->idle)) {
			note_awake(cpu);
			tio_beat_timer_cancel(cpu);
		}
	}
	local_irq_restore(flags);
}

/*
 * Has nothing shown for half a period that interrupts were on? It is more than the idle loop
 * takes, and less than counts as a stall. @cycles: now
 */
static bool lost(const struct tio_cpu *cpu, u64 cycles)
{
	return cpu->idle.awake > TIO_AWAKE_UNKNOWN &&
	       (s64)(cycles - cpu->idle.awake) > (s64)cpu->handled.note_from;
}

/**
 * tio_idle_sleep() - an idle CPU goes to sleep
 *
 * Context: the idle task, interrupts off.
 */
void tio_idle_sleep(void)
{
	struct tio_cpu *cpu = this_cpu_ptr(&tio_cpu);

	if (cpu->beat.mode == TIO_BEAT_BORROWED ||
	    (tio_is_paused(cpu) && lost(cpu, tio_cycles())))
		tio_beat_timer_sleep(cpu);
	else if (cpu->beat.mode == TIO_BEAT_RUNS && READ_ONCE(allowed) && at_rest(cpu) &&
		 spend(&cpu->idle))
		tio_beat_timer_cancel(cpu);
	WRITE_ONCE(cpu->idle.awake, TIO_AWAKE_ASLEEP);
}

/* the handlers of one NMI follow each other within this */
#define CLOSE_NS	(20 * NSEC_PER_USEC)

/**
 * tio_idle_nmi() - an NMI handler of others has returned
 * @ns: how long it took
 *
 * Where this CPU slept, tio_idle_tell_nmi() tells of it.
 *
 * Context: NMI.
 */
void tio_idle_nmi(u64 ns)
{
	struct tio_cpu *cpu = this_cpu_ptr(&tio_cpu);
	u64 to_ns = ktime_get_mono_fast_ns(), from_ns = to_ns - ns;

	/* what comes within a handler is in that one's time */
	if (!tio_is_paused(cpu) || READ_ONCE(cpu->irq.entry) ||
	    READ_ONCE(cpu->idle.awake) != TIO_AWAKE_ASLEEP)
		return;
	if (!cpu->idle.nmi_to_ns || from_ns > cpu->idle.nmi_to_ns + CLOSE_NS)
		WRITE_ONCE(cpu->idle.nmi_from_ns, from_ns);
	WRITE_ONCE(cpu->idle.nmi_to_ns, to_ns);
}

/**
 * tio_idle_tell_nmi() - tell of NMI handlers that ran while the CPU slept
 * @cpu: this CPU, whose beat is paused; it is the first to run code behind the NMI
 *
 * Interrupts were on before, as it slept, and off while the handlers ran.
 *
 * Context: interrupts off.
 */
void tio_idle_tell_nmi(struct tio_cpu *cpu)
{
	u64 from_ns, to_ns;

	/* an NMI may come in between */
	do {
		to_ns = READ_ONCE(cpu->idle.nmi_to_ns);
		if (likely(!to_ns))
			return;
		barrier();
		from_ns = READ_ONCE(cpu->idle.nmi_from_ns);
		barrier();
	} while (cmpxchg_local(&cpu->idle.nmi_to_ns, to_ns, 0) != to_ns);
	tio_beat_timer_held(cpu, from_ns, to_ns);
}

/**
 * tio_idle_wake() - an idle CPU has slept
 *
 * Where it is about to run a task, the beat runs first. An idle task that slept with
 * interrupts off learns only from the interrupt what woke it. That interrupt's end resumes
 * the beat then (tio_heartbeat_irq_end()).
 *
 * Context: the idle task.
 */
void tio_idle_wake(void)
{
	struct tio_cpu *cpu;
	unsigned long flags;

	local_irq_save(flags);
	cpu = this_cpu_ptr(&tio_cpu);
	/* an NMI from here on is in the loop's time */
	WRITE_ONCE(cpu->idle.awake, tio_cycles());
	tio_idle_tell_nmi(cpu);
	if (tio_idle_over()) {
		if (tio_is_paused(cpu))
			tio_beat_timer_leave(cpu);
		/* it may come back to the idle loop without a switch, and that begins anew then */
		WRITE_ONCE(cpu->idle.awake, TIO_AWAKE_FRESH);
	}
	local_irq_restore(flags);
}

/**
 * tio_idle_irq_end() - a handler on top of a CPU whose beat is paused has ended
 * @cpu: this CPU
 * @cycles: how long it took
 *
 * Context: hard interrupt.
 * Return: false where there is nothing to tell of it: it was short, as was what came
 * before it, and the CPU goes on being idle.
 */
bool tio_idle_irq_end(struct tio_cpu *cpu, u64 cycles)
{
	if (cycles >= cpu->handled.note_from || tio_idle_over() ||
	    lost(cpu, cpu->handled.exit - cycles))
		return true;
	note_awake(cpu);
	return false;
}

/**
 * tio_idle_irq_told() - a handler has ended, and what there was to tell of it is told
 * @cpu: this CPU
 *
 * Context: hard interrupt.
 */
void tio_idle_irq_told(struct tio_cpu *cpu)
{
	if (tio_is_paused(cpu))
		note_awake(cpu);
}

/**
 * tio_idle_leave() - a CPU whose beat does not run is about to run a task
 *
 * Context: the switch from the idle task, under the run queue's lock. The
 * scheduler starts hrtimers of its own under that lock.
 */
void tio_idle_leave(void)
{
	struct tio_cpu *cpu;
	unsigned long flags;

	local_irq_save(flags);
	cpu = this_cpu_ptr(&tio_cpu);
	if (cpu->beat.mode >= TIO_BEAT_BORROWED)
		tio_beat_timer_leave(cpu);
	local_irq_restore(flags);
}

/**
 * tio_idle_switch() - the idle task is about to run
 *
 * It asks its governor for a state next, and that looks at the next timer. A beat that
 * is cancelled only as the CPU goes to sleep (tio_idle_sleep()) has made it choose a
 * lighter state.
 *
 * Context: the switch to it, interrupts off, under the run queue's lock.
 */
void tio_idle_switch(void)
{
	struct tio_cpu *cpu = this_cpu_ptr(&tio_cpu);

	WRITE_ONCE(cpu->idle.awake, TIO_AWAKE_FRESH);
	if (cpu->beat.mode == TIO_BEAT_BORROWED)
		tio_beat_timer_lent_again(cpu);
	else if (READ_ONCE(allowed) && cpu->idle.lends && cpu->heartbeat.traced &&
		 nothing_open(cpu) && spend(&cpu->idle))
		tio_beat_timer_lend(cpu);
}
