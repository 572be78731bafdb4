/* SPDX-License-Identifier: GPL-2.0-only */
/* Leaves out records of a file that contradict themselves, or one another. */
#ifndef _IRQOFF_CONTRADICTION_H
#define _IRQOFF_CONTRADICTION_H

#include "model/model.h"

bool contradiction_crossed(__u64 min_ns, __u64 max_ns);
size_t contradiction_drop(struct model *model, __u64 saved_ns);

#endif /* _IRQOFF_CONTRADICTION_H */
