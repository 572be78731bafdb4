/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How long a CPU that runs takes for the cycles from one NMI of its counter to the next.
 * Pure: takes the time, reads no clock.
 */
#ifndef _TIO_NMI_PACE_H
#define _TIO_NMI_PACE_H

#include <linux/types.h>

/* how many times slower a CPU's clock may become than it was at its fastest */
#define TIO_NMI_SLOWEST		8

/* NMIs that are further apart say nothing: the CPU slept, or was in programs */
#define TIO_NMI_APART_NS	1000000000U

struct tio_nmi_pace {
	__u64 at_ns;		/* when the last NMI came; 0: none came yet */
	__u64 cycles;		/* what the counter had counted then */
	__u64 shortest_ns;	/* the least that a period took; 0: not known */
};

/**
 * tio_nmi_pace_add() - another NMI has come
 * @pace: what is known so far
 * @period: cycles between two NMIs, below 2^32
 * @cycles: what the counter has counted by now
 * @now_ns: now
 *
 * An NMI that is late is followed by one that is early. So time is related to the cycles
 * that were counted. Where these are few nothing is learned, and neither where they are
 * many: a counter that jumps must not make the CPU look fast.
 *
 * Context: the counter's NMI.
 */
static inline void tio_nmi_pace_add(struct tio_nmi_pace *pace, __u64 period, __u64 cycles,
				    __u64 now_ns)
{
	__u64 ns = now_ns - pace->at_ns, ran = cycles - pace->cycles;

	if (pace->at_ns && ns < TIO_NMI_APART_NS && ran >= period / 2 &&
	    ran <= 2 * period) {
		__u64 period_ns = ns * period / ran;

		if (!pace->shortest_ns || period_ns < pace->shortest_ns)
			pace->shortest_ns = period_ns;
	}
	pace->at_ns = now_ns;
	pace->cycles = cycles;
}

/**
 * tio_nmi_pace_grace() - how long an NMI may take to come to a CPU that runs
 * @pace: what is known so far
 *
 * Context: any.
 * Return: ns; the longest time there is while nothing is known.
 */
static inline __u64 tio_nmi_pace_grace(const struct tio_nmi_pace *pace)
{
	return pace->shortest_ns ? pace->shortest_ns * TIO_NMI_SLOWEST : ~0ULL;
}

#endif /* _TIO_NMI_PACE_H */
