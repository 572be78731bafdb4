// SPDX-License-Identifier: GPL-2.0-only
/* Which CPUs are watched and how: begun, changed and ended on each CPU itself. */
#include <linux/log2.h>
#include <linux/math64.h>
#include <linux/smp.h>

#include "asked.h"
#include "heartbeat.h"
#include "patrol.h"
#include "ring.h"
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
	WRITE_ONCE(cpu->irq_entry, 0);
	cpu->softirqs.raised = 0;
	cpu->asked.credit = false;
	cpu->take_back = jiffies;
	WRITE_ONCE(cpu->armed, true);
	tio_heartbeat_begin(cpu, now_ns,
			    first_beat_ns(now_ns, cpu->timing.period_ns));
}

static void stop(struct tio_cpu *cpu, u64 now_ns)
{
	WRITE_ONCE(cpu->armed, false);
	WRITE_ONCE(cpu->parked, false);
	cpu->resumed_for_softirq = false;
	WRITE_ONCE(cpu->irq_entry, 0);
	tio_patrol_stop(cpu);
	tio_heartbeat_stop(cpu, now_ns);
	/* not overdue for whoever looks as it is armed again */
	WRITE_ONCE(cpu->due_ns, TIO_NEVER_NS);
}

static void set_timing(struct tio_cpu *cpu, const struct tio_timing *timing)
{
	u64 beats;

	cpu->timing = *timing;
	/* what takes less puts no beat off for long, see hung() */
	cpu->handled.note_from = tio_ns_to_cycles(timing->period_ns / 2);
	/* what was too little to be described may now be enough */
	tio_handled_forget(&cpu->handled);
	tio_heartbeat_look(cpu);
	/* so many beats, a power of two, are half a threshold at most */
	beats = div64_u64(timing->threshold_ns, 2 * timing->period_ns);
	cpu->other_mask = rounddown_pow_of_two(clamp_t(u64, beats, 1,
						       TIO_COST_EVERY)) - 1;
}

/**
 * tio_watch_sync() - bring this CPU in line with the settings
 * @timing: settings to use from now on
 * @watch: whether the CPU is to be watched; it is not when it has no ring
 *
 * Context: the CPU itself, interrupts off. After a stop,
 * tio_watch_settle() must follow.
 */
void tio_watch_sync(const struct tio_timing *timing, bool watch)
{
	struct tio_cpu *cpu = this_cpu_ptr(&tio_cpu);
	bool moved = timing->period_ns != cpu->timing.period_ns;
	u64 now_ns = ktime_get_ns();

	if (cpu->armed && !watch) {
		stop(cpu, now_ns);
	} else if (cpu->armed) {
		set_timing(cpu, timing);
		/* an open stall is sampled by the new threshold */
		cpu->stall.next_sample_ns = 0;
		/* a beat that is due is about to run, and goes on by the new one */
		if (moved && !cpu->parked && now_ns <= cpu->due_ns) {
			cpu->stall.hard_on_ns = now_ns;
			tio_heartbeat_arm(cpu, first_beat_ns(now_ns,
							     timing->period_ns));
		}
	} else if (watch && cpu->ring) {
		set_timing(cpu, timing);
		start(cpu, now_ns);
	}
}

/**
 * tio_watch_settle() - wait until nothing of stopped heartbeats runs
 * @cpus: CPUs that were stopped
 *
 * Context: task, may sleep.
 */
void tio_watch_settle(const struct cpumask *cpus)
{
	unsigned int cpu;

	for_each_cpu(cpu, cpus) {
		hrtimer_cancel(&per_cpu(tio_cpu.nudge, cpu));
		tio_asked_drain(cpu);
	}
}

/**
 * tio_watch_prepare() - what a CPU needs before it can be watched
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
	ring = tio_ring_create(cpu, records);
	if (!ring)
		return -ENOMEM;
	/* readers look for it without a lock */
	smp_store_release(&this->ring, ring);
	return 0;
}

/**
 * tio_watch_init() - set up what is the same for every CPU
 */
void tio_watch_init(void)
{
	unsigned int cpu;

	tio_cycles_init();
	for_each_possible_cpu(cpu) {
		struct tio_cpu *this = per_cpu_ptr(&tio_cpu, cpu);

		tio_heartbeat_setup(this);
		tio_patrol_init(this);
	}
}

/**
 * tio_watch_exit() - free all rings
 *
 * Context: no CPU is watched, no reader is left.
 */
void tio_watch_exit(void)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu)
		tio_ring_destroy(per_cpu(tio_cpu.ring, cpu));
}
