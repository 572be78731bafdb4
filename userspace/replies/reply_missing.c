// SPDX-License-Identifier: GPL-2.0-only
#include "replies/reply_missing.h"

/*
 * Packets are sent too late at times, never too early. So where the packets on both sides
 * do not agree on the usual time between packets, the earlier estimate holds.
 */
__u64 missing_estimate(const struct missing *row, __u64 seq, __u64 apart_ns)
{
	__u64 steps = row->last - row->first + 2, step = seq - row->first + 1;
	__u64 usual_ns = steps * apart_ns, span_ns, off_ns;
	__u64 left_ns = row->left_ns + step * apart_ns;
	__u64 right_ns = (steps - step) * apart_ns;

	right_ns = right_ns < row->right_ns ? row->right_ns - right_ns : 1;
	if (!row->left_ns)
		return right_ns;
	if (!row->right_ns)
		return left_ns;
	span_ns = row->right_ns > row->left_ns ? row->right_ns - row->left_ns : 0;
	off_ns = span_ns > usual_ns ? span_ns - usual_ns : usual_ns - span_ns;
	if (off_ns > apart_ns / 4 + usual_ns / 32)
		return left_ns < right_ns ? left_ns : right_ns;
	return row->left_ns + span_ns / steps * step + span_ns % steps * step / steps;
}

/* how far an estimate may be off: not beyond the neighbours, nor by more than is usual */
__u64 missing_unsure(const struct missing *row, __u64 sent_ns, __u64 apart_ns)
{
	__u64 left_ns = row->left_ns && row->left_ns < sent_ns ? sent_ns - row->left_ns : 0;
	__u64 right_ns = row->right_ns > sent_ns ? row->right_ns - sent_ns : 0;
	__u64 most_ns = left_ns > right_ns ? left_ns : right_ns;

	return most_ns < apart_ns ? most_ns : apart_ns;
}
