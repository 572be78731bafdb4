// SPDX-License-Identifier: GPL-2.0-only
/*
 * Times are regular if the intervals between them are multiples of a period, but for a small
 * deviation. Random times may look so. Let m intervals add up to s periods, and none deviate from
 * its multiple by more than a part w of the period. If times are random, each way to share out the
 * sum of the intervals is as likely as any other (Pyke, J. R. Stat. Soc. B 27, 1965). There are
 * C(s - 1, m - 1) ways in whole periods, and a share of (m - 1)! * (2 * w / s) ^ (m - 1) of all
 * ways, at most, is within w of one of them. So the probability is at most
 *
 *	(2 * w) ^ (m - 1) * (1 - 1 / s) * (1 - 2 / s) * ... * (1 - (m - 1) / s)
 *
 * That is for one s and one choice of intervals. Others would do as well, so it is multiplied by
 * (x + 1) * (x + 2), where x = s - m periods had no stall, and by C(n, m) * (o + 1) * (o + 2),
 * where o = n - m of n intervals are left out. The reciprocals of each of these two weights add
 * up to 1, so what is found bounds how likely random times look as regular in any way.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/say.h"
#include "group/regularity.h"

/* a report has some ten groups: then one of a thousand says something by chance */
#define CHANCE_MOST	0.0001

/* of a period: what deviates by more does not agree */
#define DEVIATION_MOST	0.125

/*
 * Timers of the kernel end on ticks, of 10 ms at most, and stalls that begin within one are one
 * occasion. No deviation is taken to be less than half of it.
 */
#define TICK_NS		(10 * NSEC_PER_MSEC)

/* the shortest period whose deviations can then agree */
#define PERIOD_LEAST	(TICK_NS / 2 / DEVIATION_MOST)

/* an interval is tried as up to so many periods, and so many intervals are tried */
#define PERIODS_MOST	32
#define TRIED_MOST	8

#define INTERVALS_MOST	(REGULARITY_MOST - 1)

struct intervals {
	unsigned int count;
	double all[INTERVALS_MOST];
	double sorted[INTERVALS_MOST];
};

/* those that are multiples of a period */
struct agreement {
	double period;
	double periods;		/* how many periods they are together */
	double sum;		/* of them */
	unsigned int count;
	double times[INTERVALS_MOST];	/* of each interval, 0: it does not agree */
};

static int by_time(const void *a, const void *b)
{
	const __u64 *left = a, *right = b;

	return (*left > *right) - (*left < *right);
}

static int by_length(const void *a, const void *b)
{
	const double *left = a, *right = b;

	return (*left > *right) - (*left < *right);
}

void occasions_add(struct occasions *occasions, __u64 at_ns)
{
	if (occasions->count < REGULARITY_MOST)
		occasions->at_ns = grow(occasions->at_ns, occasions->count,
					sizeof(*occasions->at_ns));
	occasions->at_ns[occasions->count++ % REGULARITY_MOST] = at_ns;
}

static size_t kept(const struct occasions *occasions)
{
	return occasions->count < REGULARITY_MOST ? occasions->count : REGULARITY_MOST;
}

/**
 * occasions_merge() - the times of two series
 * @all: empty; gets the newest of both
 * @one: a series
 * @other: another one
 */
void occasions_merge(struct occasions *all, const struct occasions *one,
		     const struct occasions *other)
{
	size_t from_one = kept(one), from_other = kept(other);
	__u64 at_ns[2 * REGULARITY_MOST];

	for (size_t i = 0; i < from_one; i++)
		at_ns[i] = one->at_ns[i];
	for (size_t i = 0; i < from_other; i++)
		at_ns[from_one + i] = other->at_ns[i];
	qsort(at_ns, from_one + from_other, sizeof(*at_ns), by_time);
	for (size_t i = 0; i < from_one + from_other; i++)
		occasions_add(all, at_ns[i]);
}

void occasions_free(struct occasions *occasions)
{
	free(occasions->at_ns);
	*occasions = (struct occasions){ 0 };
}

static void find_intervals(struct intervals *intervals, const struct occasions *occasions)
{
	size_t count = kept(occasions);
	__u64 at_ns[REGULARITY_MOST], last_ns;

	memcpy(at_ns, occasions->at_ns, count * sizeof(*at_ns));
	qsort(at_ns, count, sizeof(*at_ns), by_time);
	intervals->count = 0;
	last_ns = at_ns[0];
	for (size_t i = 1; i < count; i++) {
		if (at_ns[i] - last_ns < TICK_NS)
			continue;
		intervals->all[intervals->count++] = at_ns[i] - last_ns;
		last_ns = at_ns[i];
	}
	memcpy(intervals->sorted, intervals->all, intervals->count * sizeof(*intervals->all));
	qsort(intervals->sorted, intervals->count, sizeof(*intervals->sorted), by_length);
}

/* which intervals up to @longest are multiples of about that period? */
static void agree(struct agreement *agreement, const struct intervals *intervals, double period,
		  double longest)
{
	agreement->count = 0;
	agreement->periods = 0;
	agreement->sum = 0;
	for (unsigned int i = 0; i < intervals->count; i++) {
		double length = intervals->all[i] / period, times = rint(length);
		bool agrees = intervals->all[i] <= longest && times >= 1 &&
			      fabs(length - times) <= DEVIATION_MOST;

		agreement->times[i] = agrees ? times : 0;
		if (!agrees)
			continue;
		agreement->count++;
		agreement->periods += times;
		agreement->sum += intervals->all[i];
	}
	agreement->period = agreement->count ? agreement->sum / agreement->periods : period;
}

