/* SPDX-License-Identifier: GPL-2.0-only */
/* Which records are older than a gap that lost records left. */
#ifndef _IRQOFF_GAPS_H
#define _IRQOFF_GAPS_H

#include "model/model.h"

void gaps_find(struct model *model);

#endif /* _IRQOFF_GAPS_H */
