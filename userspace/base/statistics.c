// SPDX-License-Identifier: GPL-2.0-only
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/say.h"
#include "base/statistics.h"

/*
 * Stalls come in bursts, and some nodes have many times as many as others. So the variance of
 * a rate is not that of a Poisson process: it is taken from how the nodes differ.
 *
 * A rate is a ratio of sums over nodes, and its variance comes from each node's residual
 * (Cochran, Sampling Techniques, 3rd ed., 2.11 and 6.3: the linearized ratio estimator). A
 * ratio of rates, theta, is tested by before * theta = after, as Fieller does (J. R. Stat.
 * Soc. B 16, 1954), which holds where one side has no event. The reference is Student's t
 * with Welch's degrees of freedom (Biometrika 34, 1947). The interval has each theta that
 * the test does not refuse.
 *
 * Few events on one side look alike on all its nodes, so that their variance is too low, or
 * 0. Therefore each variance is at least what the model says that theta is true in: events
 * whose expectation varies between nodes, with a variance of mu + kappa * mu * mu
 * (Breslow, Appl. Stat. 33, 1984), kappa by moments from both sides, and the rates as in the
 * score test of a ratio (Miettinen and Nurminen, Stat. Med. 4, 1985).
 */

/* the search for an interval's ends goes so far, on a logarithmic scale */
#define FARTHEST	30.0
#define HALVINGS	48

/* the sums over the nodes of one side that all tests need */
struct side {
	double events, seconds;
	double squares;		/* of seconds */
	double residuals;	/* squares of events less expected ones, for as many nodes */
	double freedom;
	double rate;
};

struct sides {
	struct side before, after;
	double kappa;		/* the squared variation between nodes, beyond chance */
};

static void sum_up(const struct counted *counted, struct side *side)
{
	*side = (struct side){ .freedom = counted->nodes - 1 };
	for (size_t i = 0; i < counted->nodes; i++) {
		side->events += counted->events[i];
		side->seconds += counted->seconds[i];
		side->squares += counted->seconds[i] * counted->seconds[i];
	}
	side->rate = side->events / side->seconds;
	for (size_t i = 0; i < counted->nodes; i++) {
		double residual = counted->events[i] - side->rate * counted->seconds[i];

		side->residuals += residual * residual;
	}
	side->residuals *= counted->nodes / side->freedom;
}

static double find_kappa(const struct side *a, const struct side *b)
{
	double beyond = a->residuals - a->events + b->residuals - b->events;
	double squares = a->rate * a->rate * a->squares + b->rate * b->rate * b->squares;

	return beyond > 0 ? beyond / squares : 0;
}

/* the variance of a side's rate, if @rate were true, and the freedom that it has */
static double variance(const struct sides *sides, const struct side *side, double rate,
		       double *freedom)
{
	double model = rate * side->seconds + sides->kappa * rate * rate * side->squares;
	bool seen = side->residuals > model;

	*freedom = seen ? side->freedom : sides->before.freedom + sides->after.freedom;
	return (seen ? side->residuals : model) / (side->seconds * side->seconds);
}

/* how likely the difference is by chance if @theta were the true ratio */
static double p_of(const struct sides *sides, double theta)
{
	const struct side *before = &sides->before, *after = &sides->after;
	double rate = (before->events + after->events) /
		      (before->seconds + theta * after->seconds);
	double free_b, free_a;
	double b = theta * theta * variance(sides, before, rate, &free_b);
	double a = variance(sides, after, theta * rate, &free_a);

	return student_p((after->rate - theta * before->rate) / sqrt(a + b),
			 (a + b) * (a + b) / (a * a / free_a + b * b / free_b));
}

/* the theta at which the test begins to refuse, from @from in steps of @direction */
static double find_end(const struct sides *sides, double from, double direction)
{
	double inside = 0, outside = 0.25;

	while (p_of(sides, from * exp(direction * outside)) >= RATIO_LEVEL) {
		inside = outside;
		outside *= 2;
		if (outside > FARTHEST)
			return direction < 0 ? 0 : INFINITY;
	}
	for (int i = 0; i < HALVINGS; i++) {
		double middle = (inside + outside) / 2;

		if (p_of(sides, from * exp(direction * middle)) >= RATIO_LEVEL)
			inside = middle;
		else
			outside = middle;
	}
	return from * exp(direction * inside);
}

