// SPDX-License-Identifier: GPL-2.0-only
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <asm/unwind.h>

#include "arch/call_text.h"
#include "arch/irq_text.h"
#include "arch/unwind.h"
#include "compat/nofault.h"
#include "core/kernel_text.h"

/* how many words a retpoline may have on the stack above its return address */
#define THUNK_WORDS	2

/* rbp may be a user's, or no pointer: what it points to may be a device's registers */
static bool bp_on_stack(const struct pt_regs *regs)
{
	return regs->bp - regs->sp < THREAD_SIZE;
}

/*
 * Without ORC, as on Ubuntu, the unwinder starts at rbp. Between an entry and the first
 * instructions of what it calls, that leads to no frame, and the unwinder logs a warning.
 * An entry's own frame has its lowest bit set (ENCODE_FRAME_POINTER).
 */
static bool has_frame(const struct pt_regs *regs)
{
	unsigned long back;

	if (!IS_ENABLED(CONFIG_UNWINDER_FRAME_POINTER) || regs->bp & 1)
		return true;
	return bp_on_stack(regs) &&
	       !copy_from_kernel_nofault(&back, (void *)(regs->bp + sizeof(back)),
					 sizeof(back)) &&
	       tio_in_kernel_text(back);
}

/* what a function without a frame may have pushed above its return address */
#define FRAMELESS_WORDS	4
/* how long such a function may be; copy_user_generic_unrolled() has 0.3 KiB */
#define FRAMELESS_BYTES	4096
/* a retpoline thunk calls over its own trap, of fewer bytes */
#define TRAP_BYTES	32

/*
 * Where the function begins that @ip is in, if the word at @slot is where it returns to: a
 * place behind a call of it. 0 otherwise. @back is set to that place.
 */
static unsigned long returns_to(unsigned long slot, unsigned long ip, unsigned long *back)
{
	unsigned long target;

	if (copy_from_kernel_nofault(back, (void *)slot, sizeof(*back)))
		return 0;
	target = tio_call_target(*back);
	return target && target <= ip && ip - target < FRAMELESS_BYTES &&
	       target - *back >= TRAP_BYTES ? target : 0;
}

/* has the function at @target, which @ip would be in, a frame by now? */
static bool pushed_frame(unsigned long target, unsigned long ip)
{
	static const u8 push_mov[] = { 0x55, 0x48, 0x89, 0xe5 };
	/* endbr64 and the call of __fentry__() may come first */
	u8 text[4 + 5 + sizeof(push_mov)], at;
	unsigned int i;

	if (copy_from_kernel_nofault(text, (void *)target, sizeof(text)) ||
	    copy_from_kernel_nofault(&at, (void *)ip, sizeof(at)))
		return false;
	/* ret, or a jump to its thunk: the frame is gone again */
	if (at == 0xc3 || at == 0xe9)
		return false;
	for (i = 0; i + sizeof(push_mov) <= sizeof(text); i++)
		if (!memcmp(text + i, push_mov, sizeof(push_mov)))
			return ip >= target + i + sizeof(push_mov);
	return false;
}

/*
 * Without ORC the unwinder leaves out the caller of a function that has no frame: one in
 * assembly, as memset(), or at its first instructions. Its return address is on top of the
 * stack then. rbp is still its caller's, and where that lies near as well, it begins before
 * this function. 0 where the function has a frame, or it is not found.
 */
static unsigned long frameless_return(const struct pt_regs *regs)
{
	unsigned long back, target, framed = 0;
	unsigned int i;

	if (!IS_ENABLED(CONFIG_UNWINDER_FRAME_POINTER))
		return 0;
	if (bp_on_stack(regs))
		framed = returns_to(regs->bp + sizeof(back), regs->ip, &back);
	for (i = 0; i < FRAMELESS_WORDS; i++) {
		target = returns_to(regs->sp + i * sizeof(back), regs->ip, &back);
		if (target > framed && !pushed_frame(target, regs->ip))
			return back;
	}
	return 0;
}

/*
 * The callers of the function that @regs is in, without it. @astray is set to whether
 * they may be wrong or too few.
 */
static unsigned int callers(struct pt_regs *regs, unsigned long *frames,
			    unsigned int max, bool *astray)
{
	struct unwind_state state;
	unsigned long addr;
	unsigned int n = 0;

	*astray = true;
	if (!has_frame(regs))
		return 0;
	for (unwind_start(&state, current, regs, NULL);
	     n < max && !unwind_done(&state); unwind_next_frame(&state)) {
		addr = unwind_get_return_address(&state);
		if (!addr)
			break;
		frames[n++] = addr;
	}
	*astray = !n || unwind_error(&state);
	return n;
}

