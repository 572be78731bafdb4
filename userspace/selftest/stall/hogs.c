// SPDX-License-Identifier: GPL-2.0-only
/*
 * Softirqs that are left to ksoftirqd, which does not get the CPU. The task that has it is to
 * blame, whatever function it is met in. Nothing says whose section it was, if ksoftirqd was
 * awake before bottom halves were disabled.
 */
#include <linux/bottom_half.h>
#include <linux/irq_poll.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <uapi/linux/sched/types.h>

#include "compat/sched_policy.h"
#include "kinds.h"

static struct irq_poll waiter;
static bool over;

/* the softirq that waits */
static int hogged(struct irq_poll *iop, int budget)
{
	result.outer.to_ns = clock();
	WRITE_ONCE(over, true);
	irq_poll_complete(iop);
	return 0;
}

static void waiter_begin(void)
{
	WRITE_ONCE(over, false);
	irq_poll_enable(&waiter);
}

/* context: a task; waits for the softirq */
static void waiter_end(void)
{
	while (!READ_ONCE(over))
		schedule_timeout_uninterruptible(1);
	irq_poll_disable(&waiter);
}

static noinline void stall_hog(u64 length_ns)
{
	busy_work(&result.inner, length_ns);
	section_end("stall_hog");
}

/*
 * A softirq that a task raises is left to ksoftirqd, and this real-time thread keeps
 * ksoftirqd from running. It is not a tasklet: see SOFTIRQ_NOW_MASK in
 * kernel/softirq.c.
 */
void make_hog(const struct request *req)
{
	u64 from_ns;

	/* from here on other softirqs may be left to ksoftirqd too */
	from_ns = clock();
	sched_set_fifo(current);
	waiter_begin();
	irq_poll_sched(&waiter);
	stall_hog(req->length_ns);
	result.outer.from_ns = from_ns;
	sched_set_normal(current, 0);
	waiter_end();
}

static noinline void stall_preempt(u64 length_ns)
{
	preempt_disable();
	busy_work(&result.inner, length_ns);
	preempt_enable();
	section_end("stall_preempt");
}

/* a softirq that a task raises is left to ksoftirqd, which does not get this CPU */
void make_preempt(const struct request *req)
{
	waiter_begin();
	result.outer.from_ns = clock();
	preempt_disable();
	irq_poll_sched(&waiter);
	stall_preempt(req->length_ns);
	preempt_enable();
	waiter_end();
}

/* bottom halves are still disabled as preemption is enabled, so ksoftirqd gets no turn */
static noinline void stall_bhleft(u64 length_ns)
{
	local_bh_disable();
	preempt_enable();
	busy_work(&result.inner, length_ns);
	local_bh_enable();
	section_end("stall_bhleft");
}

/*
 * A section that begins while ksoftirqd is awake already. Before Linux 6.5, enabling
 * bottom halves leaves to ksoftirqd what waits then.
 */
void make_bhleft(const struct request *req)
{
	/* there the same context has to disable and to enable bottom halves */
	if (IS_ENABLED(CONFIG_PREEMPT_RT))
		return;
	waiter_begin();
	result.outer.from_ns = clock();
	preempt_disable();
	irq_poll_sched(&waiter);
	stall_bhleft(req->length_ns);
	waiter_end();
}

void hogs_init(void)
{
	irq_poll_init(&waiter, 1, hogged);
	irq_poll_disable(&waiter);
}
