/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Measures what beats cost, and has watching stopped where that is too much, or where
 * the kernel's clock has become too slow to read.
 */
#ifndef _TIO_COST_LIMIT_H
#define _TIO_COST_LIMIT_H

#include "state/cpu.h"
#include "state/published.h"

void tio_cost_limit_init(bool (*stop)(enum trace_irqoff_stop by,
				      bool (*harmful)(const struct tio_published *)));
void tio_cost_limit_exit(void);

void tio_cost_limit_reset(struct tio_cpu *cpu, u64 now_ns);
void tio_cost_limit_beat(struct tio_cpu *cpu, u64 now_ns);
void tio_cost_limit_irq_end(struct tio_cpu *cpu, u64 cycles);

#endif /* _TIO_COST_LIMIT_H */
