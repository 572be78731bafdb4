/* SPDX-License-Identifier: GPL-2.0-only */
/* Records that several captures of one load have. */
#ifndef _IRQOFF_REPEATS_H
#define _IRQOFF_REPEATS_H

#include "base/numbers.h"
#include "model/model.h"

__u64 repeats_mark(struct numbers *seen, struct model *model, bool last);

#endif /* _IRQOFF_REPEATS_H */
