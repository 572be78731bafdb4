/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where a waiter for a paravirtual spinlock halts. Paravirtual operations are in pv_ops since
 * v4.20, and those of locks in pv_ops_lock since v7.0. Older kernels have no names here.
 */
#ifndef _TIO_COMPAT_PV_WAIT_H
#define _TIO_COMPAT_PV_WAIT_H

#ifdef CONFIG_PARAVIRT_SPINLOCKS
#include <asm/paravirt.h>
#endif

#define TIO_PV_HALTS	3

/* what waits, and what that may call to halt; NULL stays where there is none */
static inline void tio_pv_halts(const void *functions[TIO_PV_HALTS])
{
#ifdef CONFIG_PARAVIRT_SPINLOCKS
#ifdef HAVE_PV_OPS_LOCK
	functions[0] = pv_ops_lock.wait;
#elif defined(HAVE_PV_OPS)
	functions[0] = pv_ops.lock.wait;
#endif
#if defined(CONFIG_PARAVIRT_XXL) && defined(HAVE_PV_OPS)
	functions[1] = pv_ops.irq.halt;
	functions[2] = pv_ops.irq.safe_halt;
#endif
#endif
}

#endif /* _TIO_COMPAT_PV_WAIT_H */
