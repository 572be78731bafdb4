// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>
#include <stdlib.h>

#include "base/line.h"
#include "base/say.h"

/* points that slopes are taken of: all pairs of them are looked at */
#define SLOPES_MOST	300

static int by_value(const void *a, const void *b)
{
	const double *left = a, *right = b;

	return (*left > *right) - (*left < *right);
}

/* sorts the values; 0 where there are none */
double median(double *values, size_t count)
{
	if (!count)
		return 0;
	qsort(values, count, sizeof(*values), by_value);
	return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

double line_at(const struct line *line, double x)
{
	return line->at_origin + line->slope * x;
}

static double slope_of(const struct point *points, size_t count, double otherwise)
{
	size_t every = (count + SLOPES_MOST - 1) / SLOPES_MOST, nslopes = 0;
	double *slopes, slope;

	if (count < 3)
		return otherwise;
	slopes = alloc(SLOPES_MOST * SLOPES_MOST / 2, sizeof(*slopes));
	for (size_t i = 0; i < count; i += every)
		for (size_t k = i + every; k < count; k += every)
			if (points[k].x != points[i].x)
				slopes[nslopes++] = (points[k].y - points[i].y) /
						    (points[k].x - points[i].x);
	slope = nslopes ? median(slopes, nslopes) : otherwise;
	free(slopes);
	return slope;
}

/**
 * line_draw() - draw a line through points
 * @line: has an origin, and a slope for the case that points do not tell
 * @points: the points, by x; there is one at least
 * @count: their number
 *
 * The slope is the median of those of all pairs of points (Theil and Sen).
 */
void line_draw(struct line *line, const struct point *points, size_t count)
{
	double *rest = alloc(count, sizeof(*rest));

	line->slope = slope_of(points, count, line->slope);
	for (size_t i = 0; i < count; i++)
		rest[i] = points[i].y - line->slope * points[i].x;
	line->at_origin = median(rest, count);
	for (size_t i = 0; i < count; i++)
		rest[i] = fabs(points[i].y - line_at(line, points[i].x));
	line->spread = median(rest, count);
	free(rest);
}
