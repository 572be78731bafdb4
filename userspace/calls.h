/* SPDX-License-Identifier: GPL-2.0-only */
/* What the stacks of one stall have in common. */
#ifndef _IRQOFF_CALLS_H
#define _IRQOFF_CALLS_H

#include "model.h"
#include "symbols.h"

/* a frame that is none */
#define NO_FRAME	(-1)

/* stacks of a record: that of a sample, and those that it is compared with */
struct calls {
	const struct symbols *symbols;
	const struct entry *entry;
	const struct tio_sample *sample;	/* frames are counted in its stack, from inside */
	const struct tio_sample *others[TIO_SAMPLES];	/* of the same task and context */
	unsigned int nothers;
	int own;	/* the outermost frame of its own part: the rest was interrupted */
};

void calls_of(struct calls *calls, const struct symbols *symbols, const struct entry *entry,
	      const struct tio_sample *sample);
bool calls_silent(const struct calls *calls, const struct tio_sample *sample);
int calls_own_part(const struct calls *calls, const struct tio_sample *sample);
int calls_leaf(const struct calls *calls, int from);
int calls_shared(const struct calls *calls);
int calls_shared_with_end(const struct calls *calls);
int calls_dispatched(const struct calls *calls, bool *many);

#endif /* _IRQOFF_CALLS_H */
