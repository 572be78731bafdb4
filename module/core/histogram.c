// SPDX-License-Identifier: GPL-2.0-only
#include "core/histogram.h"

/**
 * tio_histogram_bucket() - the bucket a length falls into
 * @ns: length in nanoseconds
 *
 * Context: any.
 * Return: floor(log2(@ns / 1000)), 0 for less than 2 us, at most
 * TIO_BUCKETS - 1.
 */
unsigned int tio_histogram_bucket(__u64 ns)
{
	unsigned int bucket = 0;
	__u64 bound_ns = 2000;

	while (bucket < TIO_BUCKETS - 1 && ns >= bound_ns) {
		bound_ns <<= 1;
		bucket++;
	}
	return bucket;
}

/**
 * tio_histogram_add() - count one length
 * @hist: histogram; the caller is its only writer
 * @ns: length in nanoseconds
 *
 * Readers on other CPUs may see one of the fields a step ahead of another.
 *
 * Context: any; the kernel calls it with interrupts off on the CPU of @hist.
 */
void tio_histogram_add(struct tio_histogram *hist, __u64 ns)
{
	hist->buckets[tio_histogram_bucket(ns)]++;
	hist->count++;
	hist->sum_ns += ns;
	if (ns > hist->max_ns)
		hist->max_ns = ns;
}

/**
 * tio_histogram_merge() - add one histogram to another
 * @sum: the one that grows
 * @add: the other one; nobody writes it meanwhile
 *
 * Context: any.
 */
void tio_histogram_merge(struct tio_histogram *sum, const struct tio_histogram *add)
{
	unsigned int i;

	for (i = 0; i < TIO_BUCKETS; i++)
		sum->buckets[i] += add->buckets[i];
	sum->count += add->count;
	sum->sum_ns += add->sum_ns;
	if (add->max_ns > sum->max_ns)
		sum->max_ns = add->max_ns;
}
