/* SPDX-License-Identifier: GPL-2.0-only */
/* When and on which CPUs stalls were seen. */
#ifndef _IRQOFF_SIGHTING_H
#define _IRQOFF_SIGHTING_H

#include "model/cpuset.h"
#include "model/model.h"

struct sighting {
	__u64 count;
	__u64 first_ns;		/* the latest moment at which the first one can have begun */
	__u64 last_ns;		/* the last one's end; both by the kernel's monotonic clock */
	__u64 longest_ns;	/* the greatest lower bound */
	struct cpuset cpus;
};

void sighting_add(struct sighting *sighting, const struct entry *entry);
void sighting_free(struct sighting *sighting);

#endif /* _IRQOFF_SIGHTING_H */
