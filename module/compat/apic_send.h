/* SPDX-License-Identifier: GPL-2.0-only */
/* x86's IPI to one CPU: "x86/apic: Provide static call infrastructure for APIC callbacks" (v6.6) */
#ifndef _TIO_COMPAT_APIC_SEND_H
#define _TIO_COMPAT_APIC_SEND_H

#include <linux/cpumask.h>
#include <asm/apic.h>

static inline void tio_apic_send(unsigned int cpu, int vector)
{
#ifdef HAVE_APIC_SEND
	__apic_send_IPI_mask(cpumask_of(cpu), vector);
#else
	apic->send_IPI_mask(cpumask_of(cpu), vector);
#endif
}

#endif /* _TIO_COMPAT_APIC_SEND_H */
