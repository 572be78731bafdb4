/* SPDX-License-Identifier: GPL-2.0-only */
/* Which of two records shows best whom to blame. */
#ifndef _IRQOFF_EVIDENCE_H
#define _IRQOFF_EVIDENCE_H

#include "model/model.h"

bool evidence_better(const struct entry *entry, const struct entry *than);

#endif /* _IRQOFF_EVIDENCE_H */
