/* SPDX-License-Identifier: GPL-2.0-only */
/* What a node's captures say of a slow reply: no stall was to blame, or why nobody knows. */
#ifndef _IRQOFF_TESTIMONY_H
#define _IRQOFF_TESTIMONY_H

#include "alibi/alibi.h"
#include "correlate/log_clock.h"

struct testimony {
	bool asked;
	enum alibi_verdict verdict;
	enum alibi_gap gap;
	__u64 over_ns;		/* stalls as long as that are meant */
	char *why;		/* nobody can tell; NULL: it can be told */
	char *remedy;
};

/* what there is to ask */
struct witness {
	struct alibi_book book;	/* of the CPUs that took packets */
	bool damaged;		/* not all of the capture could be read */
	char gone[256];		/* CPUs that took packets and were offline as it was made */
	__u64 clock_error_ns;	/* how far the log's clock may be off against the node's */
};

void testimony_hear(struct testimony *testimony, const struct witness *witness,
		    const struct slow *slow, const struct log_clock *clock);
void testimony_free(struct testimony *testimony);

#endif /* _IRQOFF_TESTIMONY_H */
