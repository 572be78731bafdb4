/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A call on another CPU that nobody waits for. Since "smp: Allow
 * smp_call_function_single_async() to insert locked csd" (v5.7) it is refused, -EBUSY,
 * while the previous one is on its way. Before, whoever called waited for that, with
 * interrupts off. No header shows the difference; CSD_FLAG_LOCK is in one since v5.9.
 */
#ifndef _TIO_COMPAT_CALL_ASYNC_H
#define _TIO_COMPAT_CALL_ASYNC_H

#include <linux/smp.h>

#ifndef HAVE_CSD_FLAG_LOCK
#include <linux/atomic.h>
#include <linux/errno.h>

/* no bit of the kernel's, which writes all of them as the call begins, and 0 as it is made */
#define TIO_CSD_CLAIMED	0x100

static inline int tio_call_async(int cpu, call_single_data_t *csd)
{
	if (cmpxchg(&csd->flags, 0, TIO_CSD_CLAIMED))
		return -EBUSY;
	return smp_call_function_single_async(cpu, csd);
}

#define smp_call_function_single_async	tio_call_async
#endif

#endif /* _TIO_COMPAT_CALL_ASYNC_H */
