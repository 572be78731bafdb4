// SPDX-License-Identifier: GPL-2.0-only
/* Sections with interrupts off that one function begins, holds and ends. */
#include <linux/irqflags.h>
#include <linux/jiffies.h>
#include <linux/sched.h>
#include <linux/spinlock.h>

#include "kinds.h"

static __always_inline void irqoff(u64 length_ns)
{
	unsigned long flags;

	local_irq_save(flags);
	busy_work(&result.inner, length_ns);
	local_irq_restore(flags);
}

/* each of these exists twice, with different names */
static noinline void stall_irqoff(u64 length_ns)
{
	irqoff(length_ns);
	section_end("stall_irqoff");
}

static noinline void net_rx_action_like(u64 length_ns)
{
	irqoff(length_ns);
	section_end("net_rx_action_like");
}

void make_irqoff(const struct request *req)
{
	if (req->renamed)
		around(net_rx_action_like, req->length_ns);
	else
		around(stall_irqoff, req->length_ns);
}

void make_idle_wake(const struct request *req)
{
	schedule_timeout_uninterruptible(HZ / 10);
	make_irqoff(req);
}

static DEFINE_RAW_SPINLOCK(stall_lock);

static __always_inline void irqlock(u64 length_ns)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&stall_lock, flags);
	busy_work(&result.inner, length_ns);
	raw_spin_unlock_irqrestore(&stall_lock, flags);
}

static noinline void stall_irqlock(u64 length_ns)
{
	irqlock(length_ns);
	section_end("stall_irqlock");
}

static noinline void ksoftirqd_like(u64 length_ns)
{
	irqlock(length_ns);
	section_end("ksoftirqd_like");
}

void make_irqlock(const struct request *req)
{
	if (req->renamed)
		around(ksoftirqd_like, req->length_ns);
	else
		around(stall_irqlock, req->length_ns);
}

/* at several depths */
static noinline void stall_irqdeep(u64 length_ns)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&stall_lock, flags);
	busy_work(&result.inner, length_ns / 8);
	busy_parts(&result.inner, length_ns - length_ns / 8);
	raw_spin_unlock_irqrestore(&stall_lock, flags);
	section_end("stall_irqdeep");
}

void make_irqdeep(const struct request *req)
{
	around(stall_irqdeep, req->length_ns);
}
