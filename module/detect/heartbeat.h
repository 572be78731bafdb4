/* SPDX-License-Identifier: GPL-2.0-only */
/* The per-CPU heartbeats and what they measure. */
#ifndef _TIO_HEARTBEAT_H
#define _TIO_HEARTBEAT_H

#include "state/cpu.h"

/* one beat in so many is timed, so that measuring the cost costs next to nothing */
#define TIO_COST_EVERY	64

void tio_heartbeat_init(struct tio_cpu *cpu, void (*new_settings)(void));
void tio_heartbeat_set_timing(struct tio_cpu *cpu);
void tio_heartbeat_stop(struct tio_cpu *cpu, u64 now_ns);
void tio_heartbeat_softirq(bool exit);
void tio_heartbeat_irq_end(struct tio_cpu *cpu, u64 cycles);

#endif /* _TIO_HEARTBEAT_H */