/* where the search begins: the ratio, or one that no side's zero keeps from being one */
static double middle_of(const struct sides *sides)
{
	double before = sides->before.events ? sides->before.events : 0.5;
	double after = sides->after.events ? sides->after.events : 0.5;

	return after / sides->after.seconds / (before / sides->before.seconds);
}

/**
 * ratio_find() - compare two rates
 * @before: at least RATIO_NODES_LEAST nodes
 * @after: likewise; one of the two has an event
 * @ratio: the result
 */
void ratio_find(const struct counted *before, const struct counted *after, struct ratio *ratio)
{
	struct sides sides;
	double middle;

	sum_up(before, &sides.before);
	sum_up(after, &sides.after);
	sides.kappa = find_kappa(&sides.before, &sides.after);
	middle = middle_of(&sides);
	*ratio = (struct ratio){
		.before = sides.before.rate,
		.after = sides.after.rate,
		.ratio = sides.before.events ? sides.after.rate / sides.before.rate : INFINITY,
		.low = sides.after.events ? find_end(&sides, middle, -1) : 0,
		.high = sides.before.events ? find_end(&sides, middle, 1) : INFINITY,
		.p = p_of(&sides, 1),
	};
}

static int by_p(const void *a, const void *b)
{
	const struct ratio *left = *(struct ratio *const *)a, *right = *(struct ratio *const *)b;

	return (left->p > right->p) - (left->p < right->p);
}

/**
 * ratio_correct() - make each p that of one ratio among many
 * @ratios: all that were looked at; they are sorted by p
 * @count: how many
 *
 * Of a hundred ratios five are beyond one in twenty by chance alone. With Holm's correction
 * (Scand. J. Stat. 6, 1979) any of them is below RATIO_LEVEL by chance that rarely.
 */
void ratio_correct(struct ratio **ratios, size_t count)
{
	double least = 0;

	qsort(ratios, count, sizeof(*ratios), by_p);
	for (size_t i = 0; i < count; i++) {
		double p = ratios[i]->p * (count - i);

		if (p > least)
			least = p < 1 ? p : 1;
		ratios[i]->p = least;
	}
}

#define STEPS_MOST	500
#define PRECISION	(1024 * DBL_EPSILON)
#define TINY		DBL_MIN

static double not_zero(double number)
{
	return fabs(number) < TINY ? TINY : number;
}

/*
 * The continued fraction of the incomplete beta function (NIST Digital Library of
 * Mathematical Functions, 8.17.22), by Lentz's algorithm.
 */
static double fraction(double a, double b, double x)
{
	double c = 1, d = 1 / not_zero(1 - (a + b) * x / (a + 1)), sum = d;

	for (int m = 1; m <= STEPS_MOST; m++) {
		double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
		double step;

		d = 1 / not_zero(1 + even * d);
		c = not_zero(1 + even / c);
		sum *= d * c;
		d = 1 / not_zero(1 + odd * d);
		c = not_zero(1 + odd / c);
		step = d * c;
		sum *= step;
		if (fabs(step - 1) < PRECISION)
			break;
	}
	return sum;
}

/* the regularized incomplete beta function I_x(a, b) */
static double beta(double a, double b, double x)
{
	double front;

	if (x <= 0 || x >= 1)
		return x <= 0 ? 0 : 1;
	front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
	/* it converges fast on this side of the mean only */
	if (x < (a + 1) / (a + b + 2))
		return front * fraction(a, b, x) / a;
	return 1 - front * fraction(b, a, 1 - x) / b;
}

/**
 * student_p() - how likely a t this far from 0 is by chance, on either side
 * @t: the statistic
 * @freedom: its degrees of freedom, above 0
 *
 * Return: the probability.
 */
double student_p(double t, double freedom)
{
	return beta(freedom / 2, 0.5, freedom / (freedom + t * t));
}

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
