// SPDX-License-Identifier: GPL-2.0-only
/*
 * Stalls of all CPUs: they turn their interrupts off together, one holds a lock and the only
 * other one spins for it with interrupts off as well, or one holds a lock and all others
 * queue for it with bottom halves disabled.
 */
#include <linux/atomic.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/kthread.h>
#include <linux/sched/task.h>
#include <linux/smp.h>
#include <linux/spinlock.h>
#include <linux/string.h>

#include "kinds.h"

/* others that do not come after this time are not waited for */
#define LATE_NS		NSEC_PER_SEC

/* longer than a period: the spinner surely begins after the holder */
#define AHEAD_NS	(5 * NSEC_PER_MSEC)

static atomic_t missing;

static noinline void stall_irqall(struct span *span, u64 length_ns)
{
	unsigned long flags;
	u64 from_ns;

	local_irq_save(flags);
	atomic_dec(&missing);
	from_ns = clock();
	while (atomic_read(&missing) > 0 && clock() - from_ns < LATE_NS)
		cpu_relax();
	busy_work(span, length_ns);
	local_irq_restore(flags);
	section_end("stall_irqall");
}

static int other_cpu(void *unused)
{
	struct span span = { };

	stall_irqall(&span, result.req.length_ns);
	return 0;
}

static struct task_struct *start(int (*function)(void *), unsigned int cpu)
{
	struct task_struct *task = kthread_create(function, NULL, "together/%u", cpu);

	if (IS_ERR(task))
		return NULL;
	get_task_struct(task);
	kthread_bind(task, cpu);
	wake_up_process(task);
	return task;
}

static void end(struct task_struct *task)
{
	if (!task)
		return;
	kthread_stop(task);
	put_task_struct(task);
}

/* of the other CPUs */
static struct task_struct *tasks[NR_CPUS];

/* all CPUs turn interrupts off, one by one, and on again together */
void make_irq_all(const struct request *req)
{
	unsigned int cpu;

	atomic_set(&missing, num_online_cpus());
	for_each_online_cpu(cpu) {
		tasks[cpu] = cpu == req->cpu ? NULL : start(other_cpu, cpu);
		if (cpu != req->cpu && !tasks[cpu])
			atomic_dec(&missing);
	}
	result.outer.from_ns = clock();
	stall_irqall(&result.inner, req->length_ns);
	result.outer.to_ns = clock();
	for_each_online_cpu(cpu)
		end(tasks[cpu]);
}

static DEFINE_RAW_SPINLOCK(lock);
static bool holds;

/* the length counts from the moment at which the other CPU begins to spin, or nearly */
static noinline int stall_irqholder(void *unused)
{
	unsigned long flags;
	struct span span = { };

	raw_spin_lock_irqsave(&lock, flags);
	WRITE_ONCE(holds, true);
	busy_work(&span, AHEAD_NS + result.req.length_ns);
	raw_spin_unlock_irqrestore(&lock, flags);
	section_end("stall_irqholder");
	return 0;
}

static noinline void stall_irqspinner(void)
{
	unsigned long flags;

	local_irq_save(flags);
	result.inner.from_ns = clock();
	raw_spin_lock(&lock);
	result.inner.to_ns = clock();
	raw_spin_unlock_irqrestore(&lock, flags);
	section_end("stall_irqspinner");
}

/* this CPU spins for what another one holds, interrupts off on both */
void make_irq_pair(const struct request *req)
{
	struct task_struct *holder;
	u64 held_ns;

	if (req->other == req->cpu)
		return;
	WRITE_ONCE(holds, false);
	holder = start(stall_irqholder, req->other);
	if (!holder)
		return;
	while (!READ_ONCE(holds))
		cond_resched();
	held_ns = clock();
	while (clock() - held_ns < AHEAD_NS)
		cond_resched();
	result.outer.from_ns = clock();
	stall_irqspinner();
	result.outer.to_ns = clock();
	end(holder);
}

static noinline void stall_queue_waiter(struct span *inner)
{
	local_bh_disable();
	inner->from_ns = clock();
	raw_spin_lock(&lock);
	inner->to_ns = clock();
	raw_spin_unlock(&lock);
	local_bh_enable();
	section_end("stall_queue_waiter");
}

static struct span inners[NR_CPUS], outers[NR_CPUS];

/* has the CPU before the lock is held: a task there may be spinning for the holder's CPU */
static int queueing_cpu(void *unused)
{
	unsigned int cpu = get_cpu();

	atomic_dec(&missing);
	while (!READ_ONCE(holds))
		cpu_relax();
	outers[cpu].from_ns = clock();
	stall_queue_waiter(&inners[cpu]);
	outers[cpu].to_ns = clock();
	put_cpu();
	return 0;
}

static noinline void stall_queue_holder(u64 length_ns)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&lock, flags);
	WRITE_ONCE(holds, true);
	busy_work(&result.inner, length_ns);
	raw_spin_unlock_irqrestore(&lock, flags);
	section_end("stall_queue_holder");
}

/* all other CPUs wait in a queue for a lock that this one holds */
void make_queue(const struct request *req)
{
	u64 from_ns = clock();
	unsigned int cpu;

	memset(inners, 0, sizeof(inners));
	memset(outers, 0, sizeof(outers));
	WRITE_ONCE(holds, false);
	atomic_set(&missing, num_online_cpus() - 1);
	for_each_online_cpu(cpu) {
		tasks[cpu] = cpu == req->cpu ? NULL : start(queueing_cpu, cpu);
		if (cpu != req->cpu && !tasks[cpu])
			atomic_dec(&missing);
	}
	while (atomic_read(&missing) > 0 && clock() - from_ns < LATE_NS)
		cond_resched();
	around(stall_queue_holder, req->length_ns);
	for_each_online_cpu(cpu) {
		if (!tasks[cpu])
			continue;
		end(tasks[cpu]);
		result.waits_inner_ns += inners[cpu].to_ns - inners[cpu].from_ns;
		result.waits_outer_ns += outers[cpu].to_ns - outers[cpu].from_ns;
	}
}
