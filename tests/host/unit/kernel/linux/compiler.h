/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _LINUX_KERNEL_COMPILER_H
#define _LINUX_KERNEL_COMPILER_H

#include <asm/barrier.h>

#define READ_ONCE(x)		__atomic_load_n(&(x), __ATOMIC_RELAXED)
/* data_race() tells KCSAN, which is not here, that a race is meant */
#define data_race(x)		(x)
#define WRITE_ONCE(x, value)	__atomic_store_n(&(x), value, __ATOMIC_RELAXED)

#endif /* _LINUX_KERNEL_COMPILER_H */
