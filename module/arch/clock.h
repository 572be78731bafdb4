/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A clock of this CPU, in cycles, for how long a handler took. Each interrupt reads it
 * twice. On x86 that costs a third of reading the kernel's clock.
 */
#ifndef _TIO_CLOCK_H
#define _TIO_CLOCK_H

#include <linux/math64.h>
#include <linux/timekeeping.h>

void tio_clock_init(void);
bool tio_clock_steady(void);
bool tio_clock_agrees(void);

#ifdef CONFIG_X86_64

#include <asm/msr.h>
#include <asm/tsc.h>

extern u32 tio_cycles_mult;

static inline u64 tio_cycles(void)
{
	return rdtsc();
}

static inline u64 tio_cycles_to_ns(u64 cycles)
{
	return mul_u64_u32_shr(cycles, tio_cycles_mult, 22);
}

/* for up to an hour: without the 128-bit product, for which compilers realign the stack */
static inline u64 tio_few_cycles_to_ns(u64 cycles)
{
	return cycles * tio_cycles_mult >> 22;
}

static inline u64 tio_ns_to_cycles(u64 ns)
{
	return div_u64(ns << 22, tio_cycles_mult ?: 1);
}

#else

static inline u64 tio_cycles(void)
{
	return ktime_get_mono_fast_ns();
}

static inline u64 tio_cycles_to_ns(u64 cycles)
{
	return cycles;
}

static inline u64 tio_few_cycles_to_ns(u64 cycles)
{
	return cycles;
}

static inline u64 tio_ns_to_cycles(u64 ns)
{
	return ns;
}

#endif

#endif /* _TIO_CLOCK_H */
