/* SPDX-License-Identifier: GPL-2.0-only */
/* What the network counted around the time at which a packet was lost. */
#ifndef _IRQOFF_LOSSES_H
#define _IRQOFF_LOSSES_H

#include "model/model.h"

/* each grew by so much on some node, in all its network namespaces together */
struct losses {
	bool asked;		/* counters of some node were read before and after */
	struct net_value net[NET_COUNTERS];
	struct net_value backlog;	/* packets dropped by CPUs whose backlog was full */
};

void losses_hear(struct losses *losses, const struct model *model, const struct cpuset *cpus,
		 __u64 from_ns, __u64 to_ns);
const char *losses_cause(const struct losses *losses);
char *losses_words(const struct losses *losses);

#endif /* _IRQOFF_LOSSES_H */
