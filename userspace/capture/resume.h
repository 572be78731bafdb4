/* SPDX-License-Identifier: GPL-2.0-only */
/* Where a capture ended, and what it takes to go on with it. */
#ifndef _IRQOFF_RESUME_H
#define _IRQOFF_RESUME_H

#include <linux/netlink.h>
#include <linux/types.h>
#include <stdio.h>

#include "capture/capture_read.h"
#include "source/follow.h"

bool capture_tail_read(FILE *file, struct resume *resume, bool *stripped);

enum capture_state capture_cut_back(FILE *file, __u64 *cut);

void capture_take_cursors(struct nlmsghdr *message, struct resume *resume);

#endif /* _IRQOFF_RESUME_H */
