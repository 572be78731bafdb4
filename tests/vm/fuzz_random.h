/* SPDX-License-Identifier: GPL-2.0-only */
/* Numbers to choose by, the same ones for the same seed. */
#ifndef _FUZZ_RANDOM_H
#define _FUZZ_RANDOM_H

#include <linux/types.h>

static __u64 state;

static __u32 any(__u32 below)
{
	state ^= state >> 12;
	state ^= state << 25;
	state ^= state >> 27;
	return (state * 0x2545f4914f6cdd1dULL >> 32) % below;
}

static void any_from(__u64 seed)
{
	state = seed * 0x9e3779b97f4a7c15ULL | 1;
}

#endif /* _FUZZ_RANDOM_H */
