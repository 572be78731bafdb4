/* SPDX-License-Identifier: GPL-2.0-only */
/* The CPUs of a node that took the packets of slow replies. */
#ifndef _IRQOFF_RX_CPUS_H
#define _IRQOFF_RX_CPUS_H

#include "collect/collect.h"
#include "replies/slow.h"

/* what is asked */
struct taken {
	const char *dev;	/* the device that took the packets; NULL: not known */
	bool by_tasks;		/* tasks reply, on whatever CPU they run */
	__u64 from_ns;		/* when the first packet came, by the kernel's clock */
	__u64 to_ns;		/* when the last one did */
};

struct rx_cpus {
	struct filter filter;	/* lets their stalls pass */
	struct cpuset cpus;	/* empty: all CPUs are asked */
	struct cpuset took;	/* CPUs that took packets, of any device */
	char *how;		/* a sentence without its end: what tells */
};

int rx_cpus_find(struct rx_cpus *takers, const struct collection *collection,
		 const struct filter *named, const struct taken *taken);
void rx_cpus_free(struct rx_cpus *takers);

#endif /* _IRQOFF_RX_CPUS_H */
