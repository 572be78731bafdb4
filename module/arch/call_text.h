/* SPDX-License-Identifier: GPL-2.0-only */
/* What kernel text says about calls. */
#ifndef _TIO_CALL_TEXT_H
#define _TIO_CALL_TEXT_H

#include <linux/types.h>

u64 tio_call_target(unsigned long back);

#endif /* _TIO_CALL_TEXT_H */
