/* SPDX-License-Identifier: GPL-2.0-only */
/* A sample of this CPU: the interrupted state, task and stack. */
#ifndef _TIO_SAMPLE_H
#define _TIO_SAMPLE_H

#include "core/record.h"

struct pt_regs;

void tio_sample_take(struct tio_sample *sample, struct pt_regs *regs,
		     u64 now_ns, enum trace_irqoff_end by, bool later_irq);
void tio_sample_lock(struct tio_sample *sample, const struct pt_regs *regs);
void tio_sample_end_section(struct tio_sample *sample);
void tio_sample_nmi(struct tio_sample *sample, struct pt_regs *regs,
		    u64 now_ns, u64 delay_ns, bool requester_late);

void tio_sample_meanwhile(struct tio_meanwhile *note, struct pt_regs *regs, u64 now_ns);

#endif /* _TIO_SAMPLE_H */
