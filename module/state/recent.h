/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How long a CPU's stalls lasted since its records were dropped last. That CPU alone
 * writes, with interrupts off. Any CPU reads. Who drops records touches none of this: the
 * CPU empties its histograms as it counts the next stall. ring.c knows how often they were
 * dropped.
 */
#ifndef _TIO_RECENT_H
#define _TIO_RECENT_H

#include <linux/types.h>

#include "core/histogram.h"
#include "uapi/linux/trace_irqoff.h"

struct tio_recent {
	unsigned int drops;	/* tio_ring.drops when they were emptied last */
	struct tio_histogram hard;
	struct tio_histogram soft;
};

void tio_recent_add(struct tio_recent *recent, unsigned int drops,
		    enum trace_irqoff_kind kind, u64 ns);
void tio_recent_read(const struct tio_recent *recent, unsigned int drops,
		     struct tio_recent *copy);

#endif /* _TIO_RECENT_H */
