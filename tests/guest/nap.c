// SPDX-License-Identifier: GPL-2.0-only
/* nap COUNT NS: sleeps COUNT times for NS nanoseconds and prints the sleeps per second */
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec + now.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
	struct timespec nap = { };
	double from;
	long count;

	if (argc != 3) {
		fprintf(stderr, "usage: nap COUNT NS\n");
		return 2;
	}
	count = atol(argv[1]);
	nap.tv_nsec = atol(argv[2]);

	/* otherwise the kernel adds 50 us to each sleep */
	prctl(PR_SET_TIMERSLACK, 1);
	from = seconds();
	for (long i = 0; i < count; i++)
		nanosleep(&nap, NULL);
	printf("%.0f\n", count / (seconds() - from));
	return 0;
}
