// SPDX-License-Identifier: GPL-2.0-only
/* Sections with bottom halves disabled that one function begins, holds and ends. */
#include <linux/bottom_half.h>
#include <linux/irqflags.h>
#include <linux/spinlock.h>
#include <linux/string.h>

#include "kinds.h"

static __always_inline void bhoff(u64 length_ns)
{
	local_bh_disable();
	wait_begins();
	busy_work(&result.inner, length_ns);
	local_bh_enable();
}

/* exists twice, with different names */
static noinline void stall_bhoff(u64 length_ns)
{
	bhoff(length_ns);
	section_end("stall_bhoff");
}

static noinline void timer_softirq_like(u64 length_ns)
{
	bhoff(length_ns);
	section_end("timer_softirq_like");
}

void make_bhoff(const struct request *req)
{
	if (req->renamed)
		around(timer_softirq_like, req->length_ns);
	else
		around(stall_bhoff, req->length_ns);
}

static DEFINE_SPINLOCK(stall_bh_lock);

/* at several depths */
static noinline void stall_bhdeep(u64 length_ns)
{
	spin_lock_bh(&stall_bh_lock);
	wait_begins();
	busy_work(&result.inner, length_ns / 8);
	busy_parts(&result.inner, length_ns - length_ns / 8);
	spin_unlock_bh(&stall_bh_lock);
	section_end("stall_bhdeep");
}

void make_bhdeep(const struct request *req)
{
	around(stall_bhdeep, req->length_ns);
}

static size_t (*indirectly)(const char *text) = strlen;

/* nearly always inside an indirect call, where unwinders go wrong */
static noinline void stall_indirect(u64 length_ns)
{
	unsigned int i;

	local_bh_disable();
	wait_begins();
	result.inner.from_ns = clock();
	do {
		for (i = 0; i < 1000; i++)
			READ_ONCE(indirectly)("");
		result.inner.to_ns = clock();
	} while (result.inner.to_ns - result.inner.from_ns < length_ns);
	local_bh_enable();
	section_end("stall_indirect");
}

void make_indirect(const struct request *req)
{
	around(stall_indirect, req->length_ns);
}

/* nearly always inside memcpy(), which is assembly and has no frame */
static noinline void stall_copying(u64 length_ns)
{
	static char from[16384], to[sizeof(from)];
	static size_t bytes = sizeof(from);

	local_bh_disable();
	wait_begins();
	result.inner.from_ns = clock();
	do {
		/* of a length that is not known here: gcc has code of its own for others */
		memcpy(to, from, READ_ONCE(bytes));
		barrier();
		result.inner.to_ns = clock();
	} while (result.inner.to_ns - result.inner.from_ns < length_ns);
	local_bh_enable();
	section_end("stall_copying");
}

void make_copying(const struct request *req)
{
	around(stall_copying, req->length_ns);
}

static noinline void stall_nested_irqoff(u64 length_ns)
{
	unsigned long flags;

	result.nested_outer.from_ns = clock();
	local_irq_save(flags);
	busy_work(&result.nested_inner, length_ns);
	local_irq_restore(flags);
	result.nested_outer.to_ns = clock();
}

/* bottom halves are off; interrupts too, for the third of four quarters */
static noinline void stall_nested(u64 length_ns)
{
	local_bh_disable();
	wait_begins();
	busy_work(&result.inner, length_ns / 2);
	stall_nested_irqoff(length_ns / 4);
	busy_work(&result.inner, length_ns / 4);
	local_bh_enable();
	section_end("stall_nested");
}

void make_nested(const struct request *req)
{
	around(stall_nested, req->length_ns);
}
