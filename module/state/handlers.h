/* SPDX-License-Identifier: GPL-2.0-only */
/* How much of a CPU's time interrupt handlers took, and which of them took most. */
#ifndef _TIO_HANDLERS_H
#define _TIO_HANDLERS_H

#include <linux/cache.h>
#include <linux/types.h>

#include "arch/clock.h"
#include "core/record.h"

/*
 * A handler is one word: a struct irqaction with this bit set, or else a struct
 * tio_vector, which stands for an interrupt of the CPU's own.
 */
#define TIO_HANDLER_ACTION	1UL

struct tio_vector {
	const char *tracepoint;	/* the one at its entry, such as "local_timer_entry" */
};

/* the unit of not_major is 256 cycles, so that 32 bits hold minutes at any clock rate */
#define TIO_HANDLED_SHIFT	8

/* what the handlers of a CPU took since its last beat; times in cycles */
struct tio_handled {
	/* every interrupt touches this cache line */
	u64 slow_from;		/* handler time that triggers the slow path at handler exit */
	u64 note_from;		/* time of one handler, or of one interrupt, that is noted */
	u64 exit;		/* when the last one returned */
	u64 cycles;
	u64 against;		/* see tio_handled_add() */
	u32 number;
	u32 not_major;		/* time that cannot be major's, rounded up */
	unsigned long major;	/* a handler that may have taken more than half */

	struct tio_irq major_irq;
	/* the longest one that was noted, since the last stall or not long ago */
	u64 longest;
	u64 longest_exit;
	struct tio_irq longest_irq;
} ____cacheline_aligned_in_smp;

/* the handlers of a stall that has ended */
struct tio_handlers {
	u64 ns;
	u32 number;
	u64 longest_ns;		/* of the one that took over half of it; 0: none did */
	const struct tio_irq *irq; /* its interrupt, or one that took over half; NULL: none */
	u32 untraced;		/* interrupts without a tracepoint */
	bool known;		/* the handlers' tracepoints are attached, and all returned */
	bool later_irq;		/* one came in after the end, before the late beat's */
};

void tio_irq_describe(struct tio_irq *irq, unsigned long handler);
void tio_handled_note(struct tio_handled *handled, unsigned long handler,
		      u64 cycles);
void tio_handled_sum(const struct tio_handled *handled, u64 max_ns,
		     struct tio_handlers *sum);

/* Context: interrupts off on the CPU of @handled, as for all functions of this file. */
static __always_inline void tio_handled_forget(struct tio_handled *handled)
{
	handled->cycles = 0;
	handled->against = 0;
	/* the compiler makes one store of these two */
	handled->number = 0;
	handled->not_major = 0;
}

/**
 * tio_handled_note_from() - set how long a handler must take to be noted
 * @handled: of this CPU
 * @ns: that long
 *
 * Context: interrupts off.
 */
static inline void tio_handled_note_from(struct tio_handled *handled, u64 ns)
{
	handled->note_from = tio_ns_to_cycles(ns);
	/* the one that leads may not have been noted, so the vote begins anew */
	tio_handled_forget(handled);
}

/**
 * tio_handled_add() - count a handler that returns
 * @handled: what is known so far
 * @handler: the handler
 * @cycles: how long it took
 *
 * Handlers vote with their cycles. This finds the majority in one pass and without
 * a list, by R. S. Boyer and J. S. Moore, "MJRTY: A Fast Majority Vote Algorithm"
 * (1981). Their counter is cycles - against here, so that another vote for the same
 * handler changes nothing else. Their second pass counts the winner's votes. A lower
 * bound takes its place: what came in since the winner became the candidate, which
 * is cycles less not_major.
 *
 * Context: interrupts off; each handler's exit.
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
