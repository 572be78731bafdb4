/* SPDX-License-Identifier: GPL-2.0-only */
/* Which of an agent's captures can have stalls that ended since some time. */
#ifndef _IRQOFF_CAPTURES_H
#define _IRQOFF_CAPTURES_H

#include "capture/rotation.h"

size_t captures_first(const struct rotation *row, time_t since);
char *captures_since(struct rotation *row, const char *directory, time_t since);

#endif /* _IRQOFF_CAPTURES_H */
