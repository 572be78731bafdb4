// SPDX-License-Identifier: GPL-2.0-only
/*
 * A model of 512 CPUs. In each turn, which is half a threshold at most, each CPU that
 * walks and is in order walks once. No walk may look at more than TIO_WALK_MAX CPUs,
 * and every overdue CPU must be looked at within the turns that docs/design/sampling.md
 * promises.
 */
#include <linux/kernel.h>
#include <linux/string.h>

#include "core/walk_order.h"
#include "suite.h"

#define CPUS	512

struct model {
	u8 states[CPUS] __aligned(8);
	bool overdue[CPUS];
	bool looked[CPUS];	/* in this turn */
	unsigned int unseen[CPUS];	/* turns since it was looked at */
	unsigned int longest[CPUS];	/* turns until it was looked at */
	struct tio_rounds rounds[CPUS];
	struct rnd_state rnd;
	unsigned int most;	/* CPUs looked at in a walk */
};

static bool walks(const struct model *model, unsigned int cpu)
{
	return model->states[cpu] & TIO_STATE_WALKS && !model->overdue[cpu];
}

/* one walk; returns how many CPUs it looked at */
static unsigned int walk(struct kunit *test, struct model *model, unsigned int self)
{
	struct tio_walk_order look;
	unsigned int number = 0;
	u64 seen[CPUS / 64] = { };
	int cpu;

	tio_walk_order_begin(&look, model->states, CPUS, self, &model->rounds[self]);
	while ((cpu = tio_walk_order_next(&look)) >= 0) {
		if ((unsigned int)cpu >= CPUS || (unsigned int)cpu == self ||
		    seen[cpu / 64] & 1ULL << cpu % 64 ||
		    model->states[cpu] == TIO_STATE_OFF) {
			EXPECT_INT_IN(test, cpu, -1, self);
			break;
		}
		seen[cpu / 64] |= 1ULL << cpu % 64;
		model->looked[cpu] = true;
		number++;
		if (walks(model, cpu))
			tio_walk_order_in_order(&look);
	}
	return number;
}

static void turn(struct kunit *test, struct model *model)
{
	unsigned int cpu, number;

	memset(model->looked, 0, sizeof(model->looked));
	for (cpu = 0; cpu < CPUS; cpu++) {
		if (!walks(model, cpu))
			continue;
		number = walk(test, model, cpu);
		model->most = max(model->most, number);
	}
	for (cpu = 0; cpu < CPUS; cpu++) {
		model->unseen[cpu] = model->looked[cpu] ? 0 : model->unseen[cpu] + 1;
		model->longest[cpu] = max(model->longest[cpu], model->unseen[cpu] + 1);
	}
}

/* the promise: how many turns it takes at most until an overdue CPU is looked at */
static unsigned int promised(const struct model *model, unsigned int cpu)
{
	unsigned int stuck = 0, sleepers = 0, from, to, left;

	/* back to the CPU that is responsible, and on to the one that takes over */
	for (from = cpu; ; ) {
		from = (from + CPUS - 1) % CPUS;
		if (from == cpu)
			return 0;	/* nobody walks */
		if (walks(model, from))
			break;
	}
	for (to = (from + 1) % CPUS; to != from && !walks(model, to); to = (to + 1) % CPUS) {
		sleepers += model->states[to] == TIO_STATE_ASLEEP;
		stuck += !!(model->states[to] & TIO_STATE_WALKS);
	}
	/* a walk that ends at a CPU in order looks at that one too */
	left = stuck + (to != from);
	if (left > TIO_WALK_WALKERS) {
		/* a walk that is cut short takes all sleepers for its own */
		sleepers = 0;
		for (to = 0; to < CPUS; to++)
			sleepers += model->states[to] == TIO_STATE_ASLEEP;
	}
	if (model->states[cpu] & TIO_STATE_WALKS)
		return DIV_ROUND_UP(left, TIO_WALK_WALKERS);
	/* the rest of the walk */
	left = left < TIO_WALK_WALKERS ? TIO_WALK_MAX - left :
					 TIO_WALK_MAX - TIO_WALK_WALKERS;
	return DIV_ROUND_UP(sleepers, left);
}

