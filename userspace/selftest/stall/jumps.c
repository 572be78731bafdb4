// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sections whose holder leaves by a jump (a tail call), so that it has no frame any more as
 * the section ends. The caller's call and return address stay the same, and the call
 * instruction still names the holder. So do the samples, whose callee it is there. These
 * functions have no section_end(), which would keep the compiler from jumping.
 */
#include <linux/irqflags.h>
#include <linux/spinlock.h>

#include "kinds.h"

static DEFINE_RAW_SPINLOCK(jump_raw_lock);

/* jumps to what turns interrupts on */
static noinline void stall_irqjump(u64 length_ns)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&jump_raw_lock, flags);
	busy_work(&result.inner, length_ns);
	raw_spin_unlock_irqrestore(&jump_raw_lock, flags);
}

void make_irqjump(const struct request *req)
{
	around(stall_irqjump, req->length_ns);
}

static noinline void irqtail_ends(unsigned long flags)
{
	local_irq_restore(flags);
	section_end("irqtail_ends");
}

/* jumps to what ends the section */
static noinline void stall_irqtail(u64 length_ns)
{
	unsigned long flags;

	local_irq_save(flags);
	busy_work(&result.inner, length_ns);
	irqtail_ends(flags);
}

void make_irqtail(const struct request *req)
{
	around(stall_irqtail, req->length_ns);
}

/* takes the time and ends the section: the samples and the end share it */
static noinline void stall_irqhand(u64 length_ns, unsigned long flags)
{
	busy_work(&result.inner, length_ns);
	local_irq_restore(flags);
	section_end("stall_irqhand");
}

/* begins the section and jumps at once: no stack of the stall has it */
static noinline void irqhand_begins(u64 length_ns)
{
	unsigned long flags;

	local_irq_save(flags);
	stall_irqhand(length_ns, flags);
}

void make_irqhand(const struct request *req)
{
	around(irqhand_begins, req->length_ns);
}

static DEFINE_SPINLOCK(jump_lock);

static noinline void bhtail_ends(void)
	__releases(&jump_lock)
{
	spin_unlock_bh(&jump_lock);
	section_end("bhtail_ends");
}

/* jumps to what ends the section */
static noinline void stall_bhtail(u64 length_ns)
{
	spin_lock_bh(&jump_lock);
	wait_begins();
	busy_work(&result.inner, length_ns);
	bhtail_ends();
}

void make_bhtail(const struct request *req)
{
	around(stall_bhtail, req->length_ns);
}

/* jumps to what enables bottom halves */
static noinline void stall_bhjump(u64 length_ns)
{
	spin_lock_bh(&jump_lock);
	wait_begins();
	busy_work(&result.inner, length_ns);
	spin_unlock_bh(&jump_lock);
}

void make_bhjump(const struct request *req)
{
	around(stall_bhjump, req->length_ns);
}
