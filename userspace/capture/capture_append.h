/* SPDX-License-Identifier: GPL-2.0-only */
/* Makes a capture ready to be appended to. */
#ifndef _IRQOFF_CAPTURE_APPEND_H
#define _IRQOFF_CAPTURE_APPEND_H

#include <linux/types.h>
#include <stdio.h>

#include "capture/capture_read.h"

enum capture_state capture_cut_back(FILE *file, __u64 *cut);

#endif /* _IRQOFF_CAPTURE_APPEND_H */
