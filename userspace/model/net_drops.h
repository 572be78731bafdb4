/* SPDX-License-Identifier: GPL-2.0-only */
/* What the network counted around the time at which a packet was lost. */
#ifndef _IRQOFF_NET_DROPS_H
#define _IRQOFF_NET_DROPS_H

#include "model/model.h"

/* each grew by so much on some node, in all its network namespaces together */
struct net_drops {
	bool asked;		/* counters of some node were read before and after */
	struct net_value net[NET_COUNTERS];
	struct net_value backlog;	/* packets dropped by CPUs whose backlog was full */
};

void net_drops_hear(struct net_drops *losses, const struct model *model, const struct cpuset *cpus,
		    __u64 from_ns, __u64 to_ns);
const char *net_drops_cause(const struct net_drops *losses);
char *net_drops_words(const struct net_drops *losses);

#endif /* _IRQOFF_NET_DROPS_H */
