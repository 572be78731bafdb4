/* SPDX-License-Identifier: GPL-2.0-only */
/* The stacks that a stall's time was spent in, as functions. */
#ifndef _IRQOFF_WAYS_H
#define _IRQOFF_WAYS_H

#include "names/stack_functions.h"

/*
 * A stack from the interrupt, softirq or system call inwards. Callers that were only
 * interrupted are left out.
 */
struct way {
	const char *names[2 * TIO_FRAMES];	/* from outside; as long-lived as the symbols */
	unsigned int count;
	__u64 ns;
};

typedef void way_call(const struct way *way, const struct entry *entry, void *context);

void ways_each(const struct symbols *symbols, const struct entry *entry, __u64 ns,
	       way_call *call, void *context);
void way_main(struct way *way, const struct symbols *symbols, const struct entry *entry,
	      __u64 ns);

#endif /* _IRQOFF_WAYS_H */
