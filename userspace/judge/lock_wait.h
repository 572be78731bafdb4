/* SPDX-License-Identifier: GPL-2.0-only */
/* Stalls that are waits for a lock, while nobody knows who had it. */
#ifndef _IRQOFF_LOCK_WAIT_H
#define _IRQOFF_LOCK_WAIT_H

#include "model/model.h"
#include "names/symbols.h"

void lock_wait_find(const struct symbols *symbols, struct model *model, struct entry *packed);

#endif /* _IRQOFF_LOCK_WAIT_H */
