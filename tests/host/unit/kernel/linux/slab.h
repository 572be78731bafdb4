/* SPDX-License-Identifier: GPL-2.0-only */
/* Memory of the exact size, so that ASan sees an access beyond it. */
#ifndef _LINUX_KERNEL_SLAB_H
#define _LINUX_KERNEL_SLAB_H

#include <stdlib.h>

#define gfp_t		unsigned int
#define GFP_KERNEL	0
#define __GFP_NORETRY	0
#define __GFP_NOWARN	0

#define kvzalloc_node(size, gfp, node)	((void)(gfp), (void)(node), calloc(1, size))
#define kzalloc_node(size, gfp, node)	kvzalloc_node(size, gfp, node)
#define kfree(memory)			free(memory)
#define kvfree(memory)			free(memory)

#endif /* _LINUX_KERNEL_SLAB_H */
