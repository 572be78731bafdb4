/* SPDX-License-Identifier: GPL-2.0-only */
/* What interrupt handlers have taken of a CPU's time, and which of them. */
#ifndef _TIO_HANDLERS_H
#define _TIO_HANDLERS_H

#include <linux/types.h>

#include "record.h"

/* what a CPU remembers of them; times in cycles */
struct tio_handled {
	u64 note_from;		/* from here on one, or one interrupt's, are named */
	u64 exit;		/* when the last one returned */
	/* since the last beat */
	u64 cycles;
	u32 number;
	unsigned long major;	/* a handler, see tio_handled_add() */
	u64 major_cycles;
	struct tio_irq major_irq;
	/* the longest of late */
	u64 longest;
	u64 longest_exit;
	struct tio_irq longest_irq;
};

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
	handled->number = 0;
	handled->major_cycles = 0;
}

/**
 * tio_handled_add() - a handler returns
 * @handled: what is known so far
 * @handler: what it handles
 * @cycles: how long it took
 *
 * Each votes with its cycles for what it handles: a majority, in one pass and
 * without a list, by R. S. Boyer and J. S. Moore, "MJRTY: A Fast Majority Vote
 * Algorithm" (1981). What is ahead by half of all in the end has one without their
 * second pass.
 */
static inline void tio_handled_add(struct tio_handled *handled,
				   unsigned long handler, u64 cycles)
{
	handled->cycles += cycles;
	handled->number++;
	if (handler == handled->major) {
		handled->major_cycles += cycles;
	} else if (handled->major_cycles < cycles) {
		handled->major = handler;
		handled->major_cycles = cycles - handled->major_cycles;
	} else {
		handled->major_cycles -= cycles;
		return;
	}
	/* now, while it is sure to be there */
	if (unlikely(handled->major_cycles >= handled->note_from))
		tio_irq_describe(&handled->major_irq, handler);
}

#endif /* _TIO_HANDLERS_H */
