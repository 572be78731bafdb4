// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program whose other objects are compiled with -fsanitize-coverage=trace-pc prints how many
 * basic blocks it ran, in a line of its own at its end. That is the same number each time.
 */
#include <stdio.h>

static unsigned long long blocks;

void __sanitizer_cov_trace_pc(void)
{
	blocks++;
}

static __attribute__((destructor)) void print_blocks(void)
{
	printf("%llu\n", blocks);
}
