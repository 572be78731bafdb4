/* SPDX-License-Identifier: GPL-2.0-only */
/* What a capture says of its node: machine, kernel, modules, CPUs. */
#ifndef _IRQOFF_CAPTURE_META_H
#define _IRQOFF_CAPTURE_META_H

#include <stdbool.h>

#include "capture/capture_write.h"
#include "model/model.h"
#include "source/follow.h"

void capture_put_meta(struct capture_writer *writer, const struct model *model, bool strip,
		      const struct resume *recording);
void capture_put_clock(struct capture_writer *writer, __u64 monotonic_ns, __u64 realtime_ns);
void capture_put_end(struct capture_writer *writer, const struct resume *recording);

#endif /* _IRQOFF_CAPTURE_META_H */
