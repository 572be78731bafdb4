/* SPDX-License-Identifier: GPL-2.0-only */
/* How long it takes to read the kernel's clock, and a CPU's cycles, measured. */
#ifndef _TIO_CLOCK_SPEED_H
#define _TIO_CLOCK_SPEED_H

#include <linux/cpumask.h>
#include <linux/types.h>

u64 tio_clock_speed_cycles(void);
bool tio_clock_speed_allows(u32 period_us, const struct cpumask *watched, u64 *read_ns,
			    u64 *least_us);
bool tio_clock_speed_slow(u64 read_ns);

#endif /* _TIO_CLOCK_SPEED_H */
