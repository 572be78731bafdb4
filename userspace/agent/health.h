/* SPDX-License-Identifier: GPL-2.0-only */
/* Whether a node stalled lately, by an agent's counters. Pure. */
#ifndef _IRQOFF_HEALTH_H
#define _IRQOFF_HEALTH_H

#include "agent/tally.h"

/* what node-problem-detector keeps of a message, and the terminator */
#define HEALTH_LEN	(80 + 1)

enum health {
	HEALTH_GOOD,
	HEALTH_STALLED,
	HEALTH_UNKNOWN,
};

struct health_question {
	__u64 now_ns;		/* monotonic clock */
	__u64 since_ns;		/* stalls that ended in that time up to now ... */
	__u64 max_ns;		/* ... and lasted longer than that */
	unsigned int classes;	/* a bit each; 0: all */
	const char *boot_id;	/* of this boot */
};

enum health health_ask(const struct tally *tally, const struct health_question *question,
		       char text[HEALTH_LEN]);
enum health health_unread(int error, char text[HEALTH_LEN]);

#endif /* _IRQOFF_HEALTH_H */
