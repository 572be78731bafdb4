/* SPDX-License-Identifier: GPL-2.0-only */
/* The CPUs of a node that took the packets of slow replies. */
#ifndef _IRQOFF_TAKERS_H
#define _IRQOFF_TAKERS_H

#include "collect.h"
#include "slow.h"

struct takers {
	struct filter filter;	/* lets their stalls pass */
	struct cpuset cpus;	/* empty: all CPUs are asked */
	char *how;		/* a sentence without its end: what tells */
};

int takers_find(struct takers *takers, const struct collection *collection,
		const struct filter *asked, const char *dev, __u64 from_ns, __u64 to_ns);
void takers_free(struct takers *takers);

#endif /* _IRQOFF_TAKERS_H */
