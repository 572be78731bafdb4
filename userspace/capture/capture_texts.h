/* SPDX-License-Identifier: GPL-2.0-only */
/* What the network counted, in a capture. */
#ifndef _IRQOFF_CAPTURE_TEXTS_H
#define _IRQOFF_CAPTURE_TEXTS_H

#include <stdbool.h>

#include "base/netns.h"
#include "capture/capture_write.h"
#include "model/counted.h"

void capture_put_texts(struct capture_writer *writer, const struct netns *netns, bool strip);
void capture_take_text(struct nlmsghdr *message, __u64 settings_ns, const char *online,
		       struct net_counted *counted);

#endif /* _IRQOFF_CAPTURE_TEXTS_H */
