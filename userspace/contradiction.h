/* SPDX-License-Identifier: GPL-2.0-only */
/* Leaves out records of a file that contradict themselves, or one another. */
#ifndef _IRQOFF_CONTRADICTION_H
#define _IRQOFF_CONTRADICTION_H

#include "model.h"

size_t contradiction_drop(struct model *model, __u64 saved_ns);

#endif /* _IRQOFF_CONTRADICTION_H */
