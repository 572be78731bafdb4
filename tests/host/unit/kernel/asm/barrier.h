/* SPDX-License-Identifier: GPL-2.0-only */
/* Ordered accesses. */
#ifndef _ASM_KERNEL_BARRIER_H
#define _ASM_KERNEL_BARRIER_H

#define barrier()		__atomic_signal_fence(__ATOMIC_SEQ_CST)

/* pairs with another one, or with smp_rmb() */
#define smp_mb()			__atomic_thread_fence(__ATOMIC_SEQ_CST)
/* pairs with smp_store_release() */
#define smp_load_acquire(from)		__atomic_load_n(from, __ATOMIC_ACQUIRE)
/* pairs with smp_load_acquire() */
#define smp_store_release(to, value)	__atomic_store_n(to, value, __ATOMIC_RELEASE)
/* pairs with smp_wmb() */
#define smp_rmb()			__atomic_thread_fence(__ATOMIC_ACQUIRE)
/* pairs with smp_rmb() */
#define smp_wmb()			__atomic_thread_fence(__ATOMIC_RELEASE)

#endif /* _ASM_KERNEL_BARRIER_H */
