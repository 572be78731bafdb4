// SPDX-License-Identifier: GPL-2.0-only
/* By how much is a log's clock ahead? Of made-up logs that is known. */
#include "fixture.h"

#include <math.h>

#include "correlate/log_clock.h"

#define SECOND		(1000 * MS)
#define BEGIN_NS	NOW_REALTIME_NS
#define PERIOD_NS	(1 * MS)
#define LOGS		200

static unsigned short seed[3];

static double random_in(double from, double to)
{
	return from + (to - from) * erand48(seed);
}

static double random_late(double mean)
{
	return -mean * log(1 - erand48(seed));
}

/* what a log was made of */
struct made {
	struct candidates suspects;
	struct replies replies;
	struct slows slows;
	double offset_ns, drift;
	__u64 length_ns;
};

static void add_stall(struct made *made, __u64 end_ns, __u64 length_ns)
{
	made->suspects.all = grow(made->suspects.all, made->suspects.count,
				  sizeof(*made->suspects.all));
	made->suspects.all[made->suspects.count++] = (struct candidate){
		.end_ns = end_ns, .min_ns = length_ns - PERIOD_NS, .max_ns = length_ns,
	};
	if (length_ns > made->suspects.longest_ns)
		made->suspects.longest_ns = length_ns;
}

/* what the clock of the log has at a moment of the node's */
static __u64 log_clock(const struct made *made, double node_ns)
{
	double middle_ns = made->length_ns / 2.0;

	return BEGIN_NS + (__u64)(node_ns + made->offset_ns + made->drift * (node_ns - middle_ns) +
				  10.0 * SECOND);
}

static void add_reply(struct made *made, double sent_ns, double came_ns)
{
	struct replies *replies = &made->replies;

	replies->all = grow(replies->all, replies->count, sizeof(*replies->all));
	replies->all[replies->count++] = (struct reply){
		.sent_ns = log_clock(made, sent_ns), .came_ns = log_clock(made, came_ns),
	};
}

/* the end of the stall that a packet meets that arrives then; 0: none */
static double held_until(const struct made *made, double arrived_ns)
{
	for (size_t i = 0; i < made->suspects.count; i++) {
		double end_ns = (double)(made->suspects.all[i].end_ns - BEGIN_NS - 10 * SECOND);

		if (arrived_ns < end_ns && arrived_ns > end_ns - made->suspects.all[i].max_ns)
			return end_ns;
	}
	return 0;
}

/* pings each @every_ns; some are slow because of the network */
static void make_pings(struct made *made, double every_ns)
{
	double there_ns = random_in(0.03, 0.2) * MS, back_ns = random_in(0.03, 0.2) * MS;
	double behind_ns = 0, last_ns = 0;

	for (double at_ns = 0; at_ns < made->length_ns; at_ns += every_ns) {
		double arrived_ns = at_ns + there_ns + random_late(0.02 * MS);
		double end_ns = held_until(made, arrived_ns);
		double left_ns = end_ns ? end_ns + random_late(0.05 * MS) : arrived_ns;

		/* those that waited as well are worked off one after another */
		behind_ns = end_ns && end_ns == last_ns ? behind_ns + 0.02 * MS : 0;
		last_ns = end_ns;
		if (random_in(0, 1) < 0.001)
			left_ns += random_in(10, 100) * MS;
		add_reply(made, at_ns, left_ns + behind_ns + back_ns + random_late(0.02 * MS));
	}
}

static void make_log(struct made *made, unsigned int number, double gap_ns, bool regular)
{
	double at_ns = gap_ns;

	seed[0] = number;
	seed[1] = 20;
	seed[2] = 26;
	*made = (struct made){
		.offset_ns = random_in(-5, 5) * SECOND,
		.drift = random_in(-0.00005, 0.00005),
		.length_ns = random_in(60, 600) * SECOND,
	};
	while (at_ns < made->length_ns) {
		double length_ns = random_in(15, 150) * MS;

		add_stall(made, BEGIN_NS + 10 * SECOND + (__u64)at_ns, length_ns);
		at_ns += regular ? gap_ns : 0.2 * SECOND + random_late(gap_ns);
	}
	make_pings(made, random_in(10, 100) * MS);
	made->replies.targets = alloc(1, sizeof(*made->replies.targets));
	made->replies.ntargets = 1;
	slows_find(&made->slows, &made->replies, 10 * MS);
	candidates_sort(&made->suspects, 1);
}

static void free_log(struct made *made)
{
	slows_free(&made->slows);
	candidates_free(&made->suspects);
	free(made->replies.all);
	free(made->replies.targets);
}

static void fit_log(const struct made *made, struct clock_fit *fit)
{
	struct clock_search *search = clock_search(&made->suspects);

	clock_search_fit(search, fit, made->slows.trains, made->slows.ntrains,
			 made->slows.base_known);
	clock_search_free(search);
}

/* how far the fit is off at a moment of the log */
static double wrong_ns(const struct made *made, const struct clock_fit *fit, double node_ns)
{
	__u64 log_ns = log_clock(made, node_ns);
	double since_ns = (double)((__s64)log_ns - (__s64)fit->middle_ns);
	double read_ns = (double)(__s64)(log_ns - BEGIN_NS - 10 * SECOND) - fit->offset_ns -
			 fit->drift * since_ns;

	return fabs(read_ns - node_ns);
}

