// SPDX-License-Identifier: GPL-2.0-only
/* Which CPUs are watched and how: begun, changed and ended on each CPU itself. */
#include <linux/math64.h>
#include <linux/smp.h>

#include "beat_timer.h"
#include "buddy.h"
#include "clock.h"
#include "heartbeat.h"
#include "idle.h"
#include "nmi_sample.h"
#include "open.h"
#include "probes.h"
#include "ring.h"
#include "softirqs.h"
#include "watch.h"

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
	tio_idle_reset(cpu);
	tio_beat_timer_begin(cpu, now_ns,
			     first_beat_ns(now_ns, cpu->timing.period_ns));
}

static void stop(struct tio_cpu *cpu, u64 now_ns)
{
	tio_idle_reset(cpu);
	tio_probes_reset(cpu);
	tio_buddy_stop(cpu);
	tio_heartbeat_stop(cpu, now_ns);
}

static void set_timing(struct tio_cpu *cpu, const struct tio_timing *timing)
{
	cpu->timing = *timing;
	/* a handler that takes less puts no beat off for long (tio_beat_timer_hung()) */
	tio_handled_note_from(&cpu->handled, timing->period_ns / 2);
	tio_beat_timer_slow_from(cpu);
	tio_heartbeat_set_timing(cpu);
}

/**
 * tio_watch_sync() - bring this CPU in line with the settings
 * @timing: settings to use from now on
 * @watch: whether the CPU is to be watched; it is not when it has no ring
 *
 * Context: the CPU itself, interrupts off. After a stop,
 * tio_watch_drain() must follow.
 */
void tio_watch_sync(const struct tio_timing *timing, bool watch)
{
	struct tio_cpu *cpu = this_cpu_ptr(&tio_cpu);
	bool moved = timing->period_ns != cpu->timing.period_ns;
	u64 now_ns = ktime_get_ns();

	if (cpu->beat.armed && !watch) {
		stop(cpu, now_ns);
	} else if (cpu->beat.armed) {
		set_timing(cpu, timing);
		tio_stall_resample(&cpu->stall);
		/* a beat that is due already runs, and goes on by the new period */
		if (moved && !cpu->beat.paused && now_ns <= cpu->beat.due_ns) {
			tio_stall_hard_on(&cpu->stall, now_ns);
			tio_beat_timer_arm(cpu, first_beat_ns(now_ns,
							      timing->period_ns));
		}
	} else if (watch && cpu->ring) {
		set_timing(cpu, timing);
		start(cpu, now_ns);
	}
}

/**
 * tio_watch_drain() - wait until no timer or NMI of stopped CPUs is under way
 * @cpus: CPUs that were stopped
 *
 * Context: task, may sleep.
 */
void tio_watch_drain(const struct cpumask *cpus)
{
	unsigned int cpu;

	for_each_cpu(cpu, cpus) {
		hrtimer_cancel(&per_cpu(tio_cpu.heartbeat_nudge, cpu));
		tio_nmi_sample_drain(cpu);
	}
}

/**
 * tio_watch_prepare() - allocate what a CPU needs before it can be watched
 * @cpu: the CPU
 * @records: size of its ring
 *
 * Context: may sleep; the settings mutex or the CPU's hotplug callback.
 * Return: 0 or -ENOMEM.
 */
int tio_watch_prepare(unsigned int cpu, u32 records)
{
	struct tio_cpu *this = per_cpu_ptr(&tio_cpu, cpu);
	struct tio_ring *ring;

	if (this->ring)
		return 0;
	if (!this->open)
		this->open = tio_open_create(cpu);
	if (!this->open)
		return -ENOMEM;
	ring = tio_ring_create(cpu, records);
	if (!ring)
		return -ENOMEM;
	/* pairs with tio_cpu_ring() */
	smp_store_release(&this->ring, ring);
	return 0;
}

/**
 * tio_watch_bytes() - memory that tio_watch_prepare() allocates for a CPU
 * @records: size of its ring
 *
 * Context: any.
 * Return: bytes.
 */
size_t tio_watch_bytes(u32 records)
{
	return tio_ring_bytes(records) + sizeof(struct tio_open);
}

/**
 * tio_watch_init() - set up what is the same for every CPU
 *
 * Context: module init.
 */
void tio_watch_init(void)
{
	unsigned int cpu;

	tio_clock_init();
	for_each_possible_cpu(cpu) {
		struct tio_cpu *this = per_cpu_ptr(&tio_cpu, cpu);

		tio_heartbeat_init(this);
		tio_buddy_init(this);
	}
}

/**
 * tio_watch_exit() - free what was allocated
 *
 * Context: no CPU is watched, no reader is left.
 */
void tio_watch_exit(void)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu) {
		tio_ring_destroy(per_cpu(tio_cpu.ring, cpu));
		tio_open_destroy(per_cpu(tio_cpu.open, cpu));
	}
}
