/* SPDX-License-Identifier: GPL-2.0-only */
/* When an idle CPU's heartbeat sleeps, and what wakes it. */
#ifndef _TIO_PARK_H
#define _TIO_PARK_H

#include <linux/sched.h>

#include "cpu.h"

bool tio_park_wanted(void);
void tio_park_softirq_begins(void);
void tio_park_softirq_ended(void);
void tio_park_idle_begins(void);
void tio_park_idle_ended(void);
void tio_park_allow(bool allow);

/* the CPU does something else than idle, or is about to */
static inline bool tio_park_over(void)
{
	return !is_idle_task(current) || need_resched();
}

/* around every sleep of an idle CPU, interrupts off: two loads and a branch */
static inline void tio_park_idle(bool begins)
{
	if (begins) {
		if (raw_cpu_read(tio_cpu.armed) && !raw_cpu_read(tio_cpu.parked))
			tio_park_idle_begins();
	} else if (raw_cpu_read(tio_cpu.parked) && tio_park_over()) {
		tio_park_idle_ended();
	}
}

/*
 * At every switch of tasks, interrupts off: a load and a branch. What runs then
 * was woken unseen, in the idle loop between two sleeps, where it looks by itself
 * (TIF_POLLING_NRFLAG).
 */
static inline void tio_park_switch(void)
{
	if (unlikely(raw_cpu_read(tio_cpu.parked)))
		tio_park_idle_ended();
}

#endif /* _TIO_PARK_H */
