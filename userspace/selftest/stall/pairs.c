// SPDX-License-Identifier: GPL-2.0-only
/*
 * Stalls of two CPUs: the requested CPU waits for another one that has turned its
 * interrupts off.
 */
#include <linux/err.h>
#include <linux/kthread.h>
#include <linux/sched/task.h>
#include <linux/smp.h>
#include <linux/spinlock.h>

#include "kinds.h"

/*
 * A task on the waiter's CPU may itself be spinning for an IPI's answer from the
 * holder's CPU. Then the waiter never runs, the holder gives up after this time, and
 * both try again.
 */
#define LATE_NS		(100 * NSEC_PER_MSEC)
#define TRIES		5

static DEFINE_RAW_SPINLOCK(held);
static bool holds, waits, late;

static noinline int stall_holder(void *unused)
{
	unsigned long flags;
	struct span span = { 0 };
	u64 from_ns;

	raw_spin_lock_irqsave(&held, flags);
	WRITE_ONCE(holds, true);
	/* the length counts from the moment at which the waiter waits */
	from_ns = clock();
	while (!READ_ONCE(waits) && clock() - from_ns < LATE_NS)
		cpu_relax();
	late = !READ_ONCE(waits);
	if (!late)
		busy_work(&span, result.req.length_ns);
	raw_spin_unlock_irqrestore(&held, flags);
	section_end("stall_holder");
	return 0;
}

/* Return: the task, or an error pointer */
static struct task_struct *hold(unsigned int other)
{
	struct task_struct *holder;

	WRITE_ONCE(holds, false);
	WRITE_ONCE(waits, false);
	holder = kthread_create(stall_holder, NULL, "holder");
	if (IS_ERR(holder))
		return holder;
	get_task_struct(holder);
	kthread_bind(holder, other);
	wake_up_process(holder);
	/* does not sleep: the other CPU may be the one that updates jiffies */
	while (!READ_ONCE(holds))
		cond_resched();
	return holder;
}

static noinline void stall_lock_waiter(void)
{
	local_bh_disable();
	wait_begins();
	result.inner.from_ns = clock();
	WRITE_ONCE(waits, true);
	raw_spin_lock(&held);
	result.inner.to_ns = clock();
	raw_spin_unlock(&held);
	local_bh_enable();
	section_end("stall_lock_waiter");
}

static noinline void stall_ipi_waiter(unsigned int other)
{
	local_bh_disable();
	wait_begins();
	result.inner.from_ns = clock();
	WRITE_ONCE(waits, true);
	smp_call_function_single(other, nothing, NULL, true);
	result.inner.to_ns = clock();
	local_bh_enable();
	section_end("stall_ipi_waiter");
}

static void make_waiter(const struct request *req, bool ipi)
{
	struct task_struct *holder;
	int tries;

	if (req->other == req->cpu)
		return;
	for (tries = 0; tries < TRIES; tries++) {
		waits_forget();
		result.gap_ns = 0;
		holder = hold(req->other);
		if (IS_ERR(holder))
			return;
		result.outer.from_ns = clock();
		if (ipi)
			stall_ipi_waiter(req->other);
		else
			stall_lock_waiter();
		result.outer.to_ns = clock();
		kthread_stop(holder);
		put_task_struct(holder);
		if (!late)
			return;
		/* what is left of it is no stall: this CPU did not run in time */
		result.gap_ns = LATE_NS;
	}
}

/* waits for a lock */
void make_convoy(const struct request *req)
{
	make_waiter(req, false);
}

/* waits for an IPI's answer */
void make_ipi_wait(const struct request *req)
{
	make_waiter(req, true);
}
