// SPDX-License-Identifier: GPL-2.0-only
/*
 * Ratios of rates: by hand, and by simulation of many gates. SEED=number make check draws
 * other numbers.
 */
#include "fixture.h"

#include <float.h>
#include <math.h>

#include "base/statistics.h"

#define NODES_MOST	200
#define CULPRITS	10
#define GATES		1000
#define SEED		20261125ULL

static __u64 random_state;

/* splitmix64 */
static double uniform(void)
{
	__u64 z = random_state += 0x9e3779b97f4a7c15ULL;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
	return ((z ^ z >> 31) >> 11) / 9007199254740992.0 + DBL_EPSILON / 4;
}

static double normal(void)
{
	return sqrt(-2 * log(uniform())) * cos(2 * M_PI * uniform());
}

/* Marsaglia and Tsang, ACM Trans. Math. Softw. 26, 2000; for shapes from 1 on */
static double gamma_of(double shape)
{
	double d = shape - 1.0 / 3, c = 1 / sqrt(9 * d);

	for (;;) {
		double x = normal(), v = 1 + c * x;

		v = v * v * v;
		if (v > 0 && log(uniform()) < x * x / 2 + d - d * v + d * log(v))
			return d * v;
	}
}

static double poisson(double mean)
{
	double left = exp(-mean), product = uniform();
	unsigned int count = 0;

	while (product > left) {
		product *= uniform();
		count++;
	}
	return count;
}

enum spread { EQUAL, GAMMA, LOGNORMAL };

/* nodes that differ, and what is compared between two sides of them */
struct trial {
	size_t before, after;	/* nodes */
	double mean;		/* events on a node */
	double variation;	/* between nodes */
	enum spread spread;
	double ratio;		/* of the first culprit's rates; the others do not change */
	double seconds;		/* a node of the second side is watched, of the first 1 */
};

static double node(const struct trial *trial)
{
	double squared = trial->variation * trial->variation;

	switch (trial->spread) {
	case GAMMA:
		return gamma_of(1 / squared) * squared;
	case LOGNORMAL:
		return exp(trial->variation * normal() - squared / 2);
	default:
		return 1;
	}
}

static double draw(const struct trial *trial, struct counted *counted, double events[NODES_MOST],
		   double seconds[NODES_MOST], double ratio)
{
	double sum = 0;

	for (size_t i = 0; i < counted->nodes; i++) {
		events[i] = poisson(trial->mean * ratio * seconds[i] * node(trial));
		sum += events[i];
	}
	counted->events = events;
	counted->seconds = seconds;
	return sum;
}

static void compare(const struct trial *trial, double ratio, struct ratio *result)
{
	static double events[2][NODES_MOST], seconds[2][NODES_MOST];
	struct counted before = { .nodes = trial->before }, after = { .nodes = trial->after };
	double sum;

	for (size_t i = 0; i < NODES_MOST; i++) {
		seconds[0][i] = 1;
		seconds[1][i] = trial->seconds;
	}
	sum = draw(trial, &before, events[0], seconds[0], 1);
	sum += draw(trial, &after, events[1], seconds[1], ratio);
	if (sum)
		ratio_find(&before, &after, result);
	else
		*result = (struct ratio){ .ratio = 1, .p = 1, .high = INFINITY };
}

/* of many gates: those that find the first culprit, and those with any false alarm */
struct gates {
	unsigned int found, alarms, covered;
};

static struct gates simulate(const char *name, const struct trial *trial)
{
	const char *seed = getenv("SEED");
	struct ratio results[CULPRITS], *ratios[CULPRITS];
	struct gates gates = { 0 };

