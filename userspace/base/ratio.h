/* SPDX-License-Identifier: GPL-2.0-only */
/* The ratio of two rates of events that were counted on many nodes, and what chance makes of it. */
#ifndef _IRQOFF_RATIO_H
#define _IRQOFF_RATIO_H

#include <stddef.h>

/* with fewer nodes the variation between them is a guess */
#define RATIO_NODES_LEAST	3

#define RATIO_LEVEL	0.05	/* of false alarms, at most; intervals hold 1 less this */

/* what was counted on each of some nodes, and for how long */
struct counted {
	const double *events;
	const double *seconds;	/* above 0 */
	size_t nodes;
};

struct ratio {
	double before, after;	/* events a second */
	double ratio;		/* of @after to @before; infinite where there was none before */
	double low, high;	/* its interval */
	double p;		/* how likely so much of a difference is by chance */
};

void ratio_find(const struct counted *before, const struct counted *after, struct ratio *ratio);
void ratio_correct(struct ratio **ratios, size_t count);

#endif /* _IRQOFF_RATIO_H */
