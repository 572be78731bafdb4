// SPDX-License-Identifier: GPL-2.0-only
/*
 * A train of slow replies comes right behind the end of the stall that held it up. So the
 * distance from stalls' ends to trains is the same for all trains that have a stall: that of
 * the clocks. Each pair of a train and a stall votes for its distance, and the distance with
 * the most votes is the offset, if no other one has nearly as many: stalls at regular times
 * fit as well when they are moved by one.
 *
 * The clocks may also run at different rates. Quartz is within 50 ppm or so, so some hundred
 * rates are tried. The line through the pairs that agree is that of Theil and Sen, the median
 * of the slopes of all pairs of points (Sen, JASA 63, 1968), which outliers do not move.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/lower_bound.h"
#include "base/say.h"
#include "base/statistics.h"
#include "correlate/clock_fit.h"

#define REACH_NS	CLOCK_FIT_REACH_NS
#define DRIFT_MOST	0.00006
#define BIN_NS		1000000LL	/* a vote counts for two of these bins */
#define BINS		(2 * REACH_NS / BIN_NS)
#define NEAR_BINS	10		/* what is not farther off is the same distance */
#define STEPS_MOST	250		/* of rates, in each direction */

#define VOTERS_MOST	64		/* trains that vote */
#define VOTERS_SPAN_NS	(STEPS_MOST * BIN_NS / DRIFT_MOST)	/* in this time */
#define MATCHED_LEAST	5
#define RIVAL_SHARE	0.6		/* so large a part of the votes makes it ambiguous */

/* where a stall ended, and how long a packet may have waited for that */
struct end {
	__u64 at_ns;
	__u64 most_ns;
};

struct pair {
	size_t train;
	double distance_ns;
	double since_ns;	/* of the train, from the middle */
};

struct bin {
	__u32 step;		/* the votes are those of this step */
	__u32 train;		/* the last that voted in it */
	__u32 votes;
	__u32 most;		/* votes of any step */
};

struct clock_search {
	struct end *ends;
	size_t nends;
	struct bin *bins;
	struct pair *pairs;
	size_t npairs;
	__u32 step;
	struct point *points;	/* of the line */
	size_t npoints;
};

static int by_time(const void *a, const void *b)
{
	const struct end *left = a, *right = b;

	return (left->at_ns > right->at_ns) - (left->at_ns < right->at_ns);
}

/**
 * clock_search() - prepare to search
 * @suspects: the stalls, which all have one clock
 *
 * Return: for clock_search_free().
 */
struct clock_search *clock_search(const struct candidates *suspects)
{
	struct clock_search *search = alloc(1, sizeof(*search));

	search->ends = alloc(suspects->count, sizeof(*search->ends));
	for (size_t i = 0; i < suspects->count; i++)
		search->ends[search->nends++] = (struct end){
			.at_ns = suspects->all[i].end_ns, .most_ns = suspects->all[i].max_ns,
		};
	qsort(search->ends, search->nends, sizeof(*search->ends), by_time);
	search->bins = alloc(BINS, sizeof(*search->bins));
	return search;
}

void clock_search_free(struct clock_search *search)
{
	free(search->ends);
	free(search->bins);
	free(search->pairs);
	free(search->points);
	free(search);
}

static size_t ends_from(const struct clock_search *search, __u64 at_ns)
{
	return lower_bound(0, search->nends, i, search->ends[i].at_ns < at_ns);
}

/* was a stall long enough to have held the train up? */
static bool may_hold(const struct end *end, const struct train *train)
{
	return end->most_ns >= train->need_ns;
}

static void add_pairs(struct clock_search *search, const struct train *trains, size_t i,
		      __u64 middle_ns)
{
	const struct train *train = &trains[i];
	__u64 to_ns = train->came_ns + REACH_NS;
	__u64 from_ns = train->came_ns > REACH_NS ? train->came_ns - REACH_NS : 0;

	for (size_t k = ends_from(search, from_ns); k < search->nends; k++) {
		const struct end *end = &search->ends[k];

		if (end->at_ns >= to_ns)
			break;
		if (!may_hold(end, train))
			continue;
		search->pairs = grow(search->pairs, search->npairs, sizeof(*search->pairs));
		search->pairs[search->npairs++] = (struct pair){
			.train = i,
			.distance_ns = (double)((__s64)train->came_ns - (__s64)end->at_ns),
			.since_ns = (double)((__s64)train->came_ns - (__s64)middle_ns),
		};
	}
}

/* some trains in a row: as many as there are in a time in which rates can be told */
struct voters {
	size_t first, count;
	__u64 middle_ns;
	__u64 span_ns;
};