	random_state = seed ? strtoull(seed, NULL, 10) : SEED;
	for (unsigned int gate = 0; gate < GATES; gate++) {
		bool alarm = false;

		for (unsigned int i = 0; i < CULPRITS; i++) {
			ratios[i] = &results[i];
			compare(trial, i ? 1 : trial->ratio, ratios[i]);
		}
		gates.covered += results->low <= trial->ratio && results->high >= trial->ratio;
		ratio_correct(ratios, CULPRITS);
		for (unsigned int i = trial->ratio > 1; i < CULPRITS; i++)
			alarm = alarm || results[i].p < RATIO_LEVEL;
		gates.alarms += alarm;
		gates.found += results->p < RATIO_LEVEL && results->ratio > 1;
	}
	printf("# %s, seed %s: of %u gates %u find it, %u alarm falsely; %u intervals hold it\n",
	       name, seed ? seed : "20261125", GATES, gates.found, gates.alarms, gates.covered);
	return gates;
}

/* what the comparison of two fleets promises */
static void fleets(void **state)
{
	static const enum spread spreads[] = { GAMMA, LOGNORMAL };

	for (unsigned int i = 0; i < ARRAY_SIZE(spreads); i++) {
		const char *name = i ? "lognormal" : "gamma";
		struct trial trial = {
			.before = 200, .after = 200, .mean = 20, .variation = 0.7,
			.spread = spreads[i], .ratio = 1.5, .seconds = 1,
		};
		struct gates gates = simulate(name, &trial);

		assert_in_range(gates.found, GATES * 95 / 100, GATES);
		assert_in_range(gates.covered, GATES * 94 / 100, GATES);
		trial.ratio = 1;
		gates = simulate(name, &trial);
		assert_in_range(gates.alarms, 0, GATES * 5 / 100);
		assert_in_range(gates.covered, GATES * 94 / 100, GATES);
	}
}

