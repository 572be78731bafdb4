// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which CPUs are watched and how: begun, changed and ended on each CPU itself, when it
 * takes up what is published. Nobody waits for it.
 */
#include <linux/math64.h>
#include <linux/smp.h>

#include "arch/clock.h"
#include "compat/hrtimer_bases.h"
#include "detect/beat_timer.h"
#include "detect/buddy.h"
#include "detect/cost_limit.h"
#include "detect/heartbeat.h"
#include "detect/idle.h"
#include "detect/tracepoints.h"
#include "detect/watch.h"
#include "record/nmi_sample.h"
#include "record/wake.h"
#include "state/softirqs.h"
#include "state/steal.h"

DEFINE_PER_CPU(struct tio_cpu, tio_cpu);

/* CPUs beat at different moments, so that they do not meet at shared locks */
static u64 first_beat_ns(u64 now_ns, u64 period_ns)
{
	return now_ns + div_u64(period_ns * (smp_processor_id() + 1),
				nr_cpu_ids);
}

static void start(struct tio_cpu *cpu, u64 now_ns)
{
	tio_probes_reset(cpu);
	tio_softirqs_reset(cpu);
	tio_nmi_sample_reset(cpu);
	tio_steal_reset(cpu);
	tio_idle_reset(cpu);
	tio_beat_timer_begin(cpu, now_ns,
			     first_beat_ns(now_ns, cpu->timing.period_ns));
	WRITE_ONCE(cpu->watch.since_ns, now_ns);
	tio_wake_cpu(smp_processor_id());
}

static void stop(struct tio_cpu *cpu, u64 now_ns)
{
	tio_buddy_stop(cpu);
	tio_idle_tell_nmi(cpu);
	tio_heartbeat_stop(cpu, now_ns);
	tio_idle_reset(cpu);
	tio_probes_reset(cpu);
	WRITE_ONCE(cpu->watch.since_ns, 0);
	tio_wake_cpu(smp_processor_id());
}

/* readers on other CPUs see that it changes: tio_counters_settled() */
static void set_timing(struct tio_cpu *cpu, const struct tio_timing *timing, bool moved,
		       u64 now_ns)
{
	WRITE_ONCE(cpu->watch.settled_ns, 0);
	/* pairs with the second barrier there */
	smp_wmb();
	WRITE_ONCE(cpu->timing.period_ns, timing->period_ns);
	WRITE_ONCE(cpu->timing.threshold_ns, timing->threshold_ns);
	/* pairs with the first one */
	smp_store_release(&cpu->watch.settled_ns, now_ns);
	/* a handler that takes less puts no beat off for long (beat_plan.c, hung()) */
	if (moved)
		tio_handled_note_from(&cpu->handled, timing->period_ns / 2);
	tio_heartbeat_set_timing(cpu);
	tio_idle_set_timing(cpu);
}

/* goes on by other settings, of which most leave alone what is being measured */
static void change(struct tio_cpu *cpu, const struct tio_timing *timing, bool moved,
		   u64 now_ns)
{
	if (!moved && timing->threshold_ns == cpu->timing.threshold_ns)
		return;
	set_timing(cpu, timing, moved, now_ns);
	tio_stall_resample(&cpu->stall);
	if (!moved)
		return;
	tio_cost_limit_reset(cpu, now_ns);
	tio_beat_timer_slow_from(cpu);
	/* a beat that is due already, or runs, goes on by the new period */
	if (cpu->beat.mode != TIO_BEAT_RUNS || now_ns > cpu->beat.due_ns ||
	    hrtimer_callback_running(&cpu->beat_timer))
		return;
	tio_stall_hard_on(&cpu->stall, now_ns);
	tio_beat_timer_move(cpu, first_beat_ns(now_ns, timing->period_ns));
}

/* brings this CPU in line; it is not watched without memory */
static void sync(struct tio_cpu *cpu, const struct tio_published *state, bool watch)
{
	const struct tio_timing *timing = &state->timing;
	bool moved = timing->period_ns != cpu->timing.period_ns;
	u64 now_ns = ktime_get_ns();

	if (tio_is_watched(cpu) && !watch) {
		stop(cpu, now_ns);
		/* the others go on */
		if (tio_settings_enabled(&state->settings))
			WRITE_ONCE(cpu->watch.settled_ns, 0);
	} else if (tio_is_watched(cpu)) {
		change(cpu, timing, moved, now_ns);
	} else if (watch && rcu_access_pointer(cpu->open)) {
		set_timing(cpu, timing, moved, now_ns);
		tio_cost_limit_reset(cpu, now_ns);
		start(cpu, now_ns);
	}
}

