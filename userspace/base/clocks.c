// SPDX-License-Identifier: GPL-2.0-only
#include <time.h>

#include "base/clocks.h"
#include "base/units.h"

/* preemption between two clock readings is unlikely every time; the quickest pair counts */
#define READINGS	5

static __u64 read_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec * NSEC_PER_SEC + now.tv_nsec;
}

__u64 clock_monotonic_ns(void)
{
	return read_ns(CLOCK_MONOTONIC);
}

__u64 clock_realtime_ns(void)
{
	return read_ns(CLOCK_REALTIME);
}

/**
 * clock_next() - the next multiple of an interval: what is due as often is due at one moment
 * @now_ns: now
 * @interval_ns: the interval; not 0
 */
__u64 clock_next(__u64 now_ns, __u64 interval_ns)
{
	return now_ns - now_ns % interval_ns + interval_ns;
}

/**
 * clock_realtime_at() - the wall clock's time at a moment of the kernel's clock
 * @at_ns: the moment, which the kernel put into an answer
 * @asked_ns: clock_monotonic_ns() before the request
 *
 * Return: nanoseconds since 1970. In a time namespace, whose monotonic clock is not
 * the kernel's, this is the present time, late by as long as the answer took.
 */
__u64 clock_realtime_at(__u64 at_ns, __u64 asked_ns)
{
	__u64 least_ns = ~0ULL, realtime_ns = 0, monotonic_ns = 0;

	for (unsigned int i = 0; i < READINGS; i++) {
		__u64 before_ns = clock_monotonic_ns(), between_ns = read_ns(CLOCK_REALTIME);
		__u64 took_ns = clock_monotonic_ns() - before_ns;

		if (took_ns >= least_ns)
			continue;
		least_ns = took_ns;
		realtime_ns = between_ns;
		monotonic_ns = before_ns + took_ns / 2;
	}
	if (at_ns < asked_ns || at_ns > monotonic_ns)
		return realtime_ns;
	return realtime_ns - (monotonic_ns - at_ns);
}
