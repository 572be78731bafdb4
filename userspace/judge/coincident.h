/* SPDX-License-Identifier: GPL-2.0-only */
/* Sections that ended together with those of other CPUs. */
#ifndef _IRQOFF_COINCIDENT_H
#define _IRQOFF_COINCIDENT_H

#include "model/model.h"
#include "names/symbols.h"

void coincident_find(const struct symbols *symbols, struct model *model);

#endif /* _IRQOFF_COINCIDENT_H */
