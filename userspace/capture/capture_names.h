/* SPDX-License-Identifier: GPL-2.0-only */
/* The names that records need: of functions and of cgroups, to and from a capture. */
#ifndef _IRQOFF_CAPTURE_NAMES_H
#define _IRQOFF_CAPTURE_NAMES_H

#include <linux/netlink.h>
#include <stdbool.h>

#include "base/sequence_set.h"
#include "capture/capture_write.h"
#include "model/cgroup.h"
#include "model/model.h"
#include "names/symbols.h"

struct nlattr;

void capture_put_names(struct capture_writer *writer, const struct symbols *symbols,
		       const struct model *model, __u64 epoch, struct sequence_set *there);
void capture_put_cgroups(struct capture_writer *writer, struct cgroups *cgroups,
			 struct sequence_set *there);
bool capture_take_names(struct nlmsghdr *message, struct symbols *symbols);
bool capture_take_cgroups(struct nlmsghdr *message, struct cgroups *cgroups);

#endif /* _IRQOFF_CAPTURE_NAMES_H */