/*
 * After error_entry() has returned, and before "movq %rax, %rsp" in
 * arch/x86/entry/entry_64.S, ORC still describes the stack from before the call. The
 * unwinder would take saved registers for an interrupt's frame, and log "stack going
 * in the wrong direction?". rax points to all registers. True where @regs is there;
 * @regs is replaced by those then.
 */
static bool entered(struct pt_regs *regs)
{
	static const u8 mov_rax_rsp[] = { 0x48, 0x89, 0xc4 };
	u8 code[sizeof(mov_rax_rsp)];
	struct pt_regs outer;

	if (copy_from_kernel_nofault(code, (void *)regs->ip, sizeof(code)) ||
	    memcmp(code, mov_rax_rsp, sizeof(code)))
		return false;
	if (copy_from_kernel_nofault(&outer, (void *)regs->ax, sizeof(outer)))
		return false;
	/* a kernel stack stays in use, and such a frame on it is aligned to 16 bytes */
	if (!user_mode(&outer) &&
	    (regs->ax != regs->sp || outer.sp - (regs->ax + sizeof(outer)) >= 16))
		return false;
	*regs = outer;
	return true;
}

/**
 * tio_unwind_regs() - the stack from interrupted registers on
 * @regs: kernel registers that this interrupt saved
 * @frames: addresses, innermost first
 * @max: how many fit, at least 2
 *
 * A retpoline thunk ends the unwinder's walk (UNWIND_HINT_EMPTY or _END_OF_STACK in
 * arch/x86/lib/retpoline.S), though it is called like any function. Just before its
 * ret the unwinder takes the function that it jumps to for a caller. The walk goes on
 * from the top of the stack then.
 *
 * Context: the interrupt, interrupts off.
 * Return: number of frames, at least 1.
 */
unsigned int tio_unwind_regs(struct pt_regs *regs, unsigned long *frames,
			     unsigned int max)
{
	struct pt_regs caller = *regs;
	unsigned long first;
	unsigned int n, m, i;
	bool astray;

	frames[0] = instruction_pointer(regs);
	if (entered(&caller)) {
		if (user_mode(&caller))
			return 1;
		frames[1] = instruction_pointer(&caller);
		return 2 + callers(&caller, frames + 2, max - 2, &astray);
	}
	frames[1] = frameless_return(regs);
	if (frames[1])
		return 2 + callers(regs, frames + 2, max - 2, &astray);
	n = callers(regs, frames + 1, max - 1, &astray);
	if (n > 1 || !astray)
		return n + 1;

	first = frames[1];
	for (i = 0; i < THUNK_WORDS; i++) {
		if (copy_from_kernel_nofault(&caller.ip, (void *)caller.sp,
					     sizeof(caller.ip)))
			break;
		caller.sp += sizeof(caller.ip);
		frames[1] = caller.ip;
		m = callers(&caller, frames + 2, max - 2, &astray);
		if (m && !astray)
			return m + 2;
	}
	frames[1] = first;
	return n + 1;
}

/* frames between an interrupt's way out and what it interrupted; 7 on 5.10 */
#define WAY_OUT_FRAMES	8

/**
 * tio_unwind_way_out() - go back from an interrupt's way out to what it interrupted
 * @regs: a copy of interrupted kernel registers; replaced
 *
 * Return: true when @regs was on the way out of an interrupt that had come in
 * right where interrupts were turned on; false, and nothing is replaced.
 *
 * Context: interrupts off.
 */
bool tio_unwind_way_out(struct pt_regs *regs)
{
	struct unwind_state state;
	struct pt_regs *entry, outer;
	unsigned int i = 0;
	bool partial;

	if (!has_frame(regs))
		return false;
	for (unwind_start(&state, current, regs, NULL);
	     i < WAY_OUT_FRAMES && !unwind_done(&state);
	     unwind_next_frame(&state), i++) {
		entry = unwind_get_entry_regs(&state, &partial);
		if (!entry)
			continue;
		if (partial || user_mode(entry))
			return false;
		outer = *entry;
		if (!tio_at_irq_enable(&outer))
			return false;
		*regs = outer;
		return true;
	}
	return false;
}