/* few nodes, few events, sides of other sizes, sides watched for other times */
static void no_false_alarms(void **state)
{
	static const struct trial trials[] = {
		{ 3, 3, 20, 0.7, LOGNORMAL, 1, 1 },
		{ 3, 3, 20, 0, EQUAL, 1, 1 },
		{ 5, 5, 50, 1.2, LOGNORMAL, 1, 1 },
		{ 200, 3, 0.5, 0.7, LOGNORMAL, 1, 1 },
		{ 3, 200, 0.5, 0.7, LOGNORMAL, 1, 1 },
		{ 100, 100, 0.02, 0, EQUAL, 1, 1 },
		{ 20, 20, 2, 0.7, LOGNORMAL, 1, 24 },
		{ 20, 100, 0.2, 0.7, GAMMA, 1, 24 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(trials); i++) {
		struct gates gates = simulate("no difference", &trials[i]);

		assert_in_range(gates.alarms, 0, GATES * 5 / 100);
		assert_in_range(gates.covered, GATES * 94 / 100, GATES);
	}
}

static bool near(double a, double b, double part)
{
	return fabs(a - b) <= part * fabs(b);
}

/* the tables of any book */
static void student(void **state)
{
	static const struct {
		double t, freedom, p;
	} table[] = {
		{ 12.7062, 1, 0.05 }, { 4.30265, 2, 0.05 }, { 2.77645, 4, 0.05 },
		{ 9.92484, 2, 0.01 }, { 2.22814, 10, 0.05 }, { 3.16927, 10, 0.01 },
		{ 1.97196, 199, 0.05 }, { 1.95996, 10000000, 0.05 }, { 0.70711, 2, 0.55279 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		assert_true(near(student_p(table[i].t, table[i].freedom), table[i].p, 0.0001));
		assert_true(near(student_p(-table[i].t, table[i].freedom), table[i].p, 0.0001));
	}
	assert_true(student_p(0, 3) == 1);
}

static const double hour[] = { 3600, 3600, 3600, 3600, 3600, 3600 };

static struct counted counted(const double *events)
{
	return (struct counted){ .events = events, .seconds = hour, .nodes = ARRAY_SIZE(hour) };
}

/* the other way round it is the same comparison */
static void turned_round(void **state)
{
	static const double few[] = { 5, 9, 2, 14, 7, 3 }, many[] = { 25, 30, 8, 41, 22, 15 };
	const struct counted a = counted(few), b = counted(many);
	struct ratio there, back;

	ratio_find(&a, &b, &there);
	ratio_find(&b, &a, &back);
	assert_true(near(there.ratio, 141.0 / 40, 0.000000001));
	assert_true(near(there.before, 40 / (6 * 3600.0), 0.000000001));
	assert_true(near(there.ratio * back.ratio, 1, 0.000000001));
	assert_true(near(there.p, back.p, 0.000000001));
	assert_true(near(there.low * back.high, 1, 0.000001));
	assert_true(near(there.high * back.low, 1, 0.000001));
	assert_true(there.low > 1 && there.low < there.ratio && there.high > there.ratio);
	assert_true(there.p < RATIO_LEVEL);
}

/* the interval excludes 1 where p is below the level, and there alone */
static void interval_and_p_agree(void **state)
{
	static const struct trial trial = { 10, 10, 4, 0.7, LOGNORMAL, 1.8, 2 };
	unsigned int low = 0;

	random_state = SEED;
	for (unsigned int i = 0; i < 300; i++) {
		struct ratio ratio;

		compare(&trial, trial.ratio, &ratio);
		assert_int_equal(ratio.p < RATIO_LEVEL, ratio.low > 1 || ratio.high < 1);
		low += ratio.low > 1;
	}
	assert_in_range(low, 30, 270);
}

/* a culprit that is new, one that is gone, and one that was met once */
static void none_on_one_side(void **state)
{
	static const double none[6], some[] = { 9, 12, 7, 15, 8, 11 }, one[] = { 0, 0, 1, 0, 0, 0 };
	static const double one_node[] = { 0, 0, 90, 0, 0, 0 };
	const struct counted a = counted(none), b = counted(some), c = counted(one);
	const struct counted d = counted(one_node);
	struct ratio ratio;

	ratio_find(&a, &b, &ratio);
	assert_true(isinf(ratio.ratio) && isinf(ratio.high));
	assert_true(ratio.low > 2 && ratio.p < 0.001);
	ratio_find(&b, &a, &ratio);
	assert_true(ratio.ratio == 0 && ratio.low == 0);
	assert_true(ratio.high < 0.5 && ratio.p < 0.001);
	ratio_find(&a, &c, &ratio);
	assert_true(ratio.low < 0.1 && isinf(ratio.high) && ratio.p > 0.2);
	/* ninety events of one node of six are one node's trouble */
	ratio_find(&a, &d, &ratio);
	assert_true(ratio.low < 1 && ratio.p > 0.2);
}

static void holm(void **state)
{
	struct ratio all[] = { { .p = 0.03 }, { .p = 0.01 }, { .p = 0.04 }, { .p = 0.02 },
			       { .p = 0.9 } };
	struct ratio *ratios[ARRAY_SIZE(all)];

	for (size_t i = 0; i < ARRAY_SIZE(all); i++)
		ratios[i] = &all[i];
	ratio_correct(ratios, ARRAY_SIZE(all));
	assert_true(near(all[1].p, 0.05, 0.000000001));
	assert_true(near(all[3].p, 0.08, 0.000000001));
	assert_true(near(all[0].p, 0.09, 0.000000001));
	/* never below that of a smaller one */
	assert_true(near(all[2].p, 0.09, 0.000000001));
	assert_true(near(all[4].p, 0.9, 0.000000001));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fleets),
		cmocka_unit_test(no_false_alarms),
		cmocka_unit_test(student),
		cmocka_unit_test(turned_round),
		cmocka_unit_test(interval_and_p_agree),
		cmocka_unit_test(none_on_one_side),
		cmocka_unit_test(holm),
	};

	return cmocka_run_group_tests_name("ratio", tests, NULL, NULL);
}
