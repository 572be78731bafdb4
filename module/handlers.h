/* SPDX-License-Identifier: GPL-2.0-only */
/* What interrupt handlers have taken of a CPU's time, and which of them. */
#ifndef _TIO_HANDLERS_H
#define _TIO_HANDLERS_H

#include <linux/cache.h>
#include <linux/types.h>

#include "record.h"

/* a handler is an irqaction with this bit set, or the tio_probe that told of a vector */
#define TIO_HANDLER_ACTION	1UL

/* units of not_major: 256 cycles, of which 32 bits hold minutes at any rate */
#define TIO_HANDLED_SHIFT	8

/* what a CPU remembers of them; times in cycles */
struct tio_handled {
	/* what every interrupt touches, in one line */
	u64 look_from;		/* cycles from which the ends of all are looked at */
	u64 note_from;		/* and from which one, or one interrupt's, are noted */
	u64 exit;		/* when the last one returned */
	/* since the last beat */
	u64 cycles;
	u64 against;		/* see tio_handled_add() */
	u32 number;
	u32 not_major;		/* what cannot be major's, units, rounded up */
	unsigned long major;	/* a handler, maybe of most of it */

	struct tio_irq major_irq;
	/* the longest of late */
	u64 longest;
	u64 longest_exit;
	struct tio_irq longest_irq;
} ____cacheline_aligned_in_smp;

/* the same as it is told */
struct tio_handlers {
	u64 ns;
	u32 number;
	u64 longest_ns;		/* of one that was most of it; 0: none was */
	const struct tio_irq *irq; /* its, or what took most of it together; or NULL */
	u32 unseen;		/* those that no probe has seen */
	bool known;		/* the tracepoints are there */
	bool second;		/* one came in after the end, before the late beat's */
};

void tio_irq_describe(struct tio_irq *irq, unsigned long handler);
void tio_handled_note(struct tio_handled *handled, unsigned long handler,
		      u64 cycles);
void tio_handled_sum(const struct tio_handled *handled, u64 max_ns,
		     struct tio_handlers *sum);

/* Context: as all of these, interrupts off on the CPU that it is about. */
static __always_inline void tio_handled_forget(struct tio_handled *handled)
{
	handled->cycles = 0;
	handled->against = 0;
	/* one store */
	handled->number = 0;
	handled->not_major = 0;
}

/**
 * tio_handled_add() - a handler returns
 * @handled: what is known so far
 * @handler: what it handles
 * @cycles: how long it took
 *
 * Each votes with its cycles for what it handles: a majority, in one pass and
 * without a list, by R. S. Boyer and J. S. Moore, "MJRTY: A Fast Majority Vote
 * Algorithm" (1981). Their counter is cycles - against here, so that one more vote
 * for the same costs nothing. In place of their second pass stands what the winner
 * had since it became the candidate, at least: cycles less not_major.
 */
static __always_inline void tio_handled_add(struct tio_handled *handled,
					    unsigned long handler, u64 cycles)
{
	u64 before = handled->cycles;

	handled->cycles += cycles;
	handled->number++;
	if (handler == handled->major)
		return;
	if (before - handled->against >= cycles) {
		handled->against += 2 * cycles;
		handled->not_major += (cycles >> TIO_HANDLED_SHIFT) + 1;
	} else {
		handled->major = handler;
		handled->against = 2 * before - handled->against;
		handled->not_major = (before >> TIO_HANDLED_SHIFT) + 1;
	}
}

#endif /* _TIO_HANDLERS_H */
