/* SPDX-License-Identifier: GPL-2.0-only */
/* Links stalls that waited for another CPU to that CPU's stall. */
#ifndef _IRQOFF_VICTIM_H
#define _IRQOFF_VICTIM_H

#include "model/model.h"
#include "names/symbols.h"

void victim_look(const struct symbols *symbols, struct entry *entry);
enum wait victim_wait(const struct entry *entry);
void victim_link(struct model *model);

#endif /* _IRQOFF_VICTIM_H */
