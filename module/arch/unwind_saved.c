// SPDX-License-Identifier: GPL-2.0-only
#include <linux/ptrace.h>
#include <linux/string.h>

#include "arch/unwind.h"
#include "compat/stack_trace.h"

/**
 * tio_unwind_regs() - the stack from interrupted registers on
 * @regs: kernel registers that this interrupt saved
 * @frames: addresses, innermost first
 * @max: how many fit
 *
 * stack_trace_save_regs() is not exported. stack_trace_save() walks through the
 * interrupt's entry into the interrupted stack, and the tracer's frames, above the
 * interrupted instruction, are dropped. Where that instruction is not found, only it
 * and the caller by the registers are returned: no frame is better than the tracer's.
 *
 * Context: the interrupt, interrupts off.
 * Return: number of frames, at least 1.
 */
unsigned int tio_unwind_regs(struct pt_regs *regs, unsigned long *frames,
			     unsigned int max)
{
	unsigned int n = stack_trace_save(frames, max, 0);
	unsigned int i = 0, at = 0;
	unsigned long caller;
	bool between;

	while (i < n && frames[i] != instruction_pointer(regs))
		i++;
	/* from here on i is the first caller */
	i = min(i + 1, n);
	between = tio_unwind_link(regs, i < n ? frames[i] : 0, &caller);

	if (!between)
		frames[at++] = instruction_pointer(regs);
	/* the tracer's frames in front of the callers leave room */
	if (caller && (at < i || i == n))
		frames[at++] = caller;
	memmove(frames + at, frames + i, (n - i) * sizeof(*frames));
	return at + n - i;
}
