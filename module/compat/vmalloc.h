/* SPDX-License-Identifier: GPL-2.0-only */
/* "mm: remove the pgprot argument to __vmalloc" (v5.8) */
#ifndef _TIO_COMPAT_VMALLOC_H
#define _TIO_COMPAT_VMALLOC_H

#include <linux/vmalloc.h>

#ifdef HAVE_VMALLOC_PROT
#include <linux/mm.h>

#define __vmalloc(size, gfp_mask)	__vmalloc(size, gfp_mask, PAGE_KERNEL)
#endif

#endif /* _TIO_COMPAT_VMALLOC_H */
