// SPDX-License-Identifier: GPL-2.0-only
/*
 * Each CPU whose beat runs walks, at least twice in a threshold, over the CPUs after
 * it, up to the first one in order (walk_order.h). So each CPU has a buddy, the one before
 * it, and another one while that is stuck. A walk that finds a late beat comes back when
 * the beat is late by the threshold, and requests a sample by NMI then.
 *
 * In guard time (guard.h) a CPU that finds all others asleep makes one of them its guard.
 * A guard walks by a timer while it sleeps, until it is not needed.
 */
#include <linux/cache.h>
#include <linux/cpumask.h>
#include <linux/timekeeping.h>

#include "arch/clock.h"
#include "compat/call_async.h"
#include "core/record.h"
#include "core/sample_times.h"
#include "core/walk_order.h"
#include "detect/buddy.h"
#include "record/guard.h"
#include "record/nmi.h"
#include "record/nmi_sample.h"
#include "state/published.h"

/* late by less than threshold / LATE_PART: the next walk is soon enough */
#define LATE_PART	4

/* a moment that is less than threshold / EARLY_PART ahead counts as now */
#define EARLY_PART	64

/* walks of a guard in a threshold; LATE_PART demands 2 */
#define GUARD_WALKS	2

/* a guard stops after so many walks in a row that found nobody to guard */
#define IDLE_WALKS	2

/*
 * TIO_STATE_* of each CPU. Each one writes its own byte, by a plain store: no CPU waits
 * for the line that 64 of them share. A CPU that sleeps or wakes writes it once, which
 * happens as rarely as its timer is programmed (idle.c). It is a hint: what a walk does
 * about a CPU rests on that CPU's own words.
 */
static u8 states[ALIGN(NR_CPUS, 8)] ____cacheline_aligned_in_smp;

/* what a walk found */
struct walk {
	struct tio_walk_order look;
	u64 next_ns;		/* when to look again, or TIO_NEVER_NS */
	int asleep;		/* a CPU whose beat is paused, and in order; -1: none */
};

/**
 * tio_buddy_note() - this CPU's beat was begun, paused, resumed or ended
 * @cpu: this CPU
 *
 * Context: interrupts off.
 */
void tio_buddy_note(const struct tio_cpu *cpu)
{
	u8 state = !tio_is_watched(cpu) ? TIO_STATE_OFF :
		   !tio_is_paused(cpu) ? TIO_STATE_AWAKE :
		   cpu->buddy.guards ? TIO_STATE_GUARDS : TIO_STATE_ASLEEP;

	WRITE_ONCE(states[smp_processor_id()], state);
}

/* could a sample be taken? Otherwise nobody walks. A CPU may not know of a stop yet. */
static bool useful(void)
{
	return tio_nmi_able() && tio_published_knob(TIO_KNOB_ENABLE);
}

/* since when a CPU has been overdue; 0: it is not */
static u64 overdue_since(bool paused, u64 id, u64 now_ns)
{
	u64 since_ns = id;

	if (!id)
		return 0;
	if (paused) {
		u64 cycles = tio_cycles() - id;

		/* otherwise another CPU's cycles say nothing; the stall's end is evidence */
		if (!tio_clock_agrees())
			return 0;
		/* its clock may be a little ahead of this one's */
		if ((s64)cycles <= 0)
			return 0;
		since_ns = now_ns - tio_cycles_to_ns(cycles);
	}
	return since_ns < now_ns ? since_ns : 0;
}

/*
 * Checks one CPU, and requests samples as they fall due (sample_times.h). Returns when to check
 * it again; 0 where it is in order.
 */
static u64 check(unsigned int cpu, bool paused, u64 threshold_ns, u64 now_ns,
		 bool late)
{
	struct tio_cpu *that = per_cpu_ptr(&tio_cpu, cpu);
	u64 id = tio_stall_id_of(that, paused);
	u64 since_ns = overdue_since(paused, id, now_ns), at_ns;
	unsigned int sent;

	if (!since_ns || now_ns - since_ns < threshold_ns / LATE_PART)
		return 0;
	sent = READ_ONCE(that->nmi.id) == id ? READ_ONCE(that->nmi.number) : 0;
	at_ns = since_ns + tio_sample_times_hard_next(threshold_ns, sent);
	/* clocks differ a little: a timer that runs early is not set again */
	if (now_ns + threshold_ns / EARLY_PART < at_ns)
		return at_ns;
	tio_nmi_sample_request(cpu, id, sent, late);
	/*
	 * This CPU may sleep by then. What was refused, as while the last NMI has not
	 * arrived, is tried again by the next walk, or then.
	 */
	return since_ns + tio_sample_times_hard_after(threshold_ns, sent + 1, now_ns - since_ns);
}

static void walk(struct tio_cpu *cpu, u64 now_ns, bool late, struct walk *found)
{
	struct tio_walk_order *look = &found->look;
	int other;

	found->next_ns = TIO_NEVER_NS;
	found->asleep = -1;
	tio_walk_order_begin(look, states, nr_cpu_ids, smp_processor_id(), &cpu->rounds);
	while ((other = tio_walk_order_next(look)) >= 0) {
		const struct tio_cpu *that = per_cpu_ptr(&tio_cpu, other);
		/* pairs with run() in beat_plan.c: beat.due_ns is set before */
		u8 mode = smp_load_acquire(&that->beat.mode);
		bool paused = mode == TIO_BEAT_PAUSED;
		u64 next_ns;

		if (mode == TIO_BEAT_OFF)
			continue;
		next_ns = check(other, paused, cpu->timing.threshold_ns, now_ns,
				late);
		if (next_ns)
			found->next_ns = min(found->next_ns, next_ns);
		else if (!paused || READ_ONCE(that->buddy.guards))
			tio_walk_order_in_order(look);
		else if (found->asleep < 0)
			found->asleep = other;
	}
}

