/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel's random numbers, number for number, so that a suite tries the same
 * cases as in the kernel: P. L'Ecuyer, "Tables of maximally equidistributed combined
 * LFSR generators" (1999), lfsr113.
 */
#ifndef _LINUX_KERNEL_PRANDOM_H
#define _LINUX_KERNEL_PRANDOM_H

#include <linux/types.h>

struct rnd_state {
	u32 s1, s2, s3, s4;
};

static inline u32 prandom_seed(u32 seed, u32 least)
{
	return seed < least ? seed + least : seed;
}

static inline void prandom_seed_state(struct rnd_state *state, u64 seed)
{
	u32 mixed = (seed >> 32) ^ (seed << 10) ^ seed;

	state->s1 = prandom_seed(mixed, 2);
	state->s2 = prandom_seed(mixed, 8);
	state->s3 = prandom_seed(mixed, 16);
	state->s4 = prandom_seed(mixed, 128);
}

static inline u32 prandom_step(u32 s, int a, int b, u32 mask, int shift)
{
	return (s & mask) << shift ^ (s << a ^ s) >> b;
}

static inline u32 prandom_u32_state(struct rnd_state *state)
{
	state->s1 = prandom_step(state->s1, 6, 13, ~1U, 18);
	state->s2 = prandom_step(state->s2, 2, 27, ~7U, 2);
	state->s3 = prandom_step(state->s3, 13, 21, ~15U, 7);
	state->s4 = prandom_step(state->s4, 3, 12, ~127U, 13);
	return state->s1 ^ state->s2 ^ state->s3 ^ state->s4;
}

#endif /* _LINUX_KERNEL_PRANDOM_H */
