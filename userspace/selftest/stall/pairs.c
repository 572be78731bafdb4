// SPDX-License-Identifier: GPL-2.0-only
/*
 * Stalls of two CPUs: the requested CPU waits for another one. That has turned its
 * interrupts off, or holds a lock with interrupts on and has no stall of its own.
 */
#include <linux/err.h>
#include <linux/irqflags.h>
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
static DEFINE_RAW_SPINLOCK(wait_spinlock);
static DEFINE_RWLOCK(wait_rwlock);
static bool holds, waits, late;

/* what the holder does meanwhile: the length counts from the moment at which the waiter waits */
static __always_inline void hold_on(void)
{
	struct span span = { 0 };
	u64 from_ns;

	WRITE_ONCE(holds, true);
	from_ns = clock();
	while (!READ_ONCE(waits) && clock() - from_ns < LATE_NS)
		cpu_relax();
	late = !READ_ONCE(waits);
	if (!late)
		busy_work(&span, result.req.length_ns);
}

static noinline int stall_holder(void *unused)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&held, flags);
	hold_on();
	raw_spin_unlock_irqrestore(&held, flags);
	section_end("stall_holder");
	return 0;
}

static int hold_spinlock(void *unused)
{
	raw_spin_lock(&wait_spinlock);
	hold_on();
	raw_spin_unlock(&wait_spinlock);
	return 0;
}

static int hold_reading(void *unused)
{
	read_lock(&wait_rwlock);
	hold_on();
	read_unlock(&wait_rwlock);
	return 0;
}

static int hold_writing(void *unused)
{
	write_lock(&wait_rwlock);
	hold_on();
	write_unlock(&wait_rwlock);
	return 0;
}

/* Return: the task, or an error pointer */
static struct task_struct *hold(int (*holder)(void *), unsigned int other)
{
	struct task_struct *task;

	WRITE_ONCE(holds, false);
	WRITE_ONCE(waits, false);
	task = kthread_create(holder, NULL, "holder");
	if (IS_ERR(task))
		return task;
	get_task_struct(task);
	kthread_bind(task, other);
	wake_up_process(task);
	/* does not sleep: the other CPU may be the one that updates jiffies */
	while (!READ_ONCE(holds))
		cond_resched();
	return task;
}

static __always_inline void wait_from_now(void)
{
	result.inner.from_ns = clock();
	WRITE_ONCE(waits, true);
}

/* The waiters are alike. Each is a function of its own, by which a record knows it. */
static noinline void stall_lock_waiter(unsigned int other)
{
	local_bh_disable();
	wait_begins();
	wait_from_now();
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
	wait_from_now();
	smp_call_function_single(other, nothing, NULL, true);
	result.inner.to_ns = clock();
	local_bh_enable();
	section_end("stall_ipi_waiter");
}

static noinline void stall_lockspin(unsigned int other)
{
	unsigned long flags;

	local_irq_save(flags);
	wait_from_now();
	raw_spin_lock(&wait_spinlock);
	result.inner.to_ns = clock();
	raw_spin_unlock(&wait_spinlock);
	local_irq_restore(flags);
	section_end("stall_lockspin");
}

static noinline void stall_lockread(unsigned int other)
{
	unsigned long flags;

	local_irq_save(flags);
	wait_from_now();
	read_lock(&wait_rwlock);
	result.inner.to_ns = clock();
	read_unlock(&wait_rwlock);
	local_irq_restore(flags);
	section_end("stall_lockread");
}

static noinline void stall_lockwrite(unsigned int other)
{
	unsigned long flags;

	local_irq_save(flags);
	wait_from_now();
	write_lock(&wait_rwlock);
	result.inner.to_ns = clock();
	write_unlock(&wait_rwlock);
	local_irq_restore(flags);
	section_end("stall_lockwrite");
}

static void make_waiter(const struct request *req, int (*holder)(void *),
			void (*wait)(unsigned int other))
{
	struct task_struct *task;
	int tries;

	if (req->other == req->cpu)
		return;
	for (tries = 0; tries < TRIES; tries++) {
		waits_forget();
		result.gap_ns = 0;
		task = hold(holder, req->other);
		if (IS_ERR(task))
			return;
		result.outer.from_ns = clock();
		wait(req->other);
		result.outer.to_ns = clock();
		kthread_stop(task);
		put_task_struct(task);
		if (!late)
			return;
		/* what is left of it is no stall: this CPU did not run in time */
		result.gap_ns = LATE_NS;
	}
}

/* waits for a lock */
void make_convoy(const struct request *req)
{
	make_waiter(req, stall_holder, stall_lock_waiter);
}

/* waits for an IPI's answer */
void make_ipi_wait(const struct request *req)
{
	make_waiter(req, stall_holder, stall_ipi_waiter);
}

void make_lockspin(const struct request *req)
{
	make_waiter(req, hold_spinlock, stall_lockspin);
}

/* on PREEMPT_RT who waits for a rwlock sleeps */
void make_lockread(const struct request *req)
{
	if (!IS_ENABLED(CONFIG_PREEMPT_RT))
		make_waiter(req, hold_writing, stall_lockread);
}

void make_lockwrite(const struct request *req)
{
	if (!IS_ENABLED(CONFIG_PREEMPT_RT))
		make_waiter(req, hold_reading, stall_lockwrite);
}