/* the largest deviation of those that agree, in periods */
static double deviation(const struct agreement *agreement, const struct intervals *intervals)
{
	double most = TICK_NS / 2 / agreement->period;

	for (unsigned int i = 0; i < intervals->count; i++)
		if (agreement->times[i])
			most = fmax(most, fabs(intervals->all[i] / agreement->period -
					       agreement->times[i]));
	return most;
}

/* the logarithm of the probability that chance explains it, at most */
static double chance(const struct agreement *agreement, const struct intervals *intervals)
{
	double n = intervals->count, m = agreement->count, s = agreement->periods;
	double w = deviation(agreement, intervals);

	if (m < REGULARITY_LEAST - 1 || 4 * m < 3 * n || w > DEVIATION_MOST)
		return 0;
	return (m - 1) * log(2 * w) +
	       lgamma(s) - lgamma(s - m + 1) - (m - 1) * log(s) +
	       log((s - m + 1) * (s - m + 2)) +
	       lgamma(n + 1) - lgamma(m + 1) - lgamma(n - m + 1) +
	       log((n - m + 1) * (n - m + 2));
}

/*
 * Bursts that come regularly have two intervals, and any two are nearly multiples of some period.
 * So a grid takes so many different ones.
 */
#define GRID_MULTIPLES_LEAST	4

static bool is_grid(const struct agreement *agreement)
{
	return agreement->periods >= 2 * agreement->count;
}

/* may it be a grid that nothing keeps to? */
static bool is_vague(const struct agreement *agreement, const struct intervals *intervals)
{
	double times[GRID_MULTIPLES_LEAST];
	unsigned int different = 0;

	if (!is_grid(agreement))
		return false;
	for (unsigned int i = 0; i < intervals->count && different < GRID_MULTIPLES_LEAST; i++) {
		unsigned int k = 0;

		while (k < different && times[k] != agreement->times[i])
			k++;
		if (agreement->times[i] && k == different)
			times[different++] = agreement->times[i];
	}
	return different < GRID_MULTIPLES_LEAST;
}

/* the period of which an interval is so many, made exact by those that agree */
static void try(struct agreement *agreement, const struct intervals *intervals, double interval,
		unsigned int periods)
{
	/* what is much longer may be a period off until the period is known better */
	agree(agreement, intervals, interval / periods, 2 * interval);
	if (4 * agreement->count >= intervals->count)
		agree(agreement, intervals, agreement->period, INFINITY);
}

static void take(struct regularity *regularity, const struct agreement *agreement,
		 const struct intervals *intervals)
{
	*regularity = (struct regularity){
		.period_ns = agreement->period,
		.grid = is_grid(agreement),
		.of = intervals->count + 1,
	};
	for (unsigned int i = 0; i <= intervals->count; i++)
		regularity->agree += (i && agreement->times[i - 1]) ||
				     (i < intervals->count && agreement->times[i]);
}

/**
 * regularity_find() - do stalls come at regular times?
 * @regularity: the result
 * @occasions: when they began
 *
 * At least three quarters of the intervals must agree. What is missing, because it was shorter
 * than the threshold or has been overwritten, leaves multiples of the period.
 */
void regularity_find(struct regularity *regularity, const struct occasions *occasions)
{
	double least = log(CHANCE_MOST);
	struct intervals intervals;
	unsigned int tried;

	*regularity = (struct regularity){ 0 };
	if (occasions->count < REGULARITY_LEAST)
		return;
	find_intervals(&intervals, occasions);
	tried = intervals.count < TRIED_MOST ? intervals.count : TRIED_MOST;
	for (unsigned int i = 0; i < tried; i++) {
		double interval = intervals.sorted[i * intervals.count / tried];

		for (unsigned int periods = 1; periods <= PERIODS_MOST; periods++) {
			struct agreement agreement;
			double likely;

			if (interval / periods < PERIOD_LEAST * (1 - DEVIATION_MOST))
				break;
			try(&agreement, &intervals, interval, periods);
			likely = chance(&agreement, &intervals);
			if (likely <= least && !is_vague(&agreement, &intervals)) {
				least = likely;
				take(regularity, &agreement, &intervals);
			}
		}
	}
}

/* of three digits */
static __u64 rounded(__u64 ns)
{
	__u64 unit = 1;

	while (ns / unit >= 1000)
		unit *= 10;
	return (ns + unit / 2) / unit * unit;
}

/**
 * occasions_apart() - the intervals between stalls that are too few to look regular
 * @occasions: when they began
 *
 * Return: "10.8 s, 10.5 s", to be freed; NULL where there is no interval, or enough of them.
 */
char *occasions_apart(const struct occasions *occasions)
{
	struct intervals intervals;
	char *text = NULL;

	if (!occasions->count || occasions->count >= REGULARITY_LEAST)
		return NULL;
	find_intervals(&intervals, occasions);
	for (unsigned int i = 0; i < intervals.count; i++) {
		char *before = text, length[UNITS_LEN];

		print_duration(length, rounded(intervals.all[i]));
		text = print_text("%s%s%s", before ?: "", before ? ", " : "", length);
		free(before);
	}
	return text;
}

/**
 * regularity_print() - "every 10.7 s (5 of 5)" or "on a grid of 50 ms (24 of 25)"
 * @buf: room
 * @regularity: from regularity_find()
 *
 * Return: @buf; "" where there is none.
 */
const char *regularity_print(char buf[UNITS_LEN], const struct regularity *regularity)
{
	char period[UNITS_LEN];

	*buf = '\0';
	if (regularity->period_ns)
		snprintf(buf, UNITS_LEN, "%s %.12s (%u of %u)",
			 regularity->grid ? "on a grid of" : "every",
			 print_duration(period, rounded(regularity->period_ns)),
			 regularity->agree, regularity->of);
	return buf;
}
