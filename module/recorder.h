/* SPDX-License-Identifier: GPL-2.0-only */
/* From a stall that ended, or goes on, to what is kept of it. */
#ifndef _TIO_RECORDER_H
#define _TIO_RECORDER_H

#include "cpu.h"
#include "record.h"

struct pt_regs;

void tio_record_hard(struct tio_cpu *cpu, const struct tio_bounds *bounds,
		     const struct tio_handlers *handlers, struct pt_regs *regs,
		     u64 now_ns);
void tio_record_soft(struct tio_cpu *cpu, const struct tio_outcome *out,
		     struct pt_regs *regs, u64 now_ns,
		     enum trace_irqoff_end end_by);
void tio_sample_soft(struct tio_cpu *cpu, struct pt_regs *regs, u64 now_ns);
void tio_forget_soft(struct tio_cpu *cpu);

#endif /* _TIO_RECORDER_H */
