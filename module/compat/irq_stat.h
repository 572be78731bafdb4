/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * x86's count of this CPU's interrupts of one kind. It is an array since "x86/irq: Make
 * irqstats array based" (v7.2), and was a struct before.
 */
#ifndef _TIO_COMPAT_IRQ_STAT_H
#define _TIO_COMPAT_IRQ_STAT_H

#include <linux/hardirq.h>
#include <linux/percpu.h>

#ifdef HAVE_IRQ_STAT_COUNTS
#define tio_irq_count(NAME)	__this_cpu_read(irq_stat.counts[IRQ_COUNT_ ## NAME])
#else
#define tio_irq_count(NAME)	__this_cpu_read(irq_stat.TIO_IRQ_STAT_ ## NAME)
#define TIO_IRQ_STAT_X86_PLATFORM_IPI		x86_platform_ipis
#define TIO_IRQ_STAT_SPURIOUS			irq_spurious_count
#define TIO_IRQ_STAT_THERMAL_APIC		irq_thermal_count
#define TIO_IRQ_STAT_THRESHOLD_APIC		irq_threshold_count
#define TIO_IRQ_STAT_DEFERRED_ERROR		irq_deferred_error_count
#define TIO_IRQ_STAT_HYPERVISOR_CALLBACK	irq_hv_callback_count
#define TIO_IRQ_STAT_HYPERV_REENLIGHTENMENT	irq_hv_reenlightenment_count
#define TIO_IRQ_STAT_HYPERV_STIMER0		hyperv_stimer0_count
#endif

#endif /* _TIO_COMPAT_IRQ_STAT_H */
