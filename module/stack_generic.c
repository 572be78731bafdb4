// SPDX-License-Identifier: GPL-2.0-only
#include <linux/ptrace.h>
#include <linux/stacktrace.h>
#include <linux/string.h>

#include "stack.h"

/**
 * tio_stack_walk_regs() - the stack from interrupted registers on
 * @regs: kernel registers that this interrupt saved
 * @frames: addresses, innermost first
 * @max: how many fit
 *
 * stack_trace_save_regs() is not exported, but stack_trace_save() walks through
 * the interrupt's entry into the interrupted stack: what lies above the
 * interrupted instruction is ours and is dropped. Where it is not found, it is
 * all that is returned: no frame is better than the tracer's.
 *
 * Context: the interrupt, interrupts off.
 * Return: number of frames, at least 1.
 */
unsigned int tio_stack_walk_regs(struct pt_regs *regs, unsigned long *frames,
				 unsigned int max)
{
	unsigned int n = stack_trace_save(frames, max, 0);
	unsigned int i;

	for (i = 0; i < n; i++) {
		if (frames[i] == instruction_pointer(regs)) {
			memmove(frames, frames + i, (n - i) * sizeof(*frames));
			return n - i;
		}
	}
	frames[0] = instruction_pointer(regs);
	return 1;
}

/**
 * tio_stack_way_out() - go back from an interrupt's way out to what it interrupted
 * @regs: a copy of interrupted kernel registers
 *
 * Return: false, not known on this architecture.
 */
bool tio_stack_way_out(struct pt_regs *regs)
{
	return false;
}
