/* SPDX-License-Identifier: GPL-2.0-only */
/* The GNU build id in ELF notes, as sysfs has them of the kernel and of modules. */
#ifndef _IRQOFF_BUILD_ID_H
#define _IRQOFF_BUILD_ID_H

#include <stddef.h>

#define BUILD_ID_MOST	64

size_t build_id_find(unsigned char id[BUILD_ID_MOST], const void *notes, size_t len);
size_t build_id_read(unsigned char id[BUILD_ID_MOST], const char *path);

#endif /* _IRQOFF_BUILD_ID_H */