static struct voters choose_voters(const struct train *trains, size_t ntrains)
{
	struct voters voters = { 0 };
	size_t first = 0;

	for (size_t i = 0; i < ntrains; i++) {
		while (i - first >= VOTERS_MOST ||
		       (double)(trains[i].came_ns - trains[first].came_ns) > VOTERS_SPAN_NS)
			first++;
		if (i + 1 - first > voters.count)
			voters = (struct voters){ .first = first, .count = i + 1 - first };
	}
	voters.span_ns = trains[voters.first + voters.count - 1].came_ns -
			 trains[voters.first].came_ns;
	voters.middle_ns = trains[voters.first].came_ns + voters.span_ns / 2;
	return voters;
}

static void vote(struct clock_search *search, long number, __u32 train)
{
	struct bin *bin;

	if (number < 0 || number >= BINS)
		return;
	bin = &search->bins[number];
	if (bin->step != search->step) {
		bin->step = search->step;
		bin->votes = 0;
		bin->train = ~0U;
	}
	if (bin->train == train)
		return;
	bin->train = train;
	bin->votes++;
	if (bin->votes > bin->most)
		bin->most = bin->votes;
}

struct best {
	__u32 votes;
	long bin;
	double drift;
};

/* the bin that began with distance 0, and so the clocks' where they agree */
static long zero_bin(void)
{
	return REACH_NS / BIN_NS;
}

static void vote_all(struct clock_search *search, double drift, struct best *best)
{
	search->step++;
	for (size_t i = 0; i < search->npairs; i++) {
		const struct pair *pair = &search->pairs[i];
		double at_ns = pair->distance_ns - drift * pair->since_ns + REACH_NS;
		long number = floor(at_ns / BIN_NS);

		/* each bin is two wide, so that no cluster lies across two of them */
		for (long wide = number - 1; wide <= number; wide++) {
			vote(search, wide, pair->train);
			if (wide >= 0 && wide < BINS && search->bins[wide].votes > best->votes)
				*best = (struct best){ search->bins[wide].votes, wide, drift };
		}
	}
}

static __u32 most_far_from(const struct clock_search *search, long from)
{
	__u32 most = 0;

	for (long i = 0; i < BINS; i++)
		if (labs(i - from) > NEAR_BINS && search->bins[i].most > most)
			most = search->bins[i].most;
	return most;
}

/* the votes of the last step near distance 0: a train comes a little behind its stall */
static __u32 votes_at_zero(const struct clock_search *search)
{
	__u32 most = 0;

	for (long i = zero_bin() - 1; i <= zero_bin() + 1; i++)
		if (search->bins[i].step == search->step && search->bins[i].votes > most)
			most = search->bins[i].votes;
	return most;
}

/* rates that move the first voter and the last one by a bin against each other */
static unsigned int steps_for(const struct voters *voters)
{
	double steps = DRIFT_MOST * voters->span_ns / BIN_NS;

	return steps > STEPS_MOST ? STEPS_MOST : (unsigned int)ceil(steps);
}

static void find_best(struct clock_search *search, struct clock_fit *fit,
		      const struct voters *voters, struct best *best)
{
	unsigned int steps = steps_for(voters);

	for (long i = 0; i < BINS; i++)
		search->bins[i] = (struct bin){ 0 };
	search->step = 0;
	vote_all(search, 0, best);
	fit->at_zero = votes_at_zero(search);
	for (unsigned int i = 1; i <= steps; i++) {
		vote_all(search, DRIFT_MOST * i / steps, best);
		vote_all(search, -DRIFT_MOST * i / steps, best);
	}
	fit->matched = best->votes;
	fit->rival = most_far_from(search, best->bin);
}

/* the stall that ended nearest to where the line has the train; NULL: none is near */
static const struct end *near(const struct clock_search *search, const struct train *train,
			      const struct line *line, double most_ns)
{
	double t = (double)((__s64)train->came_ns - (__s64)line->origin_ns);
	double wanted_ns = line_at(line, t);
	__u64 at_ns = train->came_ns - (__s64)wanted_ns;
	const struct end *best = NULL;

	for (size_t i = ends_from(search, at_ns - (__u64)most_ns); i < search->nends; i++) {
		const struct end *end = &search->ends[i];

		if ((double)end->at_ns > (double)at_ns + most_ns)
			break;
		if (!may_hold(end, train))
			continue;
		if (!best || llabs((__s64)(end->at_ns - at_ns)) <
			     llabs((__s64)(best->at_ns - at_ns)))
			best = end;
	}
	return best;
}