/* what was found in many logs */
struct tally {
	unsigned int logs, told, ambiguous, right, fine;
};

static void take_log(struct tally *tally, unsigned int number, double gap_ns, bool regular)
{
	struct clock_fit fit;
	struct made made;

	make_log(&made, number, gap_ns, regular);
	if (made.slows.ntrains >= 8) {
		fit_log(&made, &fit);
		tally->logs++;
		tally->ambiguous += fit.state == CLOCK_FIT_AMBIGUOUS;
		if (fit.state == CLOCK_FIT_UNIQUE) {
			tally->told++;
			tally->right += wrong_ns(&made, &fit, 0) <= fit.error_ns &&
					wrong_ns(&made, &fit, made.length_ns) <= fit.error_ns;
			tally->fine += fit.error_ns <= 1 * MS && fit.error_ns <= PERIOD_NS / 2;
		}
	}
	free_log(&made);
}

/* the offset is told of all of them, and right in 95 of 100, within a half of the bounds */
static void irregular(void **state)
{
	struct tally tally = { 0 };

	for (unsigned int number = 0; tally.logs < LOGS; number++) {
		seed[0] = number;
		take_log(&tally, number, random_in(2, 8) * SECOND, false);
	}
	print_message("of %u logs %u told, %u right, %u within 1 ms and half of the bounds\n",
		      tally.logs, tally.told, tally.right, tally.fine);
	assert_true(tally.told >= LOGS * 95 / 100);
	assert_true(tally.right >= tally.told * 95 / 100);
	assert_int_equal(tally.fine, tally.told);
}

/* what fits at every 2 s says nothing */
static void regular(void **state)
{
	struct tally tally = { 0 };

	for (unsigned int number = 0; tally.logs < 20; number++)
		take_log(&tally, number, 2 * SECOND, true);
	assert_int_equal(tally.ambiguous, tally.logs);
}

/* slow replies that have nothing to do with the stalls */
static void unrelated(void **state)
{
	unsigned int told = 0;

	for (unsigned int number = 0; number < 20; number++) {
		struct made made, other;
		struct clock_fit fit;

		make_log(&made, 1000 + number, 4 * SECOND, false);
		make_log(&other, 2000 + number, 4 * SECOND, false);
		other.slows.base_known = made.slows.base_known;
		struct clock_search *search = clock_search(&made.suspects);

		clock_search_fit(search, &fit, other.slows.trains, other.slows.ntrains, true);
		told += fit.state == CLOCK_FIT_UNIQUE;
		clock_search_free(search);
		free_log(&made);
		free_log(&other);
	}
	assert_int_equal(told, 0);
}

static void decided(void **state)
{
	struct clock_fit near = { .state = CLOCK_FIT_UNIQUE, .offset_ns = 200000,
				  .error_ns = 100000, .matched = 9 };
	struct clock_fit far = { .state = CLOCK_FIT_UNIQUE, .offset_ns = -840 * (__s64)MS,
				 .error_ns = 100000, .matched = 9, .drift = 0.00002,
				 .middle_ns = 1000 * SECOND };
	struct clock_fit many = { .state = CLOCK_FIT_AMBIGUOUS, .matched = 10, .rival = 9,
				  .at_zero = 9 };
	struct log_clock clock = { .how = LOG_CLOCK_STAMPED };

	log_clock_decide(&clock, &near, 900 * SECOND, 1100 * SECOND);
	assert_int_equal(clock.how, LOG_CLOCK_CHECKED);
	assert_int_equal(clock.offset_ns, 0);
	/* that slow replies agree is no proof that nothing happened */
	assert_false(log_clock_stands(&clock));
	clock = (struct log_clock){ .how = LOG_CLOCK_STAMPED };
	log_clock_decide(&clock, &far, 900 * SECOND, 1100 * SECOND);
	assert_int_equal(clock.how, LOG_CLOCK_FITTED);
	assert_false(log_clock_stands(&clock));
	assert_int_equal(log_clock_node_ns(&clock, 1000 * SECOND), 1000 * SECOND + 840 * MS);
	assert_int_equal(log_clock_node_ns(&clock, 1100 * SECOND), 1100 * SECOND + 838 * MS);
	/* what was given stays */
	clock = (struct log_clock){ .how = LOG_CLOCK_GIVEN, .offset_ns = 5 };
	log_clock_decide(&clock, &far, 900 * SECOND, 1100 * SECOND);
	assert_int_equal(clock.how, LOG_CLOCK_GIVEN);
	assert_int_equal(log_clock_node_ns(&clock, 1000), 995);
	/* regular stalls: the log's own clock is one that fits, or not */
	clock = (struct log_clock){ .how = LOG_CLOCK_STAMPED };
	log_clock_decide(&clock, &many, 900 * SECOND, 1100 * SECOND);
	assert_int_equal(clock.how, LOG_CLOCK_CHECKED);
	many.at_zero = 2;
	clock = (struct log_clock){ .how = LOG_CLOCK_STAMPED };
	log_clock_decide(&clock, &many, 900 * SECOND, 1100 * SECOND);
	assert_int_equal(clock.how, LOG_CLOCK_AMBIGUOUS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(irregular),
		cmocka_unit_test(regular),
		cmocka_unit_test(unrelated),
		cmocka_unit_test(decided),
	};

	return cmocka_run_group_tests_name("clock_fit", tests, NULL, NULL);
}
