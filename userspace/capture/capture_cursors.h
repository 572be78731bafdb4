/* SPDX-License-Identifier: GPL-2.0-only */
/* Where a recording begins or ends, by CPU. */
#ifndef _IRQOFF_CAPTURE_CURSORS_H
#define _IRQOFF_CAPTURE_CURSORS_H

#include <linux/netlink.h>

#include "source/follow.h"

void capture_take_cursors(struct nlmsghdr *message, struct resume *resume);

#endif /* _IRQOFF_CAPTURE_CURSORS_H */
