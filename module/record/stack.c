// SPDX-License-Identifier: GPL-2.0-only
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/string.h>

#include "arch/unwind.h"
#include "compat/stack_trace.h"
#include "core/record.h"
#include "record/stack.h"

/* frames of the tracer and of the interrupt's entry; 12 on x86_64 and 6.1 */
#define OWN_FRAMES	32

/* one more than are kept, to tell a stack of just that depth from a deeper one */
#define SCRATCH_FRAMES	(TIO_FRAMES + OWN_FRAMES + 1)

/* two: an NMI may come in while the other one is in use */
struct tio_scratch {
	unsigned long frames[2][SCRATCH_FRAMES];
};

/* allocated: what is defined per CPU comes out of 8 KiB that all modules share */
static struct tio_scratch __percpu *scratch;

/**
 * tio_stack_init() - allocate memory to work in
 *
 * Context: module init.
 * Return: 0 or -ENOMEM.
 */
int tio_stack_init(void)
{
	scratch = alloc_percpu(struct tio_scratch);
	return scratch ? 0 : -ENOMEM;
}

/**
 * tio_stack_exit() - free it
 *
 * Context: task, may sleep; no CPU is watched.
 */
void tio_stack_exit(void)
{
	free_percpu(scratch);
}

/**
 * tio_stack_is_own() - does an address lie in the tracer's own code?
 * @addr: a frame
 *
 * Context: any.
 * Return: whether it does.
 */
bool tio_stack_is_own(u64 addr)
{
	return within_module(addr, THIS_MODULE);
}

static unsigned int skip_own(const unsigned long *frames, unsigned int n)
{
	unsigned int i = 0;

	while (i < n && tio_stack_is_own(frames[i]))
		i++;
	return i;
}

/**
 * tio_stack_take() - take the kernel stack, from the interrupted function on
 * @frames: room for @most addresses, innermost first
 * @most: how many are kept, at most TIO_FRAMES
 * @nframes: set to how many there are
 * @regs: interrupted kernel registers; NULL for the stack that called the tracer
 *
 * Context: interrupts off, or an NMI.
 * Return: true when the stack went deeper than what is kept.
 */
bool tio_stack_take(u64 *frames, unsigned int most, u32 *nframes, struct pt_regs *regs)
{
	unsigned long *all = this_cpu_ptr(scratch)->frames[!!in_nmi()];
	unsigned int n, skip = 0, i;

	if (regs) {
		n = tio_unwind_regs(regs, all, SCRATCH_FRAMES);
	} else {
		n = stack_trace_save(all, SCRATCH_FRAMES, 0);
		skip = skip_own(all, n);
	}

	for (i = 0; i < most && skip + i < n; i++)
		frames[i] = all[skip + i];
	*nframes = i;
	return skip + i < n;
}

/**
 * tio_stack_push() - put a function that has just returned on a stack
 * @frames: addresses, innermost first, with room for TIO_FRAMES
 * @nframes: how many there are
 * @addr: where in that function
 *
 * Context: any.
 * Return: true when the outermost frame had to go.
 */
bool tio_stack_push(u64 *frames, u32 *nframes, u64 addr)
{
	bool full = *nframes == TIO_FRAMES;

	*nframes += !full;
	memmove(frames + 1, frames, (*nframes - 1) * sizeof(*frames));
	frames[0] = addr;
	return full;
}
