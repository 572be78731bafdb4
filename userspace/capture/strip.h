/* SPDX-License-Identifier: GPL-2.0-only */
/* Takes out of a capture what says whose node it was: tasks and cgroups, and addresses. */
#ifndef _IRQOFF_STRIP_H
#define _IRQOFF_STRIP_H

#include <linux/netlink.h>

#include "capture/capture_write.h"
#include "model/model.h"

#define STRIPPED_COMM	"(stripped)"

int strip_right(void);
int strip_check(const struct model *model);
void strip_put(struct capture_writer *writer, const struct nlmsghdr *message);

#endif /* _IRQOFF_STRIP_H */
