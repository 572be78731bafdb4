/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _LINUX_KERNEL_COMPILER_H
#define _LINUX_KERNEL_COMPILER_H

#define READ_ONCE(x)		__atomic_load_n(&(x), __ATOMIC_RELAXED)
/* data_race() tells KCSAN, which is not here, that a race is meant */
#define data_race(x)		(x)
#define WRITE_ONCE(x, value)	__atomic_store_n(&(x), value, __ATOMIC_RELAXED)

/* pairs with smp_load_acquire() */
#define smp_store_release(to, value)	__atomic_store_n(to, value, __ATOMIC_RELEASE)

#endif /* _LINUX_KERNEL_COMPILER_H */