/* interrupts off */
static void take_up(bool online)
{
	struct tio_cpu *cpu = this_cpu_ptr(&tio_cpu);
	const struct tio_published *state;

	rcu_read_lock();
	state = tio_published();
	sync(cpu, state,
	     online && cpumask_test_cpu(smp_processor_id(), &state->watched));
	/* pairs with tio_watch_knows(): the CPU has done what the state demands */
	smp_store_release(&cpu->watch.generation, state->generation);
	rcu_read_unlock();
}

/**
 * tio_watch_take_up() - bring this CPU in line with what is published
 *
 * Context: the CPU itself, interrupts off.
 */
void tio_watch_take_up(void)
{
	take_up(this_cpu_ptr(&tio_cpu)->watch.online);
}

/**
 * tio_watch_online() - this CPU has come online, or is about to go
 * @online: which of the two
 *
 * Context: the CPU's hotplug callback.
 */
void tio_watch_online(bool online)
{
	unsigned long flags;

	local_irq_save(flags);
	take_up(online);
	/* pairs with tio_watch_knows() */
	smp_store_release(&this_cpu_ptr(&tio_cpu)->watch.online, online);
	local_irq_restore(flags);
	if (!online) {
		hrtimer_cancel(this_cpu_ptr(&tio_cpu.heartbeat_nudge));
		tio_nmi_sample_drain(smp_processor_id());
	}
}

/**
 * tio_watch_knows() - has a CPU taken up a state?
 * @cpu: a possible CPU
 * @generation: the state's
 *
 * Context: any.
 * Return: true when it has, or is offline; what the CPU did before is over then.
 */
bool tio_watch_knows(unsigned int cpu, u64 generation)
{
	const struct tio_watch *watch = per_cpu_ptr(&tio_cpu.watch, cpu);

	/* pairs with take_up() */
	if (smp_load_acquire(&watch->generation) >= generation)
		return true;
	/* pairs with tio_watch_online() */
	return !smp_load_acquire(&watch->online);
}

/**
 * tio_watch_behind() - has a CPU something to take up that it has not taken up yet?
 * @cpu: a possible CPU
 * @state: what is published, or was a moment ago
 *
 * A CPU whose beat is paused sleeps, or is in the idle loop, and takes it up before it does
 * anything else, unless a handler runs.
 *
 * Context: any.
 * Return: true when it has.
 */
bool tio_watch_behind(unsigned int cpu, const struct tio_published *state)
{
	const struct tio_cpu *that = per_cpu_ptr(&tio_cpu, cpu);

	if (tio_watch_knows(cpu, state->generation))
		return false;
	if (!tio_is_watched(that))
		return cpumask_test_cpu(cpu, &state->watched);
	return !tio_is_paused(that) || READ_ONCE(that->irq.entry);
}

/**
 * tio_watch_init() - set up what is the same for every CPU
 *
 * Context: module init.
 */
void tio_watch_init(void)
{
	unsigned int cpu;

	/* what every softirq reads, and what other CPUs do, share a cache line */
	BUILD_BUG_ON(offsetofend(struct tio_cpu, stall.soft_due_ns) > 64);
	tio_clock_init();
	for_each_possible_cpu(cpu) {
		struct tio_cpu *this = per_cpu_ptr(&tio_cpu, cpu);

		tio_heartbeat_init(this, tio_watch_take_up);
		tio_buddy_init(this);
	}
}

/**
 * tio_watch_exit() - wait for timers and NMIs of CPUs that were watched
 *
 * Context: task, may sleep. All CPUs have taken up that they are not watched.
 */
void tio_watch_exit(void)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu) {
		hrtimer_cancel(per_cpu_ptr(&tio_cpu.heartbeat_nudge, cpu));
		tio_nmi_sample_drain(cpu);
	}
}