/* draws the line anew through the trains that have a stall near it */
static void redraw(struct clock_search *search, struct line *line, const struct train *trains,
		   size_t first, size_t behind, double most_ns)
{
	search->npoints = 0;
	for (size_t i = first; i < behind; i++) {
		const struct end *end = near(search, &trains[i], line, most_ns);

		if (!end)
			continue;
		search->points = grow(search->points, search->npoints, sizeof(*search->points));
		search->points[search->npoints++] = (struct point){
			.x = (double)((__s64)trains[i].came_ns - (__s64)line->origin_ns),
			.y = (double)((__s64)trains[i].came_ns - (__s64)end->at_ns),
		};
	}
	if (search->npoints)
		line_draw(line, search->points, search->npoints);
}

static __u64 middle_base(const struct train *trains, size_t ntrains)
{
	double *bases = alloc(ntrains, sizeof(*bases)), middle;

	for (size_t i = 0; i < ntrains; i++)
		bases[i] = trains[i].base_ns;
	middle = median(bases, ntrains);
	free(bases);
	return middle;
}

/*
 * What a reply needs when nothing holds it up is spent before the stall and behind it, nobody
 * knows in which parts; half of it is taken off, and it may be wrong by as much. Replies come
 * late and never early, which moves a median by about their spread. The rest are two standard
 * errors of median and slope, at either end of the log.
 */
static void tell(struct clock_fit *fit, const struct line *line, const struct train *trains,
		 size_t ntrains, size_t npoints, bool base_known)
{
	__u64 half_ns = middle_base(trains, ntrains) / 2;
	double sigma_ns = MAD_TO_SIGMA * line->spread;

	fit->offset_ns = (__s64)line->at_origin - (__s64)half_ns;
	fit->drift = line->slope;
	fit->middle_ns = line->origin_ns;
	fit->error_ns = half_ns + (__u64)(1.5 * line->spread +
					  2 * 2 * MEDIAN_ERROR * sigma_ns / sqrt(npoints));
	if (!base_known)
		fit->error_ns += NSEC_PER_MSEC;
}

static void refine(struct clock_search *search, struct clock_fit *fit,
		   const struct train *trains, size_t ntrains, const struct voters *voters,
		   const struct best *best, bool base_known)
{
	struct line line = {
		.origin_ns = voters->middle_ns,
		.at_origin = (double)((best->bin + 1) * BIN_NS - REACH_NS),
		.slope = best->drift,
	};
	size_t first = voters->first, behind = voters->first + voters->count, more;
	double narrow_ns;

	redraw(search, &line, trains, first, behind, 2 * BIN_NS);
	/* the line holds for a while beyond what it was drawn through */
	while (first > 0 || behind < ntrains) {
		more = (behind - first) / 2 + 1;
		first = first > more ? first - more : 0;
		behind = ntrains - behind > more ? behind + more : ntrains;
		redraw(search, &line, trains, first, behind, 2 * BIN_NS);
	}
	narrow_ns = 5 * MAD_TO_SIGMA * line.spread + BIN_NS / 5.0;
	redraw(search, &line, trains, first, behind, narrow_ns);
	fit->matched = search->npoints > fit->matched ? search->npoints : fit->matched;
	tell(fit, &line, trains, ntrains, search->npoints, base_known);
}

/**
 * clock_search_fit() - by how much is the clock of these trains ahead?
 * @search: from clock_search()
 * @fit: the result
 * @trains: in the order in which they came
 * @ntrains: their number
 * @base_known: it is known what replies need when nothing holds them up
 */
void clock_search_fit(struct clock_search *search, struct clock_fit *fit,
		      const struct train *trains, size_t ntrains, bool base_known)
{
	struct best best = { 0 };
	struct voters voters;

	*fit = (struct clock_fit){ .state = CLOCK_FIT_NONE };
	if (ntrains < MATCHED_LEAST)
		return;
	voters = choose_voters(trains, ntrains);
	search->npairs = 0;
	for (size_t i = 0; i < voters.count; i++)
		add_pairs(search, trains, voters.first + i, voters.middle_ns);
	find_best(search, fit, &voters, &best);
	if (best.votes < MATCHED_LEAST)
		return;
	if (fit->rival > RIVAL_SHARE * fit->matched) {
		fit->state = CLOCK_FIT_AMBIGUOUS;
		return;
	}
	refine(search, fit, trains, ntrains, &voters, &best, base_known);
	fit->state = CLOCK_FIT_UNIQUE;
}
