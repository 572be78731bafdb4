/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * x86's IPI to one CPU. Kernels since 6.6 call it through __apic_send_IPI(), which they
 * do not export. All of them export "apic".
 */
#ifndef _TIO_COMPAT_APIC_SEND_H
#define _TIO_COMPAT_APIC_SEND_H

#include <linux/cpumask.h>
#include <asm/apic.h>

static inline void tio_apic_send(unsigned int cpu, int vector)
{
	/*
	 * send_IPI_mask of x2apic clusters copies the mask to a per-CPU one, which an
	 * NMI that sends IPIs as well may overwrite. A guest of Xen's kind PV has no
	 * send_IPI.
	 */
	if (apic->send_IPI)
		apic->send_IPI(cpu, vector);
	else
		apic->send_IPI_mask(cpumask_of(cpu), vector);
}

#endif /* _TIO_COMPAT_APIC_SEND_H */
