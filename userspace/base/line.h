/* SPDX-License-Identifier: GPL-2.0-only */
/* A line through points some of which are wrong. */
#ifndef _IRQOFF_LINE_H
#define _IRQOFF_LINE_H

#include <linux/types.h>
#include <stddef.h>

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

#endif /* _IRQOFF_LINE_H */
