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

static inline const void *tio_pv_wait(void)
{
#ifndef CONFIG_PARAVIRT_SPINLOCKS
	return NULL;
#elif defined(HAVE_PV_OPS_LOCK)
	return pv_ops_lock.wait;
#elif defined(HAVE_PV_OPS)
	return pv_ops.lock.wait;
#else
	return NULL;
#endif
}

/* what that calls to halt, where it is not an instruction in it */
static inline const void *tio_pv_halt(void)
{
#if defined(CONFIG_PARAVIRT_XXL) && defined(HAVE_PV_OPS)
	return pv_ops.irq.halt;
#else
	return NULL;
#endif
}

static inline const void *tio_pv_safe_halt(void)
{
#if defined(CONFIG_PARAVIRT_XXL) && defined(HAVE_PV_OPS)
	return pv_ops.irq.safe_halt;
#else
	return NULL;
#endif
}

#endif /* _TIO_COMPAT_PV_WAIT_H */
