// SPDX-License-Identifier: GPL-2.0-only
/*
 * The kernel tells a module neither which clocksource it uses nor when that changes. So
 * its speed is measured. The measure is the TSC: architectures that have no such clock of
 * their own (tio_cycles()) never find theirs slow.
 */
#include <linux/compiler.h>
#include <linux/cpumask.h>
#include <linux/kernel.h>
#include <linux/timekeeping.h>

#include "arch/clock.h"
#include "compat/coarse_clock.h"
#include "core/cost.h"
#include "detect/clock_speed.h"

/*
 * The fastest of so many tries counts: interrupts and hypervisors only make it longer. A try
 * is short enough to lie between two of these.
 */
#define TRIES	128
#define READS	4
#define CYCLE_READS	16

/*
 * A single reading that takes so long is slow; as last measured. Where a slow clock is
 * allowed, one that takes twice as long as then.
 */
static u64 slow_from_ns = U64_MAX;

static u64 read_clock(void)
{
	return ktime_get_ns();
}

static u64 read_cached(void)
{
	return ktime_get_coarse_ns();
}

static u64 read_cycles(void)
{
	return tio_cycles();
}

/* how long each reading takes, in ns */
struct speed {
	u64 cached;	/* of the kernel's clock, without its hardware */
	u64 cycles;
	u64 clock;
};

/* how long READS readings took this time, unless an earlier time was shorter */
static __always_inline u64 shortest(u64 least_ns, u64 (*read)(void))
{
	u64 from_ns = ktime_get_ns();
	unsigned int i;

	for (i = 0; i < READS; i++) {
		u64 value = read();

		/* keeps the compiler from leaving it out */
		OPTIMIZER_HIDE_VAR(value);
	}
	return min(least_ns, ktime_get_ns() - from_ns);
}

/* how long it takes to time nothing */
static u64 shortest_empty(u64 least_ns)
{
	u64 from_ns = ktime_get_ns();

	return min(least_ns, ktime_get_ns() - from_ns);
}

static u64 of_one(u64 least_ns, u64 empty_ns)
{
	return (max(least_ns, empty_ns) - empty_ns) / READS;
}

static void measure(struct speed *speed)
{
	u64 empty = U64_MAX, cached = U64_MAX, cycles = U64_MAX, clock = U64_MAX;
	unsigned int i;

	/* in turn: what a busy host takes, it takes from all of them */
	for (i = 0; i < TRIES; i++) {
		empty = shortest_empty(empty);
		cached = shortest(cached, read_cached);
		cycles = shortest(cycles, read_cycles);
		clock = shortest(clock, read_clock);
	}
	speed->cached = of_one(cached, empty);
	speed->cycles = of_one(cycles, empty);
	speed->clock = of_one(clock, empty);
}

/**
 * tio_clock_speed_cycles() - how long it takes to read this CPU's cycles
 *
 * Context: task.
 * Return: ns; 0 where the kernel's clock stands for them.
 */
u64 tio_clock_speed_cycles(void)
{
	u64 least = U64_MAX;
	unsigned int i, k;

	if (!IS_ENABLED(CONFIG_X86_64))
		return 0;
	for (i = 0; i < TRIES; i++) {
		u64 from = tio_cycles(), cycles = from;

		for (k = 0; k < CYCLE_READS; k++) {
			cycles = tio_cycles();
			OPTIMIZER_HIDE_VAR(cycles);
		}
		least = min(least, cycles - from);
	}
	return tio_cycles_to_ns(least) / CYCLE_READS;
}

/**
 * tio_clock_speed_allows() - may beats read the clock so often?
 * @period_us: the time between two beats
 * @watched: the CPUs that beat while they are online
 * @read_ns: set to how long reading the clock takes
 * @least_us: set to the shortest period allowed; 0 where the clock is not slow
 *
 * Context: task.
 * Return: true when they may.
 */
bool tio_clock_speed_allows(u32 period_us, const struct cpumask *watched, u64 *read_ns,
			    u64 *least_us)
{
	unsigned int cpus = min(cpumask_weight(watched), num_online_cpus());
	struct speed speed;
	bool allowed;
	u64 slow_ns;

	measure(&speed);
	slow_ns = tio_clock_slow_from(speed.cached, speed.cycles);
	*read_ns = speed.clock;
	*least_us = 0;
	if (*read_ns >= slow_ns)
		*least_us = DIV_ROUND_UP_ULL(tio_clock_least_period(*read_ns, cpus),
					     NSEC_PER_USEC);
	allowed = period_us >= *least_us;
	WRITE_ONCE(slow_from_ns, allowed && *least_us ? 2 * *read_ns : slow_ns);
	return allowed;
}

/**
 * tio_clock_speed_slow() - was this reading of the clock a slow one?
 * @read_ns: how long it took
 *
 * Context: any.
 * Return: true when it was.
 */
bool tio_clock_speed_slow(u64 read_ns)
{
	return read_ns >= READ_ONCE(slow_from_ns);
}
