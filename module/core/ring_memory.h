/* SPDX-License-Identifier: GPL-2.0-only */
/* How much memory rings may take, and how it is allocated. Pure. */
#ifndef _TIO_RING_MEMORY_H
#define _TIO_RING_MEMORY_H

#include <linux/gfp.h>
#include <linux/types.h>

/* all rings together: 512 CPUs at the default of 64 records take a fifth of it */
#define TIO_RINGS_BYTES_MAX	(512ULL << 20)

/* rings take at most one part in so many of the memory that programs could have */
#define TIO_RINGS_PART		4

#define TIO_RINGS_REMEDY	"name fewer cpus, or load with fewer ring_records"

/*
 * An allocation that fails is reported, and fails before the OOM killer is called. The
 * page tables of vmalloc() are allocated without this flag; they are a page for 512.
 * __GFP_RETRY_MAYFAIL would try harder, but vmalloc() of v6.19 and v7.0 warns of it.
 */
#define TIO_GFP		(GFP_KERNEL | __GFP_NORETRY | __GFP_NOWARN)

/**
 * tio_ring_memory_rule() - the rule that an allocation breaks
 * @wanted: bytes that it takes; 0 is always allowed
 * @held: bytes that rings have already
 * @available: bytes that are available besides
 *
 * What is held counts as available: the answer does not depend on how many steps the
 * same rings are allocated in.
 *
 * Context: any.
 * Return: a static sentence; NULL where it is allowed.
 */
static inline const char *tio_ring_memory_rule(u64 wanted, u64 held, u64 available)
{
	if (!wanted)
		return NULL;
	if (wanted > TIO_RINGS_BYTES_MAX || held > TIO_RINGS_BYTES_MAX - wanted)
		return "the records would take over 512 MiB; " TIO_RINGS_REMEDY;
	if (wanted + held > (available + held) / TIO_RINGS_PART)
		return "the records would take over 1/4 of the available memory; "
		       TIO_RINGS_REMEDY;
	return NULL;
}

#endif /* _TIO_RING_MEMORY_H */
