/* SPDX-License-Identifier: GPL-2.0-only */
/* What a record says about how long it is to be kept. Pure. */
#ifndef _TIO_RETENTION_RANK_H
#define _TIO_RETENTION_RANK_H

#include "core/record.h"
#include "core/retention.h"

void tio_retention_rank_of(const struct tio_record *rec, bool (*is_own)(u64 addr),
			   struct tio_retention_rank *rank);

#endif /* _TIO_RETENTION_RANK_H */
