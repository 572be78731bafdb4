// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sections that a compiler or an author has split: into a cold part, by inlining, or into
 * a function that begins them and another one that ends them. The holder is the innermost
 * function that all of the time, and the end, lie in.
 */
#include <linux/compiler.h>
#include <linux/irqflags.h>
#include <linux/spinlock.h>

#include "kinds.h"

/* moves the branch that it is called in into the caller's cold part */
static noinline __cold void rarely_called(void)
{
	section_end("rarely_called");
}

/* is busy in stall_irqcold.cold, and ends in stall_irqcold */
static noinline void stall_irqcold(u64 length_ns)
{
	unsigned long flags;

	local_irq_save(flags);
	if (unlikely(READ_ONCE(result.req.length_ns))) {
		rarely_called();
		busy_work(&result.inner, length_ns);
	}
	local_irq_restore(flags);
	section_end("stall_irqcold");
}

void make_irqcold(const struct request *req)
{
	around(stall_irqcold, req->length_ns);
}

static __always_inline unsigned long inline_begins(void)
{
	unsigned long flags;

	local_irq_save(flags);
	return flags;
}

static __always_inline void inline_busy(u64 length_ns)
{
	unsigned long flags = inline_begins();

	busy_work(&result.inner, length_ns);
	local_irq_restore(flags);
}

/* has no instruction of the section in its source */
static noinline void stall_irqinline(u64 length_ns)
{
	inline_busy(length_ns);
	section_end("stall_irqinline");
}

void make_irqinline(const struct request *req)
{
	around(stall_irqinline, req->length_ns);
}

/* returns with interrupts off */
static noinline unsigned long irqs_begin(u64 length_ns)
{
	unsigned long flags;

	local_irq_save(flags);
	if (length_ns)
		busy_work(&result.inner, length_ns);
	section_end("irqs_begin");
	return flags;
}

static noinline void irqs_end(unsigned long flags)
{
	local_irq_restore(flags);
	section_end("irqs_end");
}

/* one function begins it and takes the time, another one ends it */
static noinline void stall_irqopen(u64 length_ns)
{
	irqs_end(irqs_begin(length_ns));
	section_end("stall_irqopen");
}

void make_irqopen(const struct request *req)
{
	around(stall_irqopen, req->length_ns);
}

/* takes the time of a section that another function has begun, and ends it */
static noinline void stall_irqclose(unsigned long flags, u64 length_ns)
{
	busy_work(&result.inner, length_ns);
	local_irq_restore(flags);
	section_end("stall_irqclose");
}

static noinline void calls_irqclose(u64 length_ns)
{
	stall_irqclose(irqs_begin(0), length_ns);
	section_end("calls_irqclose");
}

void make_irqclose(const struct request *req)
{
	around(calls_irqclose, req->length_ns);
}

static DEFINE_SPINLOCK(split_lock);

/* returns with the lock */
static noinline void bh_begin(u64 length_ns)
	__acquires(&split_lock)
{
	spin_lock_bh(&split_lock);
	wait_begins();
	busy_work(&result.inner, length_ns);
	section_end("bh_begin");
}

static noinline void bh_end(void)
	__releases(&split_lock)
{
	spin_unlock_bh(&split_lock);
	section_end("bh_end");
}

static noinline void stall_bhopen(u64 length_ns)
{
	bh_begin(length_ns);
	bh_end();
	section_end("stall_bhopen");
}

void make_bhopen(const struct request *req)
{
	around(stall_bhopen, req->length_ns);
}