/*
 * The timer is only ever moved to an earlier moment. Otherwise a CPU that naps often
 * would put its walk off each time.
 */
static void walk_by(struct tio_cpu *cpu, u64 at_ns)
{
	if (!hrtimer_is_queued(&cpu->buddy_timer) ||
	    ktime_to_ns(hrtimer_get_expires(&cpu->buddy_timer)) > at_ns)
		hrtimer_start(&cpu->buddy_timer, ns_to_ktime(at_ns),
			      HRTIMER_MODE_ABS_PINNED_HARD);
}

/* walks by a timer from now on */
static void walk_asleep(struct tio_cpu *cpu)
{
	walk_by(cpu, ktime_get_ns() + cpu->timing.threshold_ns / GUARD_WALKS);
}

/**
 * tio_buddy_paused() - this CPU's beat has been paused
 * @cpu: this CPU; where it guards, it walks by a timer from now on
 *
 * Context: interrupts off.
 */
void tio_buddy_paused(struct tio_cpu *cpu)
{
	tio_buddy_note(cpu);
	if (cpu->buddy.guards)
		walk_asleep(cpu);
}

static void stand_guard(void *info)
{
	struct tio_cpu *cpu = this_cpu_ptr(&tio_cpu);

	if (!tio_is_watched(cpu) || cpu->buddy.guards)
		return;
	cpu->buddy.idle_walks = 0;
	WRITE_ONCE(cpu->buddy.guards, true);
	tio_buddy_note(cpu);
	walk_asleep(cpu);
}

/**
 * tio_buddy_walk() - look for CPUs that are stuck
 * @cpu: this CPU, which is in order
 * @now_ns: now
 * @late: this CPU was late itself just before
 *
 * Context: the heartbeat.
 */
void tio_buddy_walk(struct tio_cpu *cpu, u64 now_ns, bool late)
{
	struct tio_cpu *that;
	struct walk found;

	if (!useful())
		return;
	walk(cpu, now_ns, late, &found);
	if (found.next_ns != TIO_NEVER_NS)
		walk_by(cpu, found.next_ns);
	if (!tio_guard_time(now_ns) || found.asleep < 0 ||
	    tio_walk_order_any(&found.look, TIO_STATE_WALKS))
		return;
	/* -EBUSY while the previous call is queued; harmless */
	that = per_cpu_ptr(&tio_cpu, found.asleep);
	smp_call_function_single_async(found.asleep, &that->buddy_call);
}

/*
 * Does a guard go on? A CPU that sleeps for a moment still needs its guard: no walk alone
 * decides that nobody is guarded.
 */
static bool goes_on(struct tio_cpu *cpu, const struct tio_walk_order *look, u64 now_ns)
{
	if (!tio_guard_time(now_ns))
		return false;
	if (tio_walk_order_one(look, TIO_STATE_AWAKE))
		cpu->buddy.idle_walks = 0;
	else
		cpu->buddy.idle_walks++;
	return cpu->buddy.idle_walks < IDLE_WALKS;
}

/* the moment that a walk set for a late beat has come, or a guard walks */
static enum hrtimer_restart timer_walk(struct hrtimer *timer)
{
	struct tio_cpu *cpu = container_of(timer, struct tio_cpu, buddy_timer);
	u64 now_ns = ktime_get_ns();
	u64 due_ns = ktime_to_ns(hrtimer_get_expires(timer));
	u64 threshold_ns = cpu->timing.threshold_ns;
	struct walk found = { .next_ns = TIO_NEVER_NS };
	bool walks = useful();

	if (walks && tio_is_watched(cpu))
		walk(cpu, now_ns, now_ns > due_ns + threshold_ns / LATE_PART, &found);
	if (cpu->buddy.guards && !(walks && goes_on(cpu, &found.look, now_ns))) {
		WRITE_ONCE(cpu->buddy.guards, false);
		tio_buddy_note(cpu);
	}
	/* a guard that is awake walks in its beat; its timer goes on when it sleeps */
	if (cpu->buddy.guards && tio_is_paused(cpu))
		found.next_ns = min(found.next_ns,
				    now_ns + threshold_ns / GUARD_WALKS);
	if (found.next_ns == TIO_NEVER_NS)
		return HRTIMER_NORESTART;
	hrtimer_set_expires(timer, ns_to_ktime(found.next_ns));
	return HRTIMER_RESTART;
}

/**
 * tio_buddy_stop() - this CPU is not watched any more, and does not walk
 * @cpu: this CPU
 *
 * Context: interrupts off.
 */
void tio_buddy_stop(struct tio_cpu *cpu)
{
	WRITE_ONCE(cpu->buddy.guards, false);
	/* it cannot be running: it and this are on one CPU, irqs off */
	hrtimer_try_to_cancel(&cpu->buddy_timer);
}

/**
 * tio_buddy_init() - set up a CPU's timer and the call that makes it a guard
 * @cpu: any CPU
 *
 * Context: module init.
 */
void tio_buddy_init(struct tio_cpu *cpu)
{
	hrtimer_setup(&cpu->buddy_timer, timer_walk, CLOCK_MONOTONIC,
		      HRTIMER_MODE_ABS_PINNED_HARD);
	cpu->buddy_call.func = stand_guard;
}
