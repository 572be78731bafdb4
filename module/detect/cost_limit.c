// SPDX-License-Identifier: GPL-2.0-only
/*
 * At most 16 times a second a beat on the slow path asks for the interrupt of the next
 * beat to be measured. That next one most likely takes the fast path, as nearly all do.
 * Until it has come, handlers take the slow path at their exit
 * (tio_beat_timer_slow_from()), so the fast path has no branch for this.
 *
 * What is measured lies between two tracepoints. The kernel's entry and exit code around
 * them, the VM exits and the cache lines that the interrupted code loses are not in it.
 */
#include <linux/bitops.h>
#include <linux/cpumask.h>
#include <linux/workqueue.h>

#include "detect/beat_timer.h"
#include "detect/clock_speed.h"
#include "detect/cost_limit.h"
#include "state/published.h"

/* so many more slow readings of the clock than fast ones ask for a stop */
#define SLOW_READS	8

static bool (*stop_watching)(enum trace_irqoff_stop by,
			     bool (*harmful)(const struct tio_published *in_force));

/* bits of enum trace_irqoff_stop, and who asked last for TRACE_IRQOFF_STOP_COST */
static unsigned long asked;
static unsigned int dear_cpu;
static u64 dear_generation;	/* of the settings that it had taken up */

/* logs why; the settings may have changed since a beat asked */
static bool clock_too_slow(const struct tio_published *in_force)
{
	u32 period_us = in_force->settings.knobs[TIO_KNOB_PERIOD_US];
	u64 read_ns, least_us;

	if (tio_clock_speed_allows(period_us, &in_force->watched, &read_ns, &least_us))
		return false;
	pr_warn("watching has stopped: reading the kernel's clock takes %llu ns now (see current_clocksource); this needs a period_us of %llu at least, and it is %u\n",
		read_ns, least_us, period_us);
	return true;
}

/* likewise; new settings cost something else, which that CPU has yet to measure */
static bool too_dear(const struct tio_published *in_force)
{
	unsigned int cpu = READ_ONCE(dear_cpu);
	u32 ppm = tio_peek(per_cpu_ptr(&tio_cpu, cpu)->counters.cost_ppm);
	u32 max_ppm = in_force->settings.knobs[TIO_KNOB_MAX_COST_PPM];

	if (!max_ppm || ppm <= max_ppm || in_force->generation != READ_ONCE(dear_generation))
		return false;
	pr_warn("watching has stopped: it took %u ppm of CPU %u's time, more than max_cost_ppm=%u for 10 s; start with a longer period_us or a higher max_cost_ppm\n",
		ppm, cpu, max_ppm);
	return true;
}

static void stop(struct work_struct *unused)
{
	if (test_and_clear_bit(TRACE_IRQOFF_STOP_CLOCK, &asked))
		stop_watching(TRACE_IRQOFF_STOP_CLOCK, clock_too_slow);
	if (test_and_clear_bit(TRACE_IRQOFF_STOP_COST, &asked))
		stop_watching(TRACE_IRQOFF_STOP_COST, too_dear);
}

static DECLARE_WORK(stop_work, stop);

/* the beat cannot stop watching: that takes a task */
static void ask(enum trace_irqoff_stop by)
{
	set_bit(by, &asked);
	/* not on this CPU, where a real-time task may keep a worker from running for ever */
	queue_work(system_dfl_wq, &stop_work);
}

/**
 * tio_cost_limit_reset() - measure anew
 * @cpu: this CPU, whose settings change
 * @now_ns: now
 *
 * Context: interrupts off. tio_beat_timer_slow_from() must follow.
 */
void tio_cost_limit_reset(struct tio_cpu *cpu, u64 now_ns)
{
	cpu->cost_limit.asked_at = 0;
	cpu->cost_limit.slow_reads = 0;
	tio_cost_begin(&cpu->cost_limit.cost, now_ns, cpu->counters.beats);
}

/*
 * Reads the clock once. A reading that something else made long is a rare one: it takes
 * SLOW_READS more slow ones than fast ones.
 */
static bool clock_slow(struct tio_cpu *cpu)
{
	u64 from_ns = ktime_get_ns();

	if (!tio_clock_speed_slow(ktime_get_ns() - from_ns)) {
		if (cpu->cost_limit.slow_reads)
			cpu->cost_limit.slow_reads--;
		return false;
	}
	if (++cpu->cost_limit.slow_reads < SLOW_READS)
		return false;
	cpu->cost_limit.slow_reads = 0;
	return true;
}

/**
 * tio_cost_limit_beat() - one beat in TIO_COST_EVERY
 * @cpu: this CPU
 * @now_ns: now
 *
 * Context: the heartbeat, which is counted already.
 */
void tio_cost_limit_beat(struct tio_cpu *cpu, u64 now_ns)
{
	struct tio_cost *cost = &cpu->cost_limit.cost;

	if (now_ns - cpu->cost_limit.asked_ns < TIO_COST_EACH_NS)
		return;
	if (clock_slow(cpu))
		ask(TRACE_IRQOFF_STOP_CLOCK);
	if (tio_cost_window(cost, now_ns, cpu->counters.beats,
			    tio_published_knob(TIO_KNOB_MAX_COST_PPM))) {
		WRITE_ONCE(cpu->counters.cost_ppm, cost->ppm);
		if (tio_cost_too_high(cost, now_ns)) {
			tio_cost_begin(cost, now_ns, cpu->counters.beats);
			WRITE_ONCE(dear_cpu, smp_processor_id());
			WRITE_ONCE(dear_generation, cpu->watch.generation);
			ask(TRACE_IRQOFF_STOP_COST);
		}
	}
	cpu->cost_limit.asked_ns = now_ns;
	/* the interrupts of this CPU's beats have no tracepoint: the end of none is seen */
	if (!cpu->heartbeat.irq_entry)
		return;
	cpu->cost_limit.asked_at = cpu->counters.beats;
	tio_beat_timer_slow_from(cpu);
}

/**
 * tio_cost_limit_irq_end() - a handler ends while an interrupt is to be measured
 * @cpu: this CPU
 * @cycles: how long the handler took
 *
 * Context: hard interrupt; tio_cpu.heartbeat.irq_entry is that of the last beat.
 */
void tio_cost_limit_irq_end(struct tio_cpu *cpu, u64 cycles)
{
	/* the beat that asked does not count, nor does a handler without a beat */
	if (cpu->counters.beats == cpu->cost_limit.asked_at ||
	    cpu->handled.exit - cycles != cpu->heartbeat.irq_entry)
		return;
	tio_cost_add(&cpu->cost_limit.cost, tio_cycles_to_ns(cycles));
	cpu->cost_limit.asked_at = 0;
	tio_beat_timer_slow_from(cpu);
}

/**
 * tio_cost_limit_init() - say who stops watching
 * @stop: called in a task, may sleep; see tio_control_self_stop()
 *
 * Context: module init, before any CPU is watched.
 */
void tio_cost_limit_init(bool (*stop)(enum trace_irqoff_stop by,
				      bool (*harmful)(const struct tio_published *)))
{
	stop_watching = stop;
}

/**
 * tio_cost_limit_exit() - stop nothing any more
 *
 * Context: task, may sleep, without the settings mutex; no CPU is watched.
 */
void tio_cost_limit_exit(void)
{
	cancel_work_sync(&stop_work);
}
