// SPDX-License-Identifier: GPL-2.0-only
/*
 * Each CPU whose beat runs looks, twice in a threshold, at those after it up to
 * the first that is in order: so each is looked at by the one before it, and by
 * another one while that is stuck. A beat found late is looked at again when it
 * will be late by the threshold, and then its CPU is asked, by an NMI.
 *
 * A CPU that finds all others asleep asks one of them to stay awake for it: a
 * guard, which walks by a timer while it sleeps, until it is not needed.
 */
#include <linux/cpumask.h>
#include <linux/smp.h>
#include <linux/timekeeping.h>

#include "asked.h"
#include "cycles.h"
#include "nmi.h"
#include "patrol.h"
#include "record.h"

/* late by less than this part of the threshold: it can wait for the next walk */
#define LATE_PART	4

/* and so much before a moment is that moment */
#define EARLY_PART	64

/* how many walks of a guard are in a threshold, as LATE_PART demands */
#define GUARD_WALKS	2

/* a guard that was not needed in so many walks, one after another, is not one */
#define NEEDLESS_WALKS	2

/* what a walk found */
struct walk {
	u64 next_ns;		/* when to look again, or TIO_NEVER_NS */
	unsigned int awake;	/* CPUs with a beat due */
	unsigned int guards;	/* CPUs that guard */
	int asleep;		/* a CPU without, -1: none */
};

/* since when a CPU has been overdue; 0: it is not */
static u64 overdue_since(bool parked, u64 id, u64 now_ns)
{
	u64 since_ns = id;

	if (!id)
		return 0;
	if (parked) {
		u64 cycles = tio_cycles() - id;

		/* its clock may be a little ahead of this one's */
		if ((s64)cycles <= 0)
			return 0;
		since_ns = now_ns - tio_cycles_to_ns(cycles);
	}
	return since_ns < now_ns ? since_ns : 0;
}

/*
 * Looks at one CPU, and asks it at 1, 2, 4 and 8 times the threshold.
 * Return: when to look again; 0: it is in order.
 */
static u64 look_at(unsigned int cpu, bool parked, u64 threshold_ns, u64 now_ns,
		   bool late)
{
	struct tio_cpu *that = per_cpu_ptr(&tio_cpu, cpu);
	u64 id = tio_stall_id_of(that, parked);
	u64 since_ns = overdue_since(parked, id, now_ns), at_ns;
	unsigned int times;

	if (!since_ns || now_ns - since_ns < threshold_ns / LATE_PART)
		return 0;
	times = READ_ONCE(that->asked.id) == id ?
		READ_ONCE(that->asked.times) : 0;
	if (times >= TIO_SAMPLES)
		return TIO_NEVER_NS;
	at_ns = since_ns + (threshold_ns << times);
	/* clocks differ a little: a timer that is early is not to be set again */
	if (now_ns + threshold_ns / EARLY_PART < at_ns)
		return at_ns;
	/* refused while the last NMI has not arrived: its CPU does not run */
	if (!tio_ask(cpu, id, late))
		return now_ns + threshold_ns;
	/* one that is past already is left to the next walk */
	at_ns = since_ns + (threshold_ns << (times + 1));
	return times + 1 < TIO_SAMPLES && at_ns > now_ns ? at_ns : TIO_NEVER_NS;
}

/* @far: past those that are in order as well */
static void walk(struct tio_cpu *cpu, u64 now_ns, bool late, bool far,
		 struct walk *found)
{
	unsigned int self = smp_processor_id(), other;

	*found = (struct walk) { .next_ns = TIO_NEVER_NS, .asleep = -1 };
	for_each_cpu_wrap(other, cpu_online_mask, self + 1) {
		const struct tio_cpu *that = per_cpu_ptr(&tio_cpu, other);
		bool parked = READ_ONCE(that->parked);
		bool guards = READ_ONCE(that->guards);
		u64 next_ns;

		if (other == self || !READ_ONCE(that->armed))
			continue;
		next_ns = look_at(other, parked, cpu->timing.threshold_ns,
				  now_ns, late);
		if (next_ns)
			found->next_ns = min(found->next_ns, next_ns);
		found->guards += guards;
		if (!parked)
			found->awake++;
		else if (found->asleep < 0)
			found->asleep = other;
		if (!next_ns && !far && (!parked || guards))
			return;
	}
}

