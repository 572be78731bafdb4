/* SPDX-License-Identifier: GPL-2.0-only */
/* The stacks that a stall's time was spent in, as functions. */
#ifndef _IRQOFF_STACK_WEIGHTS_H
#define _IRQOFF_STACK_WEIGHTS_H

#include "names/stack_functions.h"

/*
 * A stack from the interrupt, softirq or system call inwards. Callers that were only
 * interrupted are left out.
 */
struct stack_weight {
	const char *names[2 * TIO_FRAMES];	/* from outside; as long-lived as the symbols */
	unsigned int count;
	__u64 ns;
};

typedef void stack_weight_call(const struct stack_weight *way, const struct entry *entry,
			       void *context);

void stack_weights_each(const struct symbols *symbols, struct entry *entry, __u64 ns,
			stack_weight_call *call, void *context);
void stack_weight_main(struct stack_weight *way, const struct symbols *symbols,
		       struct entry *entry, __u64 ns);

#endif /* _IRQOFF_STACK_WEIGHTS_H */
