/* SPDX-License-Identifier: GPL-2.0-only */
/* "stacktrace: Provide helpers for common stack trace operations" (v5.2) */
#ifndef _TIO_COMPAT_STACK_TRACE_H
#define _TIO_COMPAT_STACK_TRACE_H

#include <linux/stacktrace.h>

#ifndef HAVE_STACK_TRACE_SAVE
#include <linux/limits.h>

static inline unsigned int stack_trace_save(unsigned long *store, unsigned int size,
					    unsigned int skipnr)
{
	struct stack_trace trace = {
		.entries = store,
		.max_entries = size,
		.skip = skipnr,
	};

	save_stack_trace(&trace);
	/* where a stack fits whole, an entry that is none follows its last one */
	if (trace.nr_entries && store[trace.nr_entries - 1] == ULONG_MAX)
		trace.nr_entries--;
	return trace.nr_entries;
}
#endif

#endif /* _TIO_COMPAT_STACK_TRACE_H */
