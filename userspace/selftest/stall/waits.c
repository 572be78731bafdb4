// SPDX-License-Identifier: GPL-2.0-only
/*
 * On PREEMPT_RT a stall of softirqs is one only if a softirq waits. So each such
 * stall raises an irq_poll there, and lasts until that has run.
 */
#include <linux/completion.h>
#include <linux/err.h>
#include <linux/interrupt.h>
#include <linux/irq_poll.h>
#include <linux/kthread.h>
#include <linux/sched.h>
#include <linux/sched/task.h>

#include "compat/sched_policy.h"
#include "compat/tasklet.h"
#include "kinds.h"

static bool waits;
static u64 ran_ns;

/* not a tasklet: a tasklet that has begun may wait for another one to end */
static struct irq_poll waiter;

static int waiter_func(struct irq_poll *iop, int budget)
{
	irq_poll_complete(iop);
	WRITE_ONCE(ran_ns, clock());
	return 0;
}

/* wait_begins() - called in the section that the softirq waits for, softirqs off */
void wait_begins(void)
{
	if (!IS_ENABLED(CONFIG_PREEMPT_RT))
		return;
	waits = true;
	irq_poll_sched(&waiter);
}

void waits_forget(void)
{
	waits = false;
	ran_ns = 0;
}

/* the time between a softirq's start and its clock reading, which the tracer takes */
#define BEGIN_NS	(NSEC_PER_MSEC)

/*
 * waits_end() - lets the outer reading end no earlier than the wait, and the inner
 * one no later: without PREEMPT_RT_NEEDS_BH_LOCK another thread can run softirqs that
 * a task has disabled
 */
void waits_end(void)
{
	if (!waits)
		return;
	while (!READ_ONCE(ran_ns))
		schedule_timeout_uninterruptible(1);
	result.outer.to_ns = max(result.outer.to_ns, ran_ns);
	if (ran_ns < result.inner.to_ns)
		result.inner.to_ns = max(ran_ns - BEGIN_NS,
					 result.inner.from_ns);
}

void waits_init(void)
{
	irq_poll_init(&waiter, 1, waiter_func);
}

static DECLARE_COMPLETION(held);
static bool preempted;

/* keeps bottom halves disabled until it has been preempted for the requested time */
static int holder(void *unused)
{
	local_bh_disable();
	wait_begins();
	complete(&held);
	while (!READ_ONCE(preempted))
		cpu_relax();
	local_bh_enable();
	return 0;
}

static noinline void stall_bhheld(u64 length_ns)
{
	busy_work(&result.inner, length_ns);
	section_end("stall_bhheld");
}

/* a real-time task preempts a task that has bottom halves disabled */
void make_bhheld(const struct request *req)
{
	struct task_struct *task;

	if (!IS_ENABLED(CONFIG_PREEMPT_RT))
		return;
	reinit_completion(&held);
	WRITE_ONCE(preempted, false);
	task = kthread_create(holder, NULL, "holder");
	if (IS_ERR(task))
		return;
	get_task_struct(task);
	kthread_bind(task, req->cpu);
	/* others' softirqs may be left to ksoftirqd from here on */
	result.outer.from_ns = clock();
	sched_set_fifo(current);
	wake_up_process(task);
	/* does not use a timer: timers wait as well */
	wait_for_completion(&held);
	stall_bhheld(req->length_ns);
	WRITE_ONCE(preempted, true);
	sched_set_normal(current, 0);
	kthread_stop(task);
	put_task_struct(task);
}

/* keeps ksoftirqd in a softirq of another vector than the waiter's */
static void server_func(struct tasklet_struct *unused)
{
	complete(&held);
	while (!READ_ONCE(preempted))
		cpu_relax();
}

static DECLARE_TASKLET(server, server_func);

static noinline void stall_servehog(u64 length_ns)
{
	busy_work(&result.inner, length_ns);
	section_end("stall_servehog");
}

/* a real-time task preempts ksoftirqd, which is running a softirq */
void make_servehog(const struct request *req)
{
	u64 from_ns;

	if (!IS_ENABLED(CONFIG_PREEMPT_RT))
		return;
	reinit_completion(&held);
	WRITE_ONCE(preempted, false);
	/* others' softirqs may be left to ksoftirqd from here on */
	from_ns = clock();
	sched_set_fifo(current);
	tasklet_schedule(&server);
	wait_for_completion(&held);
	wait_begins();
	stall_servehog(req->length_ns);
	result.outer.from_ns = from_ns;
	WRITE_ONCE(preempted, true);
	sched_set_normal(current, 0);
}
