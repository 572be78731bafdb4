/* SPDX-License-Identifier: GPL-2.0-only */
/* What runs beneath the kernel, and may keep a CPU from running: a hypervisor, firmware. */
#ifndef _TIO_BENEATH_H
#define _TIO_BENEATH_H

#include "core/record.h"

/* tio_smis(): this CPU counts none */
#define TIO_NO_SMIS	U64_MAX

void tio_beneath_init(void);
enum tio_beneath tio_beneath(void);
u64 tio_smis(void);

#endif /* _TIO_BENEATH_H */
