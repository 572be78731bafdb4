// SPDX-License-Identifier: GPL-2.0-only
#include <float.h>
#include <math.h>

#include "base/student.h"

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