/* the timer is moved to an earlier moment only: who naps often would never walk */
static void walk_by(struct tio_cpu *cpu, u64 at_ns)
{
	if (!hrtimer_is_queued(&cpu->patrol) ||
	    ktime_to_ns(hrtimer_get_expires(&cpu->patrol)) > at_ns)
		hrtimer_start(&cpu->patrol, ns_to_ktime(at_ns),
			      HRTIMER_MODE_ABS_PINNED_HARD);
}

/**
 * tio_patrol_guard() - walk by a timer from now on
 * @cpu: this CPU, which guards
 *
 * Context: interrupts off.
 */
void tio_patrol_guard(struct tio_cpu *cpu)
{
	walk_by(cpu, ktime_get_ns() + cpu->timing.threshold_ns / GUARD_WALKS);
}

static void stand_guard(void *info)
{
	struct tio_cpu *cpu = this_cpu_ptr(&tio_cpu);

	if (!cpu->armed || cpu->guards)
		return;
	cpu->needless = 0;
	WRITE_ONCE(cpu->guards, true);
	tio_patrol_guard(cpu);
}

/**
 * tio_patrol_walk() - look after the others
 * @cpu: this CPU, which is in order
 * @now_ns: now
 * @late: it has not been, just before
 *
 * Context: the heartbeat.
 */
void tio_patrol_walk(struct tio_cpu *cpu, u64 now_ns, bool late)
{
	struct tio_cpu *that;
	struct walk found;

	if (!tio_nmi_able())
		return;
	walk(cpu, now_ns, late, false, &found);
	if (found.next_ns != TIO_NEVER_NS)
		walk_by(cpu, found.next_ns);
	if (found.awake || found.guards || found.asleep < 0)
		return;
	/* refused while the last call to it has not arrived, which is as well */
	that = per_cpu_ptr(&tio_cpu, found.asleep);
	smp_call_function_single_async(found.asleep, &that->guard);
}

/* a late beat's CPU is to be looked at now, or a guard walks */
static enum hrtimer_restart patrol(struct hrtimer *timer)
{
	struct tio_cpu *cpu = container_of(timer, struct tio_cpu, patrol);
	u64 now_ns = ktime_get_ns();
	u64 due_ns = ktime_to_ns(hrtimer_get_expires(timer));
	u64 threshold_ns = cpu->timing.threshold_ns;
	struct walk found;

	walk(cpu, now_ns, now_ns > due_ns + threshold_ns / LATE_PART,
	     cpu->guards, &found);
	/* one that sleeps for a moment only still needs it */
	cpu->needless = found.awake == 1 ? 0 : cpu->needless + 1;
	if (cpu->needless >= NEEDLESS_WALKS)
		WRITE_ONCE(cpu->guards, false);
	/* a guard that is awake for a while has its beat, and goes on later */
	if (cpu->guards && cpu->parked)
		found.next_ns = min(found.next_ns,
				    now_ns + threshold_ns / GUARD_WALKS);
	if (found.next_ns == TIO_NEVER_NS)
		return HRTIMER_NORESTART;
	hrtimer_set_expires(timer, ns_to_ktime(found.next_ns));
	return HRTIMER_RESTART;
}

/**
 * tio_patrol_stop() - this CPU is not watched any more, and does not walk
 * @cpu: this CPU
 *
 * Context: the CPU itself, interrupts off.
 */
void tio_patrol_stop(struct tio_cpu *cpu)
{
	WRITE_ONCE(cpu->guards, false);
	/* it cannot be running: it and this are on one CPU, irqs off */
	hrtimer_try_to_cancel(&cpu->patrol);
}

/**
 * tio_patrol_init() - what a CPU needs to walk
 * @cpu: any CPU
 */
void tio_patrol_init(struct tio_cpu *cpu)
{
	hrtimer_setup(&cpu->patrol, patrol, CLOCK_MONOTONIC,
		      HRTIMER_MODE_ABS_PINNED_HARD);
	cpu->guard.func = stand_guard;
}
