/* SPDX-License-Identifier: GPL-2.0-only */
/* How many slow replies stalls would explain if they had nothing to do with each other. */
#ifndef _IRQOFF_CHANCE_H
#define _IRQOFF_CHANCE_H

#include "correlate/blame.h"

#define CHANCE_SHIFTS	1000

struct chance {
	bool known;		/* false: the log is too short to be moved away from itself */
	double mean;		/* slow replies that are explained */
	size_t most;		/* 95 of 100 times no more than that */
};

void chance_find(struct chance *chance, const struct slows *slows, struct blaming *blaming,
		 __u64 from_ns, __u64 to_ns);

#endif /* _IRQOFF_CHANCE_H */
