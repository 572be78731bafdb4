// SPDX-License-Identifier: GPL-2.0-only
/*
 * Locks that are taken and dropped more than once in a stall. An unlock ends a section only
 * if it turns interrupts or softirqs on: a longer section around it has the outer holder,
 * and short sections in a row are no stall.
 */
#include <linux/irqflags.h>
#include <linux/sched.h>
#include <linux/spinlock.h>

#include "kinds.h"

/* far shorter than any threshold that is used with these */
#define HOLD_NS		(300 * NSEC_PER_USEC)

/* one in HELD_IN parts of a stall follows the inner unlock */
#define HELD_IN		8

static DEFINE_RAW_SPINLOCK(inner_lock);
static DEFINE_SPINLOCK(inner_bh_lock);

static noinline void inner_irqlock(u64 length_ns)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&inner_lock, flags);
	busy_work(&result.inner, length_ns);
	raw_spin_unlock_irqrestore(&inner_lock, flags);
	section_end("inner_irqlock");
}

static noinline void stall_irqinner(u64 length_ns)
{
	unsigned long flags;

	local_irq_save(flags);
	inner_irqlock(length_ns - length_ns / HELD_IN);
	busy_work(&result.inner, length_ns / HELD_IN);
	local_irq_restore(flags);
	section_end("stall_irqinner");
}

void make_irqinner(const struct request *req)
{
	around(stall_irqinner, req->length_ns);
}

static noinline void inner_bhlock(u64 length_ns)
{
	spin_lock_bh(&inner_bh_lock);
	busy_work(&result.inner, length_ns);
	spin_unlock_bh(&inner_bh_lock);
	section_end("inner_bhlock");
}

static noinline void stall_bhinner(u64 length_ns)
{
	local_bh_disable();
	wait_begins();
	inner_bhlock(length_ns - length_ns / HELD_IN);
	busy_work(&result.inner, length_ns / HELD_IN);
	local_bh_enable();
	section_end("stall_bhinner");
}

void make_bhinner(const struct request *req)
{
	around(stall_bhinner, req->length_ns);
}

/* is this stall as long as was asked for? */
static bool lasted(u64 length_ns)
{
	return result.inner.to_ns - result.inner.from_ns >= length_ns;
}

/* drops the lock again and again, and keeps interrupts off */
static noinline void stall_irqrelock(u64 length_ns)
{
	unsigned long flags;

	local_irq_save(flags);
	do {
		raw_spin_lock(&inner_lock);
		busy_work(&result.inner, HOLD_NS);
		raw_spin_unlock(&inner_lock);
	} while (!lasted(length_ns));
	local_irq_restore(flags);
	section_end("stall_irqrelock");
}

void make_irqrelock(const struct request *req)
{
	around(stall_irqrelock, req->length_ns);
}

/* drops the lock again and again, and keeps bottom halves disabled */
static noinline void stall_bhrelock(u64 length_ns)
{
	local_bh_disable();
	wait_begins();
	do {
		spin_lock_bh(&inner_bh_lock);
		busy_work(&result.inner, HOLD_NS);
		spin_unlock_bh(&inner_bh_lock);
	} while (!lasted(length_ns));
	local_bh_enable();
	section_end("stall_bhrelock");
}

void make_bhrelock(const struct request *req)
{
	around(stall_bhrelock, req->length_ns);
}

/* no stall: interrupts come on in between */
static noinline void stall_irqloop(u64 length_ns)
{
	unsigned long flags;

	do {
		raw_spin_lock_irqsave(&inner_lock, flags);
		busy_work(&result.inner, HOLD_NS);
		raw_spin_unlock_irqrestore(&inner_lock, flags);
		cond_resched();
	} while (!lasted(length_ns));
	section_end("stall_irqloop");
}

void make_irqloop(const struct request *req)
{
	around(stall_irqloop, req->length_ns);
}

/* no stall: softirqs run in between */
static noinline void stall_bhloop(u64 length_ns)
{
	do {
		spin_lock_bh(&inner_bh_lock);
		busy_work(&result.inner, HOLD_NS);
		spin_unlock_bh(&inner_bh_lock);
		cond_resched();
	} while (!lasted(length_ns));
	section_end("stall_bhloop");
}

void make_bhloop(const struct request *req)
{
	around(stall_bhloop, req->length_ns);
}
