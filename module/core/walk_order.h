/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which CPUs a walk looks at. Pure.
 *
 * A map says of each CPU, in a byte that the CPU alone writes, whether it is awake. A
 * walk first looks at the CPUs after this one that walk themselves, up to one that is
 * in order. That one is responsible for whatever comes after it. Then the walk looks
 * at the sleepers up to there. It looks at WALK_MAX CPUs at most, and the next walk goes
 * on where this one stopped.
 */
#ifndef _TIO_WALK_ORDER_H
#define _TIO_WALK_ORDER_H

#include <linux/compiler.h>
#include <linux/types.h>

/* CPUs that one walk looks at; with 8 lines of the map, for 512 CPUs, 64 cache lines */
#define TIO_WALK_MAX		56

/* of these, CPUs that walk themselves: the rest is left for sleepers */
#define TIO_WALK_WALKERS	48

/* what a CPU does; a search asks for several of them, ored */
#define TIO_STATE_OFF		0	/* it is not watched */
#define TIO_STATE_ASLEEP	1	/* its beat is paused */
#define TIO_STATE_GUARDS	2	/* the same, and it walks by its timer */
#define TIO_STATE_AWAKE		4
#define TIO_STATE_WALKS		(TIO_STATE_GUARDS | TIO_STATE_AWAKE)

/* where the next walk goes on, in steps from the walking CPU; 0 counts as 1 */
struct tio_rounds {
	u32 walker;
	u32 sleeper;
};

/* one walk; a step of 1 is the next CPU */
struct tio_walk_order {
	const u8 *states;	/* aligned to 8 bytes */
	unsigned int number;	/* of CPUs */
	unsigned int self;
	struct tio_rounds *rounds;
	bool sleepers;		/* the second part of the walk */
	unsigned int at;	/* the step that was looked at last */
	unsigned int left;	/* how many more CPUs this part looks at */
	unsigned int end;	/* the second part stays below this step */
	unsigned int first;	/* its first step */
};

static inline unsigned int tio_walk_order_cpu(const struct tio_walk_order *look,
					      unsigned int step)
{
	unsigned int cpu = look->self + step;

	return cpu < look->number ? cpu : cpu - look->number;
}

/* the first step in [from, to) whose CPU is in one of these states; @to: there is none */
static inline unsigned int tio_walk_order_find(const struct tio_walk_order *look,
					       unsigned int from, unsigned int to,
					       u8 states)
{
	const u64 all = states * 0x0101010101010101ULL;

	while (from < to) {
		unsigned int cpu = tio_walk_order_cpu(look, from);

		/* eight at once where none of them is */
		if (cpu % 8 == 0 && cpu + 8 <= look->number &&
		    !(READ_ONCE(*(const u64 *)&look->states[cpu]) & all)) {
			from += 8;
			continue;
		}
		if (READ_ONCE(look->states[cpu]) & states)
			return from;
		from++;
	}
	return to;
}

/* is another CPU in one of these states? */
static inline bool tio_walk_order_any(const struct tio_walk_order *look, u8 states)
{
	return tio_walk_order_find(look, 1, look->number, states) < look->number;
}

/* is exactly one other CPU in one of these states? */
static inline bool tio_walk_order_one(const struct tio_walk_order *look, u8 states)
{
	unsigned int step = tio_walk_order_find(look, 1, look->number, states);

	return step < look->number &&
	       tio_walk_order_find(look, step + 1, look->number, states) == look->number;
}

/**
 * tio_walk_order_begin() - begin a walk
 * @look: the walk
 * @states: the map, TIO_STATE_* of each CPU
 * @number: of CPUs
 * @self: the CPU that walks
 * @rounds: where its last walk stopped; updated
 *
 * Context: any.
 */
static inline void tio_walk_order_begin(struct tio_walk_order *look, const u8 *states,
					unsigned int number, unsigned int self,
					struct tio_rounds *rounds)
{
	u32 first = rounds->walker;

	*look = (struct tio_walk_order) {
		.states = states,
		.number = number,
		.self = self,
		.rounds = rounds,
		.at = first > 0 && first < number ? first - 1 : 0,
		.left = TIO_WALK_WALKERS,
	};
}

/* the first part of the walk is over: sleepers before the step @end are left */
static inline void tio_walk_order_sleepers(struct tio_walk_order *look, unsigned int next,
					   unsigned int end)
{
	unsigned int first = look->rounds->sleeper;

	if (look->rounds->walker != next)
		look->rounds->walker = next;
	if (first < 1 || first >= end)
		first = 1;
	look->sleepers = true;
	look->left += TIO_WALK_MAX - TIO_WALK_WALKERS;
	look->at = first - 1;
	look->first = first;
	look->end = end;
}

static inline int tio_walk_order_next_sleeper(struct tio_walk_order *look)
{
	unsigned int step = look->end;

	if (look->left)
		step = tio_walk_order_find(look, look->at + 1, look->end,
					   TIO_STATE_ASLEEP);
	if (look->left && step == look->end && look->first > 1) {
		/* from the last one on to the first, up to where the walk began */
		look->end = look->first;
		look->first = 1;
		step = tio_walk_order_find(look, 1, look->end, TIO_STATE_ASLEEP);
	}
	if (step < look->end) {
		look->at = step;
		look->left--;
		return tio_walk_order_cpu(look, step);
	}
	/* all were looked at where some are left to look at */
	step = look->left ? look->end : look->at + 1;
	if (look->rounds->sleeper != step)
		look->rounds->sleeper = step;
	return -1;
}

/**
 * tio_walk_order_next() - the next CPU that a walk looks at
 * @look: the walk
 *
 * Context: any.
 * Return: its number; -1 where the walk is over.
 */
static inline int tio_walk_order_next(struct tio_walk_order *look)
{
	unsigned int step;

	if (!look->sleepers && look->left) {
		step = tio_walk_order_find(look, look->at + 1, look->number,
					   TIO_STATE_WALKS);
		if (step < look->number) {
			look->at = step;
			look->left--;
			return tio_walk_order_cpu(look, step);
		}
		tio_walk_order_sleepers(look, 1, look->number);
	} else if (!look->sleepers) {
		/* nobody in order was found, so all sleepers are this CPU's for now */
		tio_walk_order_sleepers(look, look->at + 1, look->number);
	}
	return tio_walk_order_next_sleeper(look);
}

/**
 * tio_walk_order_in_order() - the CPU that was looked at last walks, and is in order
 * @look: the walk
 *
 * Context: any.
 */
static inline void tio_walk_order_in_order(struct tio_walk_order *look)
{
	if (!look->sleepers)
		tio_walk_order_sleepers(look, 1, look->at);
}

#endif /* _TIO_WALK_ORDER_H */
