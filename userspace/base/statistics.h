/* SPDX-License-Identifier: GPL-2.0-only */
/* The ratio of two rates and its interval, the t distribution, a line through points. */
#ifndef _IRQOFF_STATISTICS_H
#define _IRQOFF_STATISTICS_H

#include <linux/types.h>
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

double student_p(double t, double freedom);

/* the median absolute deviation of normal values, in standard deviations: 1/1.4826 */
#define MAD_TO_SIGMA	1.4826
/* the standard error of a median, in those of a mean: the root of pi/2 */
#define MEDIAN_ERROR	1.2533

struct point {
	double x, y;
};

struct line {
	__u64 origin_ns;	/* where x is 0 */
	double at_origin;
	double slope;
	double spread;		/* the median of the distances of points from it */
};

double median(double *values, size_t count);
double line_at(const struct line *line, double x);
void line_draw(struct line *line, const struct point *points, size_t count);

#endif /* _IRQOFF_STATISTICS_H */
