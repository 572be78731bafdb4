/* SPDX-License-Identifier: GPL-2.0-only */
/* A sample of a CPU that is stuck: another CPU requests it, and an NMI takes it. */
#ifndef _TIO_NMI_SAMPLE_H
#define _TIO_NMI_SAMPLE_H

#include <linux/types.h>

struct pt_regs;
struct tio_cpu;
struct tio_record;

void tio_nmi_sample_reset(struct tio_cpu *cpu);
void tio_nmi_sample_request(unsigned int cpu, u64 id, unsigned int sent, bool late);
bool tio_nmi_sample_take(struct pt_regs *regs);
bool tio_nmi_sample_claim(void);
bool tio_nmi_sample_requester_late(const struct tio_cpu *cpu,
				   const struct tio_record *rec);
void tio_nmi_sample_irq(struct tio_cpu *cpu);
void tio_nmi_sample_drain(unsigned int cpu);

#endif /* _TIO_NMI_SAMPLE_H */