/* runs it, and returns the longest time until an overdue CPU was looked at */
static unsigned int run(struct kunit *test, struct model *model, unsigned int turns)
{
	unsigned int cpu, longest = 0;

	memset(model->unseen, 0, sizeof(model->unseen));
	memset(model->longest, 0, sizeof(model->longest));
	while (turns--)
		turn(test, model);
	for (cpu = 0; cpu < CPUS; cpu++) {
		if (!model->overdue[cpu] || !promised(model, cpu))
			continue;
		if (model->longest[cpu] > promised(model, cpu))
			EXPECT_INT_IN(test, model->longest[cpu],
				      promised(model, cpu), cpu);
		longest = max(longest, model->longest[cpu]);
	}
	EXPECT_INT(test, model->most <= TIO_WALK_MAX, true);
	return longest;
}

/* every @busy'th CPU is awake, and the others sleep; 0: only CPU 0 */
static void pattern(struct model *model, unsigned int busy)
{
	unsigned int cpu;

	memset(model, 0, sizeof(*model));
	prandom_seed_state(&model->rnd, SEED);
	for (cpu = 0; cpu < CPUS; cpu++)
		model->states[cpu] = cpu % (busy ?: CPUS) ? TIO_STATE_ASLEEP :
							   TIO_STATE_AWAKE;
}

static void one_busy(struct kunit *test)
{
	struct model *model = test->priv;
	unsigned int cpu;

	pattern(model, 0);
	/* one that sleeps, in a handler */
	for (cpu = 1; cpu < CPUS; cpu += 51)
		model->overdue[cpu] = true;
	EXPECT_INT(test, run(test, model, 100), 10);
	/* one that was awake */
	pattern(model, 0);
	model->states[300] = TIO_STATE_AWAKE;
	model->overdue[300] = true;
	EXPECT_INT(test, run(test, model, 100), 1);
}

static void two_half_apart(struct kunit *test)
{
	struct model *model = test->priv;

	pattern(model, CPUS / 2);
	model->overdue[255] = true;
	model->overdue[511] = true;
	model->overdue[1] = true;
	EXPECT_INT(test, run(test, model, 100), 5);
	/* one is stuck, and the other one has all sleepers */
	model->overdue[256] = true;
	EXPECT_INT(test, run(test, model, 100), 10);
	memset(model->overdue, 0, sizeof(model->overdue));
	model->overdue[256] = true;
	EXPECT_INT(test, run(test, model, 100), 1);
}

static void every_8th(struct kunit *test)
{
	struct model *model = test->priv;

	pattern(model, 8);
	memset(model->overdue + 9, true, 7);
	model->overdue[64] = true;
	model->overdue[72] = true;
	EXPECT_INT(test, run(test, model, 100), 1);
	EXPECT_INT(test, model->most <= 24, true);
}

static void all_busy(struct kunit *test)
{
	struct model *model = test->priv;

	pattern(model, 1);
	turn(test, model);
	EXPECT_INT(test, model->most, 1);
	model->overdue[100] = true;
	EXPECT_INT(test, run(test, model, 100), 1);
	EXPECT_INT(test, model->most, 2);
	/* all but one: a walk is cut short, and the next one goes on */
	memset(model->overdue, true, sizeof(model->overdue));
	model->overdue[7] = false;
	EXPECT_INT(test, run(test, model, 100), 11);
}

static void a_guard(struct kunit *test)
{
	struct model *model = test->priv;

	pattern(model, 0);
	model->states[256] = TIO_STATE_GUARDS;
	model->overdue[0] = true;
	EXPECT_INT(test, run(test, model, 100), 1);
}

