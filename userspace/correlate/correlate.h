/* SPDX-License-Identifier: GPL-2.0-only */
/* Why was each slow reply slow? From logs and captures to a verdict for each. */
#ifndef _IRQOFF_CORRELATE_H
#define _IRQOFF_CORRELATE_H

#include <stddef.h>

#include "collect/collect.h"
#include "correlate/blame.h"
#include "correlate/chance.h"
#include "correlate/log_clock.h"
#include "correlate/node_verdict.h"
#include "correlate/rx_cpus.h"
#include "model/net_drops.h"

struct lh_table;

struct reason {
	const char *why, *remedy;	/* half sentences */
	size_t count;		/* slow replies */
};

struct reasons {
	struct reason *all;	/* in the order in which they came */
	size_t count;
	struct lh_table *by_why;
};

size_t reasons_add(struct reasons *reasons, const char *why, const char *remedy);
void reasons_free(struct reasons *reasons);

enum correlate_verdict {
	CORRELATE_STALL,
	CORRELATE_DROPPED,	/* in a stall, and sent again where its kind is */
	CORRELATE_LOST_SYN,
	CORRELATE_NO_STALL,
	CORRELATE_CANNOT_TELL,
	CORRELATE_VERDICTS
};

struct correlate_node {
	struct machine machine;
	char *how;		/* that some CPUs took the packets: a sentence without its end */
	struct node_verdict *says;	/* of each slow reply */
};

/* what is said of one slow reply */
struct finding {
	enum correlate_verdict verdict;
	const struct candidate *suspect;	/* NULL: no stall is blamed, or took part */
	__u64 covered_ns;	/* of its time by stalls; 0: it was lost */
	bool together;		/* by those of several CPUs */
	unsigned int resent_s;	/* it was sent again so many seconds later; 0: it was not */
	bool probable;		/* nothing but times says so */
	__u64 over_ns;		/* stalls as long as that are excluded */
	const struct net_drops *losses;	/* NULL: nothing was lost */
	const char *why;	/* nobody can tell */
	const char *remedy;
	size_t reason;		/* index of that */
	const struct correlate_node *node;	/* whose testimony that is; NULL: nobody's */
};

/* what a culprit's stalls did to replies */
struct delay {
	const struct candidate *suspect;	/* one of them */
	size_t replies;
	__u64 all_ns;
	__u64 longest_ns;
};

struct correlation {
	/* set by the caller */
	const struct replies *replies;
	const struct log_names *names;	/* of the logs that they are from; NULL: one */
	struct slows slows;	/* of these */
	struct log_clock clock;	/* how, and what goes with it */
	bool zone_unknown;	/* of the logs: local time may be that of another place */
	bool live;		/* of a log that goes on, some replies at a time */
	const char *dev;	/* that took the packets; NULL: not known */
	const struct causes *causes;	/* that are known; NULL: none */

	struct candidates suspects;
	struct correlate_node *nodes;
	unsigned int nnodes;
	struct finding *findings;	/* of each slow reply */
	struct net_drops *losses;	/* likewise */
	size_t counts[CORRELATE_VERDICTS];
	__u64 from_ns, to_ns;	/* the time in which stalls were recorded, by the nodes' clock */
	bool syn_linear;	/* some kernel sends SYNs as tcp_syn_linear_timeouts has it */
	struct chance chance;
	struct reasons reasons;
	struct delay *delays;	/* the one that delayed most first */
	size_t ndelays;
};

__u64 correlate_error_ns(const struct correlation *correlation);
void correlate_finish(struct correlation *correlation);
size_t correlate_explained(const struct correlation *correlation);
bool correlate_by_chance(const struct correlation *correlation);
const char *correlate_word(enum correlate_verdict verdict);
void correlate_free(struct correlation *correlation);

/* correlate_take.c */
int correlate_take(struct correlation *correlation, const struct collection *collection,
		   const struct filter *filter);

/* delays.c */
void delays_find(struct correlation *correlation);

#endif /* _IRQOFF_CORRELATE_H */
