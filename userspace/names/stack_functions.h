/* SPDX-License-Identifier: GPL-2.0-only */
/* A stack as functions, with those that have no frame because they left by a jump. */
#ifndef _IRQOFF_STACK_FUNCTIONS_H
#define _IRQOFF_STACK_FUNCTIONS_H

#include "model/model.h"
#include "names/symbols.h"

/* a frame that is none */
#define NO_FRAME	(-1)

/* a function by its name in the source, once for all frames in it */
struct function {
	const char *name;
	const char *module;	/* "": the kernel itself */
	const char *text;	/* as of a culprit: "name [module]" */
	bool unnamed;		/* gone; equal ones need not be the same function */
	bool bpf;		/* a program that may have come later */
	bool core;		/* of the kernel image */
	bool tracer;		/* the tracer's own */
	bool entry;		/* an interrupt or an exception came in by it */
	/* what it does for others, where it is of the kernel image (roles.h) */
	bool spinning;
	bool helper;
	bool plumbing;
	bool softirq_loop;
	bool irq_entry;
	bool dispatcher;
	bool calls_in_section;
	bool everybodys;
	bool unlock;
	bool kthread;		/* a thread of the kernel begins in it */
	bool calls_handler;
	enum wait wait;
	enum trace_irqoff_lock rwlock;	/* how it wants or releases one; none: it does neither */
};

/* a function in a stack */
struct step {
	const struct function *function;
	__u64 addr;		/* what its frame holds; without one: where it begins */
	int frame;		/* NO_FRAME: it left by a jump */
};

struct trace {
	int nsteps;
	int irq_entry;		/* the first step that is one; behind the last where none is */
	int softirq_loop;	/* likewise */
	bool tracer;		/* some step is the tracer's */
	struct step steps[2 * TIO_FRAMES];	/* from inside */
};

const struct function *trace_frame(const struct symbols *symbols, const struct entry *entry,
				   const struct tio_sample *sample, unsigned int frame, bool *gone);
void trace_of(struct trace *trace, const struct symbols *symbols, const struct entry *entry,
	      const struct tio_sample *sample);
bool trace_has(const struct trace *trace, int from, int to, const struct function *function);

/* passed over: it only does something for its caller */
static inline bool function_serves(const struct function *function)
{
	return function->helper || function->plumbing;
}

static inline bool function_same(const struct function *a, const struct function *b)
{
	return a == b && !a->unnamed;
}

#endif /* _IRQOFF_STACK_FUNCTIONS_H */
