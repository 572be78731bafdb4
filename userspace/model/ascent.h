/* SPDX-License-Identifier: GPL-2.0-only */
/* Do the numbers and ends of a CPU's records ascend? Mostly they are written so. */
#ifndef _IRQOFF_ASCENT_H
#define _IRQOFF_ASCENT_H

#include <stddef.h>

#include "core/record.h"

struct ascent_cpu;

struct ascent {
	struct ascent_cpu *cpus;	/* by number */
	size_t ncpus;
	size_t count;		/* of the records that were added, without those that descended */
};

void ascent_add(struct ascent *ascent, const struct tio_record *rec);
void ascent_free(struct ascent *ascent);

#endif /* _IRQOFF_ASCENT_H */
