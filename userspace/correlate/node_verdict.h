/* SPDX-License-Identifier: GPL-2.0-only */
/* What a node's captures say of a slow reply: no stall was to blame, or why nobody knows. */
#ifndef _IRQOFF_NODE_VERDICT_H
#define _IRQOFF_NODE_VERDICT_H

#include "alibi/alibi.h"
#include "correlate/log_clock.h"

struct node_verdict {
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

void node_verdict_hear(struct node_verdict *testimony, const struct witness *witness,
		       const struct slow *slow, const struct log_clock *clock);
void node_verdict_free(struct node_verdict *testimony);

#endif /* _IRQOFF_NODE_VERDICT_H */
