/* SPDX-License-Identifier: GPL-2.0-only */
/* What is kept of a stall: while it goes on, and when it has ended. */
#ifndef _TIO_RECORDER_H
#define _TIO_RECORDER_H

#include "arch/softnet.h"
#include "state/cpu.h"

struct pt_regs;

void tio_recorder_sample_soft(struct tio_cpu *cpu, struct pt_regs *regs, u64 now_ns);
void tio_recorder_end_hard(struct tio_cpu *cpu, const struct tio_outcome *out,
			   struct pt_regs *regs, u64 now_ns, enum trace_irqoff_end end_by,
			   bool handlers_known);
void tio_recorder_end_soft(struct tio_cpu *cpu, const struct tio_outcome *out,
			   struct pt_regs *regs, u64 now_ns,
			   enum trace_irqoff_end end_by);

/* while no stall is open: packets that come from now on are of the next stall */
static inline void tio_recorder_note_packets(struct tio_cpu *cpu)
{
	if (!cpu->stall.soft_due_ns && !cpu->stall.hard_due_ns)
		tio_softnet_read(&cpu->net);
}

/* a beat found received packets waiting, or did not */
static inline void tio_recorder_note_waiting(struct tio_cpu *cpu, bool waiting)
{
	cpu->net.waited |= waiting;
}

#endif /* _TIO_RECORDER_H */
