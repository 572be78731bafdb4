/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How long a CPU's stalls lasted since its records were dropped last. That CPU alone
 * writes, with interrupts off. Any CPU reads. Who drops records touches none of this:
 * the CPU empties its histograms when it counts the next stall.
 */
#ifndef _TIO_RECENT_H
#define _TIO_RECENT_H

#include <linux/types.h>

#include "histogram.h"
#include "uapi/linux/trace_irqoff.h"

struct tio_ring;

/* tio_recent.drops while the CPU empties its histograms; no ring is cleared as often */
#define TIO_RECENT_EMPTIED	U32_MAX

struct tio_recent {
	unsigned int drops;	/* tio_ring.drops when they were emptied last */
	struct tio_histogram hard;
	struct tio_histogram soft;
};

void tio_recent_add(struct tio_ring *ring, enum trace_irqoff_kind kind, u64 ns);
u64 tio_recent_read(const struct tio_ring *ring, struct tio_recent *copy);

#endif /* _TIO_RECENT_H */
