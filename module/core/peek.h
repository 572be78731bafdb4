/* SPDX-License-Identifier: GPL-2.0-only */
/* Reading what another CPU may be writing at this moment by plain stores. */
#ifndef _TIO_PEEK_H
#define _TIO_PEEK_H

#include <linux/compiler.h>

#include "core/histogram.h"

/* a field, of which the caller can use the old value as well as the new one */
#define tio_peek(field)	data_race(READ_ONCE(field))

/**
 * tio_peek_histogram() - copy a histogram
 * @hist: the histogram
 * @copy: filled in; one of the fields may be a step ahead of another
 *
 * Context: any.
 */
static inline void tio_peek_histogram(const struct tio_histogram *hist,
				      struct tio_histogram *copy)
{
	unsigned int i;

	for (i = 0; i < TIO_BUCKETS; i++)
		copy->buckets[i] = tio_peek(hist->buckets[i]);
	copy->count = tio_peek(hist->count);
	copy->sum_ns = tio_peek(hist->sum_ns);
	copy->max_ns = tio_peek(hist->max_ns);
}

#endif /* _TIO_PEEK_H */
