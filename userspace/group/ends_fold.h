/* SPDX-License-Identifier: GPL-2.0-only */
/* Handlers of which only the end was seen, and which are probably those that were sampled. */
#ifndef _IRQOFF_ENDS_FOLD_H
#define _IRQOFF_ENDS_FOLD_H

#include "group/group.h"

size_t ends_fold(struct group *groups, size_t count);

#endif /* _IRQOFF_ENDS_FOLD_H */
