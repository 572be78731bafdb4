/* SPDX-License-Identifier: GPL-2.0-only */
/* How many NMIs may be sent. Pure: takes the time, reads no clock. */
#ifndef _TIO_NMI_BUDGET_H
#define _TIO_NMI_BUDGET_H

#include <linux/types.h>

#define TIO_BUDGET_SECOND_NS	1000000000U

/**
 * tio_budget_take() - take one NMI from a budget
 * @full_ns: when the budget is full again; 0: it is
 * @now_ns: now
 * @rate: how many a second, and how many at once when it is full; not 0
 * @keep: how many must be left afterwards
 *
 * This is the generic cell rate algorithm in the form "virtual scheduling" (ITU-T
 * Recommendation I.371, "Traffic control and congestion control in B-ISDN", annex A):
 * a bucket of tokens whose whole state is one moment. In t seconds it grants at most
 * rate * (t + 1).
 *
 * Context: any.
 * Return: the new @full_ns; 0 where nothing is left.
 */
static inline __u64 tio_budget_take(__u64 full_ns, __u64 now_ns, __u32 rate,
				    __u32 keep)
{
	/* rounded up: never more than @rate a second */
	const __u64 one_ns = (TIO_BUDGET_SECOND_NS + rate - 1) / rate;
	const __u64 from_ns = full_ns > now_ns ? full_ns : now_ns;

	return from_ns + one_ns <= now_ns + (rate - keep) * one_ns ? from_ns + one_ns : 0;
}

#endif /* _TIO_NMI_BUDGET_H */
