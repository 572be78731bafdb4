/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _LINUX_KERNEL_VMALLOC_H
#define _LINUX_KERNEL_VMALLOC_H

#include <linux/slab.h>

#define __GFP_ZERO	0

#define __vmalloc(size, gfp)	((void)(gfp), calloc(1, size))
#define vmalloc(size)		malloc(size)
#define vzalloc(size)		calloc(1, size)
#define vfree(memory)		free(memory)

#endif /* _LINUX_KERNEL_VMALLOC_H */
