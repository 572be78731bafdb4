/* SPDX-License-Identifier: GPL-2.0-only */
/* Numbers in place of what nobody gets to see: addresses, registers. */
#ifndef _TIO_OPAQUE_H
#define _TIO_OPAQUE_H

#include <linux/types.h>

void tio_opaque_init(void);
u32 tio_opaque(const void *bytes, size_t size);
u64 tio_shown_address(u64 addr, bool real);

#endif /* _TIO_OPAQUE_H */
