/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What beats cost a CPU, and how slow a clock may be for them. Pure: takes lengths and
 * times, reads no clock.
 */
#ifndef _TIO_COST_H
#define _TIO_COST_H

#include <linux/types.h>

/* the lengths that a median is taken of: the fewest, and how many are kept */
#define TIO_COST_LEAST		8
#define TIO_COST_LENGTHS	15

/* a window lasts this long, or until it has enough lengths */
#define TIO_COST_WINDOW_NS	1000000000ULL

/* lengths are taken at most so often */
#define TIO_COST_EACH_NS	(TIO_COST_WINDOW_NS / 16)

/* so long above the limit is too long */
#define TIO_COST_PATIENCE_NS	(10 * TIO_COST_WINDOW_NS)

struct tio_cost {
	u32 lengths_ns[TIO_COST_LENGTHS];	/* the last ones of the window */
	u32 number;		/* of lengths in the window */
	u32 ppm;		/* in the last window that ended */
	u64 from_ns;		/* when the window began */
	u64 from_beats;		/* beats run until then */
	u64 over_ns;		/* since when each window was over the limit; 0: not over */
};

void tio_cost_begin(struct tio_cost *cost, u64 now_ns, u64 beats);
void tio_cost_add(struct tio_cost *cost, u64 length_ns);
bool tio_cost_window(struct tio_cost *cost, u64 now_ns, u64 beats, u32 max_ppm);

/**
 * tio_cost_too_high() - was the cost above its limit for too long?
 * @cost: of this CPU; a window of it has just ended
 * @now_ns: now
 *
 * Context: as for all functions of this file, whatever protects @cost.
 * Return: true when it was.
 */
static inline bool tio_cost_too_high(const struct tio_cost *cost, u64 now_ns)
{
	return cost->over_ns && now_ns - cost->over_ns >= TIO_COST_PATIENCE_NS;
}

/*
 * How often a beat and the kernel's timer interrupt around it read the clock, and which
 * part of the time all CPUs together may spend on that where the clock is slow.
 */
#define TIO_CLOCK_READS		4
#define TIO_CLOCK_PART		100

/*
 * Reading the clock's hardware may take this long, so many readings of the cycles, and
 * one part in so many of what the kernel takes besides. The last one is for kernels that
 * check themselves: lockdep and KASAN make that microseconds, never twice the same.
 */
#define TIO_CLOCK_SLOW_NS	150
#define TIO_CLOCK_SLOW_CYCLES	4
#define TIO_CLOCK_SLOW_PART	2

/*
 * Reading a CPU's cycles takes this long where a hypervisor intercepts it: leaving a guest
 * and entering it again takes 500 ns and more. Otherwise it takes 10 to 50 ns, emulated too.
 */
#define TIO_CYCLES_SLOW_NS	300

/**
 * tio_clock_slow_from() - how long reading the clock takes where the clock is slow
 * @cached_ns: how long it takes to read the kernel's clock without its hardware
 * @cycles_ns: how long it takes to read this CPU's cycles
 *
 * A TSC takes 10 to 40 ns, a paravirtual clock that is built on it as long. HPET and
 * ACPI PM take 500 ns and more: they are on a bus. QEMU's emulation takes 30 ns for the
 * TSC and 300 ns for HPET; its ACPI PM takes 90 ns, and is not slow. The cycles stand
 * for how fast the machine is.
 *
 * Context: any.
 * Return: ns.
 */
static inline u64 tio_clock_slow_from(u64 cached_ns, u64 cycles_ns)
{
	return cached_ns + cached_ns / TIO_CLOCK_SLOW_PART + TIO_CLOCK_SLOW_NS +
	       TIO_CLOCK_SLOW_CYCLES * cycles_ns;
}

/**
 * tio_clock_least_period() - the shortest period that a slow clock allows
 * @read_ns: how long it takes to read it
 * @cpus: how many CPUs beat
 *
 * A slow clock is one device, which one CPU at a time reads.
 *
 * Context: any.
 * Return: ns.
 */
static inline u64 tio_clock_least_period(u64 read_ns, unsigned int cpus)
{
	return read_ns * TIO_CLOCK_READS * TIO_CLOCK_PART * cpus;
}

#endif /* _TIO_COST_H */
