/* SPDX-License-Identifier: GPL-2.0-only */
/* Random numbers that depend only on the seed. */
#ifndef _FUZZ_RANDOM_H
#define _FUZZ_RANDOM_H

#include <err.h>
#include <linux/types.h>
#include <stdlib.h>

static __u64 state;

static __u32 any(__u32 below)
{
	state ^= state >> 12;
	state ^= state << 25;
	state ^= state >> 27;
	return (state * 0x2545f4914f6cdd1dULL >> 32) % below;
}

/* parses the arguments SEED COUNT, prints @usage if they are wrong, returns the count */
static unsigned long any_from(int argc, char **argv, const char *usage)
{
	if (argc < 3)
		errx(2, "usage: %s", usage);
	state = strtoull(argv[1], NULL, 0) * 0x9e3779b97f4a7c15ULL | 1;
	return strtoul(argv[2], NULL, 0);
}

#endif /* _FUZZ_RANDOM_H */
