/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _LINUX_KERNEL_KERNEL_H
#define _LINUX_KERNEL_KERNEL_H

#include <stdio.h>

#include <linux/string.h>
#include <linux/types.h>

#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))
#define DIV_ROUND_UP(n, d) ({		\
	__auto_type d_ = (d);		\
	((n) + d_ - 1) / d_; })
#define __aligned(bytes)	__attribute((aligned(bytes)))

#define min(a, b) ({			\
	__auto_type a_ = (a);		\
	__auto_type b_ = (b);		\
	a_ < b_ ? a_ : b_;		\
})

#define max(a, b) ({			\
	__auto_type a_ = (a);		\
	__auto_type b_ = (b);		\
	a_ > b_ ? a_ : b_;		\
})

#endif /* _LINUX_KERNEL_KERNEL_H */
