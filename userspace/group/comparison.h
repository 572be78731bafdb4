/* SPDX-License-Identifier: GPL-2.0-only */
/* Captures of nodes before a change and after it: which culprits' rates have changed. */
#ifndef _IRQOFF_COMPARISON_H
#define _IRQOFF_COMPARISON_H

#include "base/statistics.h"
#include "collect/inputs.h"
#include "group/fleet.h"
#include "group/summary.h"
#include "judge/watched.h"

enum { BEFORE, AFTER, SIDES };

/* more of the records missing, or more of the captures left out, and nobody can tell */
#define COMPARISON_LOST_MOST		0.01
#define COMPARISON_LEFT_OUT_MOST	0.1

/* what was read of one side */
struct side_read {
	size_t captures;
	size_t left_out[WATCHED_STATES];	/* of them, by why */
	struct places places;
	__u64 *watched_ns;	/* of each node: of all its CPUs together */
	unsigned int nodes;	/* those of them that were watched at all */
	__u64 all_ns;
	__u64 stalls;		/* that passed the filter, and blame somebody */
	__u64 blameless;	/* that passed it, and blame nobody */
	__u64 records;		/* that were made in the time that was watched, */
	__u64 lost;		/* and those of them that are missing */
};

/* how many stalls a node had */
struct node_count {
	unsigned int node;
	__u64 count;
};

enum verdict {
	VERDICT_SAME,		/* no difference that chance does not explain */
	VERDICT_WORSE,
	VERDICT_BETTER,
};

/* a culprit, or whatever stalls are grouped by */
struct compared {
	char *texts[SUMMARY_KEYS];	/* of the keys that are used */
	struct node_count *nodes[SIDES];	/* one after another; a node may come again */
	size_t nnodes[SIDES];
	__u64 counts[SIDES];
	unsigned int seen_on[SIDES];	/* nodes */
	struct ratio ratio;
	enum verdict verdict;
};

struct comparison {
	unsigned int by;	/* bits of enum summary_key */
	struct side_read sides[SIDES];
	__u64 threshold_ns;	/* the highest one: shorter stalls are left out */
	__u64 period_ns[2];	/* the shortest and the longest */
	struct compared **groups;	/* what got worse first */
	size_t ngroups;
	size_t verdicts[VERDICT_BETTER + 1];	/* how many groups have it */
	char *cannot_tell;	/* why there is no verdict, in one sentence; NULL: there is one */
};

int comparison_read(struct comparison *comparison, const struct inputs *before,
		    const struct inputs *after, struct filter *filter, unsigned int by);
void comparison_judge(struct comparison *comparison);
double comparison_per_hour(double per_second);
const char *comparison_verdict(enum verdict verdict);
void comparison_free(struct comparison *comparison);

#endif /* _IRQOFF_COMPARISON_H */
