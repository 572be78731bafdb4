/* SPDX-License-Identifier: GPL-2.0-only */
/* What becomes of a stall that is over. */
#ifndef _TIO_ENDED_H
#define _TIO_ENDED_H

#include "cpu.h"
#include "softnet.h"

void tio_ended_hard(struct tio_cpu *cpu, const struct tio_outcome *out,
		    struct pt_regs *regs, u64 now_ns, bool handlers_known);
void tio_ended_soft(struct tio_cpu *cpu, const struct tio_outcome *out,
		    struct pt_regs *regs, u64 now_ns,
		    enum trace_irqoff_end end_by);

/* packets that come later are a stall's that may begin now */
static inline void tio_packets_before(struct tio_cpu *cpu)
{
	if (!cpu->stall.soft_due_ns && !cpu->stall.hard_due_ns)
		tio_softnet_read(&cpu->net);
}

#endif /* _TIO_ENDED_H */
