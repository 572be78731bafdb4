/* SPDX-License-Identifier: GPL-2.0-only */
/* Do the numbers and ends of a CPU's records ascend? Mostly they are written so. */
#ifndef _IRQOFF_RECORD_ORDER_H
#define _IRQOFF_RECORD_ORDER_H

#include <stddef.h>

#include "core/record.h"

struct ascent_cpu;

struct record_order {
	struct ascent_cpu *cpus;	/* by number */
	size_t ncpus;
	size_t count;		/* of the records that were added, without those that descended */
};

void record_order_add(struct record_order *ascent, const struct tio_record *rec);
void record_order_free(struct record_order *ascent);

#endif /* _IRQOFF_RECORD_ORDER_H */
