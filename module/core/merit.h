/* SPDX-License-Identifier: GPL-2.0-only */
/* What a record says about how long it is to be kept. Pure. */
#ifndef _TIO_MERIT_H
#define _TIO_MERIT_H

#include "core/keep.h"
#include "core/record.h"

void tio_merit_of(const struct tio_record *rec, bool (*is_own)(u64 addr),
		  struct tio_merit *merit);

#endif /* _TIO_MERIT_H */
