/* SPDX-License-Identifier: GPL-2.0-only */
/* Log2 histogram of stall lengths. Pure: one writer, no locking of its own. */
#ifndef _TIO_HISTOGRAM_H
#define _TIO_HISTOGRAM_H

#include <linux/types.h>

/* bucket i counts [2^i, 2^(i+1)) us; the last one everything from 2^27 us (134 s) */
#define TIO_BUCKETS	28

struct tio_histogram {
	__u64 buckets[TIO_BUCKETS];
	__u64 count;
	__u64 sum_ns;
	__u64 max_ns;
};

unsigned int tio_histogram_bucket(__u64 ns);
void tio_histogram_add(struct tio_histogram *hist, __u64 ns);
void tio_histogram_merge(struct tio_histogram *sum, const struct tio_histogram *add);

#endif /* _TIO_HISTOGRAM_H */
