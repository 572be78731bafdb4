/* SPDX-License-Identifier: GPL-2.0-only */
/* Picks the function to blame for a stall. */
#ifndef _IRQOFF_CULPRIT_H
#define _IRQOFF_CULPRIT_H

#include "model.h"
#include "symbols.h"

void culprit_frame(const struct symbols *symbols, const struct entry *entry,
		   const struct tio_sample *sample, unsigned int frame, struct symbol *symbol);
char *culprit_find(const struct symbols *symbols, const struct entry *entry);
bool culprit_is_helper(const char *function);
bool culprit_is_plumbing(const char *function);

#endif /* _IRQOFF_CULPRIT_H */
