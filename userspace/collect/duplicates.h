/* SPDX-License-Identifier: GPL-2.0-only */
/* Records that several captures of one load have. */
#ifndef _IRQOFF_DUPLICATES_H
#define _IRQOFF_DUPLICATES_H

#include "base/sequence_set.h"
#include "model/model.h"

__u64 duplicates_mark(struct sequence_set *seen, struct model *model, bool last);

#endif /* _IRQOFF_DUPLICATES_H */
