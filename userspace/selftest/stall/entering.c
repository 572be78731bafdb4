// SPDX-License-Identifier: GPL-2.0-only
/*
 * Imitates, for long, what an NMI meets between error_entry()'s return and the following
 * switch of stacks (arch/x86/entry/entry_64.S): registers are saved where rax and the stack
 * pointer say, and no unwinder knows of them.
 */
#include <linux/bottom_half.h>
#include <linux/linkage.h>

#include "compat/objtool.h"
#include "kinds.h"

/* kernels before "x86: Prepare asm files for straight-line-speculation" (v5.17) lack it */
#ifndef ASM_RET
#define ASM_RET	"ret\n\t"
#endif

/*
 * Loops that often; most of the time its symbol is stall_entering. r14 and rbp lie
 * where ORC expects an interrupt's frame.
 */
asmlinkage void enter(unsigned long times);

asm(".pushsection .text\n"
	".type enter, @function\n"
	"enter:\n\t"
	"movq	(%rsp), %rsi\n\t"
	"leaq	8(%rsp), %rdx\n\t"
	"pushq	$0x18\n\t"
	"pushq	%rdx\n\t"
	"pushfq\n\t"
	"pushq	$0x10\n\t"
	"pushq	%rsi\n\t"
	"pushq	$-1\n\t"
	"subq	$120, %rsp\n\t"
	"movq	%rbp, 32(%rsp)\n\t"
	"movq	%rsi, 8(%rsp)\n\t"
	"movq	%rsp, %rax\n"
	"stall_entering:\n\t"
	".byte	0x48, 0x89, 0xc4\n\t"
	"decq	%rdi\n\t"
	"jnz	stall_entering\n\t"
	"addq	$168, %rsp\n\t"
	ASM_RET
	".size enter, . - enter\n"
	".popsection\n");
STACK_FRAME_NON_STANDARD(enter);

static noinline void calls_enter(u64 length_ns)
{
	local_bh_disable();
	wait_begins();
	result.inner.from_ns = clock();
	do {
		enter(10000);
		result.inner.to_ns = clock();
	} while (result.inner.to_ns - result.inner.from_ns < length_ns);
	local_bh_enable();
	section_end("calls_enter");
}

void make_entering(const struct request *req)
{
	result.outer.from_ns = clock();
	calls_enter(req->length_ns);
	result.outer.to_ns = clock();
}
