/* SPDX-License-Identifier: GPL-2.0-only */
/* Verdicts, culprits and victims of all records. */
#ifndef _IRQOFF_JUDGE_H
#define _IRQOFF_JUDGE_H

#include "model/model.h"
#include "names/symbols.h"

void judge_records(const struct symbols *symbols, struct model *model);

#endif /* _IRQOFF_JUDGE_H */
