/* SPDX-License-Identifier: GPL-2.0-only */
/* When an idle CPU's heartbeat is paused, and what resumes it. */
#ifndef _TIO_IDLE_H
#define _TIO_IDLE_H

#include <linux/sched.h>

#include "state/cpu.h"

void tio_idle_allow(bool allow);
void tio_idle_reset(struct tio_cpu *cpu);
bool tio_idle_may_pause(void);
void tio_idle_softirq_begins(void);
void tio_idle_softirq_ended(void);
void tio_idle_sleep(void);
void tio_idle_nmi(u64 ns);
void tio_idle_tell_nmi(struct tio_cpu *cpu);
void tio_idle_wake(void);
bool tio_idle_irq_end(struct tio_cpu *cpu, u64 cycles);
void tio_idle_irq_told(struct tio_cpu *cpu);
void tio_idle_set_timing(struct tio_cpu *cpu);
void tio_idle_leave(void);
void tio_idle_switch(void);

/* the CPU does something else than idle, or is about to */
static inline bool tio_idle_over(void)
{
	return !is_idle_task(current) || need_resched();
}

#endif /* _TIO_IDLE_H */
