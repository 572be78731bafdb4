/* SPDX-License-Identifier: GPL-2.0-only */
/* What was read of the module, as a capture. */
#ifndef _IRQOFF_CAPTURE_SAVE_H
#define _IRQOFF_CAPTURE_SAVE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/netns.h"
#include "collect/collect.h"
#include "source/messages.h"

bool capture_save(const struct collection *collection, const struct messages *messages,
		  const struct netns *netns, bool strip, FILE *out);

#endif /* _IRQOFF_CAPTURE_SAVE_H */
