// SPDX-License-Identifier: GPL-2.0-only
#include <linux/ptrace.h>
#include <linux/stacktrace.h>
#include <linux/string.h>

#include "interrupts.h"
#include "stack.h"

/**
 * tio_stack_walk_regs() - the stack from interrupted registers on
 * @regs: kernel registers that this interrupt saved
 * @frames: addresses, innermost first
 * @max: how many fit
 *
 * stack_trace_save_regs() is not exported, but stack_trace_save() walks through
 * the interrupt's entry into the interrupted stack: what lies above the
 * interrupted instruction is ours and is dropped. Where it is not found, all that
 * is returned is it, and what the registers tell of its caller: no frame is better
 * than the tracer's.
 *
 * Context: the interrupt, interrupts off.
 * Return: number of frames, at least 1.
 */
unsigned int tio_stack_walk_regs(struct pt_regs *regs, unsigned long *frames,
				 unsigned int max)
{
	unsigned int n = stack_trace_save(frames, max, 0);
	unsigned int i = 0, at = 0;
	unsigned long caller;
	bool between;

	while (i < n && frames[i] != instruction_pointer(regs))
		i++;
	/* now of the callers */
	i = min(i + 1, n);
	between = tio_return_register(regs, i < n ? frames[i] : 0, &caller);

	if (!between)
		frames[at++] = instruction_pointer(regs);
	/* where there is room: in front of the callers is all that is ours */
	if (caller && (at < i || i == n))
		frames[at++] = caller;
	memmove(frames + at, frames + i, (n - i) * sizeof(*frames));
	return at + n - i;
}
