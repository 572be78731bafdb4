/* SPDX-License-Identifier: GPL-2.0-only */
/* The CPUs of a node that took the packets of slow replies. */
#ifndef _IRQOFF_TAKERS_H
#define _IRQOFF_TAKERS_H

#include "collect/collect.h"
#include "replies/slow.h"

/* what is asked */
struct taken {
	const char *dev;	/* the device that took the packets; NULL: not known */
	bool by_tasks;		/* tasks reply, on whatever CPU they run */
	__u64 from_ns;		/* when the first packet came, by the kernel's clock */
	__u64 to_ns;		/* when the last one did */
};

struct takers {
	struct filter filter;	/* lets their stalls pass */
	struct cpuset cpus;	/* empty: all CPUs are asked */
	struct cpuset took;	/* CPUs that took packets, of any device */
	char *how;		/* a sentence without its end: what tells */
};

int takers_find(struct takers *takers, const struct collection *collection,
		const struct filter *named, const struct taken *taken);
void takers_free(struct takers *takers);

#endif /* _IRQOFF_TAKERS_H */
