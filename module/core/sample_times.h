/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * When a stall is looked at, and which samples of it are kept. Pure.
 *
 * Each look comes twice as far from the stall's beginning as the one before, until the
 * end. So a stall of any length has few samples, and one of them in its second half.
 */
#ifndef _TIO_SAMPLE_TIMES_H
#define _TIO_SAMPLE_TIMES_H

#include <linux/types.h>
#ifdef __KERNEL__
#include <linux/string.h>
#else
#include <string.h>
#endif

#include "core/record.h"

/*
 * The first look at a softirq stall, in ns after its beginning. The second one comes at
 * the threshold, so each stall that is recorded has two samples.
 */
static inline __u64 tio_sample_times_soft_first(__u64 threshold_ns)
{
	return threshold_ns / 2;
}

/*
 * The look at a hard stall after @number ones, in ns after its beginning. The first one
 * is an NMI, which a stall that is too short to be recorded is not worth.
 */
static inline __u64 tio_sample_times_hard_next(__u64 threshold_ns, unsigned int number)
{
	return number ? (threshold_ns + threshold_ns / 2) << (number - 1) : threshold_ns;
}

/*
 * The first look later than @passed_ns of those after @number ones, in ns after the
 * stall's beginning. Looks that nobody was awake for are left out.
 */
static inline __u64 tio_sample_times_hard_after(__u64 threshold_ns, unsigned int number,
						__u64 passed_ns)
{
	__u64 at_ns = tio_sample_times_hard_next(threshold_ns, number);

	while (at_ns <= passed_ns)
		at_ns = tio_sample_times_hard_next(threshold_ns, ++number);
	return at_ns;
}

/**
 * tio_sample_times_room() - make room for one more sample of a stall
 * @samples: room for TIO_SAMPLES, in the order of time
 * @n: how many there are
 *
 * If there are TIO_SAMPLES, one is dropped: neither the first nor the newest one, but of
 * the others the one whose neighbours are closest in time.
 *
 * Context: any.
 * Return: how many samples are left, which is where the new one belongs.
 */
static inline unsigned int tio_sample_times_room(struct tio_sample *samples, unsigned int n)
{
	__u64 least_ns = ~0ULL;
	unsigned int i, drop = 1;

	if (n < TIO_SAMPLES)
		return n;
	for (i = 1; i < TIO_SAMPLES - 1; i++) {
		__u64 ns = samples[i + 1].at_ns - samples[i - 1].at_ns;

		if (ns < least_ns) {
			least_ns = ns;
			drop = i;
		}
	}
	memmove(&samples[drop], &samples[drop + 1],
		(TIO_SAMPLES - 1 - drop) * sizeof(samples[0]));
	return TIO_SAMPLES - 1;
}

#endif /* _TIO_SAMPLE_TIMES_H */
