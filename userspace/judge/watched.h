/* SPDX-License-Identifier: GPL-2.0-only */
/* For how long a node's CPUs were watched without a record that is missing. */
#ifndef _IRQOFF_WATCHED_H
#define _IRQOFF_WATCHED_H

#include "model/filter.h"
#include "model/model.h"

enum watched_state {
	WATCHED_KNOWN,
	WATCHED_UNKNOWN,	/* never, or an older module does not tell, or no record is there */
	WATCHED_CLEARED,	/* since records were dropped there is none that tells when */
	WATCHED_DAMAGED,	/* nobody knows what is missing of a capture */
	WATCHED_STATES
};

struct watched {
	enum watched_state state;
	__u64 from_ns, to_ns;	/* by the kernel's monotonic clock */
	unsigned int cpus;
	__u64 lost;		/* that were made in this time, and are missing */
};

void watched_find(struct watched *watched, const struct model *model, const struct filter *filter);

#endif /* _IRQOFF_WATCHED_H */
