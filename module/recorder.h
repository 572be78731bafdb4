/* SPDX-License-Identifier: GPL-2.0-only */
/* From a stall that ended, or goes on, to what is kept of it. */
#ifndef _TIO_RECORDER_H
#define _TIO_RECORDER_H

#include "cpu.h"
#include "record.h"

struct pt_regs;

/* interrupt handlers between two beats */
struct tio_handlers {
	u64 ns;		/* time in them */
	u32 number;
	u64 longest_ns;	/* of one of them; 0: none was long */
	const struct tio_irq *irq;	/* its, or what most of ns went to; or NULL */
	u32 unseen;	/* those that no probe has seen */
	bool known;	/* the tracepoints are there */
	bool second;	/* one of them came in after the end, before the late beat's */
};

void tio_record_hard(struct tio_cpu *cpu, const struct tio_bounds *bounds,
		     const struct tio_handlers *handlers, struct pt_regs *regs,
		     u64 now_ns);
void tio_record_soft(struct tio_cpu *cpu, const struct tio_outcome *out,
		     struct pt_regs *regs, u64 now_ns,
		     enum trace_irqoff_end end_by);
void tio_sample_soft(struct tio_cpu *cpu, struct pt_regs *regs, u64 now_ns);
void tio_forget_soft(struct tio_cpu *cpu);

#endif /* _TIO_RECORDER_H */
