// SPDX-License-Identifier: GPL-2.0-only
/*
 * The heartbeat of an idle CPU is parked: it is not armed, so the CPU sleeps as
 * long as it would without the tracer. Nothing is missed meanwhile. An idle CPU
 * takes interrupts at once; the probes time handlers that run on top of it, and
 * what else can begin a stall there arms the beat first: a softirq, or a task
 * that is about to run.
 *
 * Arming and taking back each program the timer, so a CPU that naps often keeps
 * its beat: it is taken back so many times a second at most, and a beat left
 * armed parks itself when it finds the CPU idle.
 */
#include <linux/jiffies.h>
#include <linux/sched.h>
#include <linux/interrupt.h>

#include "heartbeat.h"
#include "park.h"
#include "softirqs.h"

#define TAKE_BACK_HZ	100

/* as much may be saved up as one second gives */
#define TAKE_BACK_BURST	HZ

/* this kernel tells of all that can end a CPU's idle sleep */
static bool allowed;

/**
 * tio_park_allow() - may heartbeats be parked?
 * @allow: the probes that wake them are attached
 *
 * Context: task; before any CPU is watched.
 */
void tio_park_allow(bool allow)
{
	WRITE_ONCE(allowed, allow);
}

static bool spend(struct tio_cpu *cpu)
{
	const unsigned long price = HZ / TAKE_BACK_HZ ?: 1;
	unsigned long now = jiffies;

	if (time_before(cpu->take_back, now - TAKE_BACK_BURST))
		cpu->take_back = now - TAKE_BACK_BURST;
	if (time_after(cpu->take_back + price, now))
		return false;
	cpu->take_back += price;
	return true;
}

/* nothing is going on, and the idle task is to go on */
static bool at_rest(const struct tio_cpu *cpu)
{
	return !tio_park_over() && !cpu->stall.soft_due_ns &&
	       !cpu->stall.hard_due_ns && !tio_softirqs_waiting(cpu);
}

/**
 * tio_park_wanted() - is a beat that has just run to be the last for now?
 *
 * Context: the beat, which found the idle task, and softirqs on.
 */
bool tio_park_wanted(void)
{
	return READ_ONCE(allowed) && at_rest(this_cpu_ptr(&tio_cpu));
}

/**
 * tio_park_softirq_begins() - a softirq is about to run on a parked CPU
 *
 * Context: softirq.
 */
void tio_park_softirq_begins(void)
{
	struct tio_cpu *cpu;
	unsigned long flags;

	local_irq_save(flags);
	cpu = this_cpu_ptr(&tio_cpu);
	if (cpu->parked) {
		tio_heartbeat_resume(cpu, ktime_get_ns());
		cpu->resumed_for_softirq = true;
	}
	local_irq_restore(flags);
}

/**
 * tio_park_softirq_ended() - so ends what armed the beat
 *
 * Taken back right here, the beat is not there any more when the idle governor
 * asks how long the CPU may sleep.
 *
 * Context: softirq.
 */
void tio_park_softirq_ended(void)
{
	struct tio_cpu *cpu;
	unsigned long flags;

	local_irq_save(flags);
	cpu = this_cpu_ptr(&tio_cpu);
	if (!tio_softirqs_waiting(cpu)) {
		cpu->resumed_for_softirq = false;
		if (cpu->armed && at_rest(cpu) && spend(cpu))
			tio_heartbeat_pause(cpu);
	}
	local_irq_restore(flags);
}

/**
 * tio_park_idle_begins() - a CPU with a beat armed goes to sleep
 *
 * Context: the idle task, interrupts off.
 */
void tio_park_idle_begins(void)
{
	struct tio_cpu *cpu;
	unsigned long flags;

	if (!READ_ONCE(allowed))
		return;
	local_irq_save(flags);
	cpu = this_cpu_ptr(&tio_cpu);
	if (at_rest(cpu) && spend(cpu))
		tio_heartbeat_pause(cpu);
	local_irq_restore(flags);
}

/**
 * tio_park_idle_ended() - a parked CPU was woken for a task
 *
 * An idle task that slept with interrupts off learns only from the interrupt what
 * woke it: then that one's end (tio_heartbeat_irq_end()) arms the beat.
 *
 * Context: the idle task; or the switch from it, which holds the run queue's lock,
 * as the scheduler does that starts hrtimers of its own.
 */
void tio_park_idle_ended(void)
{
	struct tio_cpu *cpu;
	unsigned long flags;

	local_irq_save(flags);
	cpu = this_cpu_ptr(&tio_cpu);
	if (cpu->parked)
		tio_heartbeat_resume(cpu, ktime_get_ns());
	local_irq_restore(flags);
}
