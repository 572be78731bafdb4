/* SPDX-License-Identifier: GPL-2.0-only */
/* Where a recording ended, so that it can be gone on with. */
#ifndef _IRQOFF_CAPTURE_TAIL_H
#define _IRQOFF_CAPTURE_TAIL_H

#include <stdio.h>

#include "source/follow.h"

bool capture_tail_read(FILE *file, struct resume *resume, bool *stripped);

#endif /* _IRQOFF_CAPTURE_TAIL_H */
