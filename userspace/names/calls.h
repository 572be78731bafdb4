/* SPDX-License-Identifier: GPL-2.0-only */
/* What the stacks of one stall have in common. */
#ifndef _IRQOFF_CALLS_H
#define _IRQOFF_CALLS_H

#include "model/model.h"
#include "names/stack_functions.h"
#include "names/symbols.h"

/* a stack of a stall */
struct seen {
	const struct tio_sample *sample;
	struct trace trace;
	int own;	/* the outermost step of its own part: the rest was interrupted */
	int tracer;	/* the outermost step of the tracer's in that part; NO_FRAME: none */
};

/* stacks of a record: that of a sample, and those that it is compared with */
struct calls {
	const struct symbols *symbols;
	const struct entry *entry;
	struct seen sample;	/* steps are counted in its trace, from inside */
	struct seen others[TIO_SAMPLES];	/* of the same task and context */
	unsigned int nothers;
};

void calls_of(struct calls *calls, const struct symbols *symbols, const struct entry *entry,
	      const struct tio_sample *sample);
bool calls_silent(const struct seen *seen);
bool calls_of_tracer(const struct seen *seen);
int calls_leaf(const struct calls *calls, int from);
int calls_shared(const struct calls *calls);
int calls_most(const struct calls *calls);
int calls_shared_with_end(const struct calls *calls);
int calls_dispatched(const struct calls *calls, bool *many);

#endif /* _IRQOFF_CALLS_H */