/* unwatched CPUs are neither looked at nor in the way */
static void some_watched(struct kunit *test)
{
	struct model *model = test->priv;

	pattern(model, 0);
	memset(model->states + 1, TIO_STATE_OFF, CPUS - 1);
	model->states[511] = TIO_STATE_ASLEEP;
	model->overdue[511] = true;
	EXPECT_INT(test, run(test, model, 20), 1);
	EXPECT_INT(test, model->most, 1);
}

/* any mixture of awake, asleep, unwatched and overdue CPUs */
static void random_patterns(struct kunit *test)
{
	struct model *model = test->priv;
	unsigned int round, cpu, awake, overdue;

	pattern(model, 1);
	for (round = 0; round < 60; round++) {
		/* the rounds stay: what comes before must not matter for long */
		awake = below(&model->rnd, 8);
		overdue = below(&model->rnd, 8);
		for (cpu = 0; cpu < CPUS; cpu++) {
			u64 dice = below(&model->rnd, 1024);

			model->states[cpu] = dice % 128 < 1ULL << awake ? TIO_STATE_AWAKE :
					     dice % 9 ? TIO_STATE_ASLEEP : TIO_STATE_OFF;
			model->overdue[cpu] = model->states[cpu] &&
					      below(&model->rnd, 128) < 1ULL << overdue;
		}
		run(test, model, 80);
	}
}

/* CPUs nap: in each turn others are awake. Still none is left out. */
static void naps(struct kunit *test)
{
	struct model *model = test->priv;
	unsigned int turns, cpu;

	pattern(model, 0);
	for (turns = 0; turns < 400; turns++) {
		turn(test, model);
		for (cpu = 1; cpu < CPUS; cpu++)
			model->states[cpu] = below(&model->rnd, 64) ? TIO_STATE_ASLEEP :
								    TIO_STATE_AWAKE;
	}
	for (cpu = 1; cpu < CPUS; cpu++)
		if (model->longest[cpu] > 10)
			EXPECT_INT_IN(test, model->longest[cpu], 10, cpu);
}

/* from any CPU to any other one, with any number of CPUs, as a byte-wise search finds */
static void searches(struct kunit *test)
{
	struct model *model = test->priv;
	unsigned int i, step;

	pattern(model, 0);
	for (i = 0; i < 2000; i++) {
		struct tio_walk_order look = {
			.states = model->states,
			.number = 1 + below(&model->rnd, CPUS),
		};
		unsigned int one = below(&model->rnd, look.number);

		look.self = below(&model->rnd, look.number);
		memset(model->states, TIO_STATE_ASLEEP, CPUS);
		model->states[one] = TIO_STATE_AWAKE;
		/* beyond the last one nothing counts */
		memset(model->states + look.number, TIO_STATE_AWAKE, CPUS - look.number);
		step = (one + look.number - look.self) % look.number;
		EXPECT_INT_IN(test, tio_walk_order_any(&look, TIO_STATE_WALKS), step > 0, i);
		EXPECT_INT_IN(test, tio_walk_order_one(&look, TIO_STATE_AWAKE), step > 0, i);
		if (step)
			EXPECT_INT_IN(test, tio_walk_order_find(&look, 1, look.number,
								TIO_STATE_WALKS), step, i);
		model->states[look.self] = TIO_STATE_AWAKE;
		EXPECT_INT_IN(test, tio_walk_order_any(&look, TIO_STATE_GUARDS), false, i);
	}
}

static int setup(struct kunit *test)
{
	test->priv = kunit_kzalloc(test, sizeof(struct model), GFP_KERNEL);
	return test->priv ? 0 : -ENOMEM;
}

static struct kunit_case cases[] = {
	KUNIT_CASE(one_busy),
	KUNIT_CASE(two_half_apart),
	KUNIT_CASE(every_8th),
	KUNIT_CASE(all_busy),
	KUNIT_CASE(a_guard),
	KUNIT_CASE(some_watched),
	KUNIT_CASE(random_patterns),
	KUNIT_CASE(naps),
	KUNIT_CASE(searches),
	{ }
};

TIO_SUITE("walk_order", "which CPUs trace_irqoff's walks look at", .init = setup);
