// SPDX-License-Identifier: GPL-2.0-only
/* Handlers and softirqs that run long. */
#include <linux/bottom_half.h>
#include <linux/completion.h>
#include <linux/hrtimer.h>
#include <linux/interrupt.h>
#include <linux/irq_work.h>
#include <linux/jiffies.h>
#include <linux/sched.h>

#include "compat/tasklet.h"
#include "compat/timer.h"
#include "kinds.h"

static bool finished;
static DECLARE_COMPLETION(handled);

static noinline void stall_handler(u64 length_ns)
{
	busy_work(&result.inner, length_ns);
	WRITE_ONCE(finished, true);
	section_end("stall_handler");
}

static noinline void idle_like(u64 length_ns)
{
	busy_work(&result.inner, length_ns);
	WRITE_ONCE(finished, true);
	section_end("idle_like");
}

static __always_inline void run_handler(void)
{
	if (result.req.renamed)
		idle_like(result.req.length_ns);
	else
		stall_handler(result.req.length_ns);
	complete(&handled);
}

static void irq_work_func(struct irq_work *work)
{
	run_handler();
	section_end("irq_work_func");
}

static enum hrtimer_restart hrtimer_func(struct hrtimer *timer)
{
	run_handler();
	section_end("hrtimer_func");
	return HRTIMER_NORESTART;
}

/* how often hrtimer_interrupt() tries before it puts all timers off (kernel/time/hrtimer.c) */
#define HANG_TRIES	3

static unsigned int hang_left;

/* is due again each time that it ends, so that the interrupt gives up; comes once more later */
static enum hrtimer_restart hang_func(struct hrtimer *timer)
{
	if (!hang_left) {
		complete(&handled);
		WRITE_ONCE(finished, true);
		return HRTIMER_NORESTART;
	}
	hang_left--;
	busy_work(&result.inner, result.req.length_ns / HANG_TRIES);
	hrtimer_set_expires(timer, ktime_get());
	result.outer.to_ns = clock();
	return HRTIMER_RESTART;
}

static void tasklet_func(struct tasklet_struct *tasklet)
{
	wait_begins();
	run_handler();
	section_end("tasklet_func");
}

static void timer_func(struct timer_list *timer)
{
	wait_begins();
	run_handler();
	section_end("timer_func");
}

static struct irq_work irq_work = IRQ_WORK_INIT_HARD(irq_work_func);
static DECLARE_TASKLET(tasklet, tasklet_func);
static struct hrtimer hrtimer, hang_timer;
static struct timer_list timer;

/* ends the outer reading once ksoftirqd, if it was woken, has had the CPU */
void outer_end(void)
{
	if (local_softirq_pending())
		schedule_timeout_uninterruptible(1);
	result.outer.to_ns = clock();
}

/* takes the outer reading of a handler that interrupts this thread after @now_ns */
static void wait_for_handler(u64 now_ns)
{
	do {
		result.outer.from_ns = now_ns;
		cond_resched();
		now_ns = clock();
	} while (!READ_ONCE(finished));
	outer_end();
}

void make_irq_work(const struct request *req)
{
	u64 now_ns = clock();

	irq_work_queue(&irq_work);
	wait_for_handler(now_ns);
	result.outer.from_ns = now_ns;
	irq_work_sync(&irq_work);
}

static void raise_func(struct irq_work *work)
{
	result.req.length_ns = 0;
	tasklet_schedule(&tasklet);
}

static struct irq_work raise_work = IRQ_WORK_INIT_HARD(raise_func);

static noinline struct span stall_irqipi(u64 length_ns)
{
	unsigned long flags;
	struct span inner = { 0 };

	local_irq_save(flags);
	irq_work_queue(&raise_work);
	busy_work(&inner, length_ns);
	local_irq_restore(flags);
	section_end("stall_irqipi");
	return inner;
}

/*
 * Keeps interrupts off while an IPI and the timer are pending. The IPI comes first
 * and raises a softirq. The softirq loop turns interrupts on for the timer, and must
 * not be blamed.
 */
void make_irqipi(const struct request *req)
{
	struct span inner;

	result.outer.from_ns = clock();
	inner = stall_irqipi(req->length_ns);
	result.outer.to_ns = clock();
	irq_work_sync(&raise_work);
	tasklet_kill(&tasklet);
	/* the softirq took its own reading, here or in a thread */
	result.inner = inner;
}

void make_hrtimer(const struct request *req)
{
	u64 now_ns = clock();

	hrtimer_start(&hrtimer, ns_to_ktime(200 * NSEC_PER_USEC),
		      HRTIMER_MODE_REL_PINNED_HARD);
	wait_for_handler(now_ns);
	hrtimer_cancel(&hrtimer);
}

void make_tasklet(const struct request *req)
{
	u64 now_ns;

	local_bh_disable();
	tasklet_schedule(&tasklet);
	now_ns = clock();
	local_bh_enable();
	wait_for_handler(now_ns);
	result.outer.from_ns = now_ns;
	tasklet_kill(&tasklet);
}

void make_timer(const struct request *req)
{
	u64 now_ns = clock();

	timer.expires = jiffies + 2;
	add_timer_on(&timer, req->cpu);
	wait_for_handler(now_ns);
	timer_delete_sync(&timer);
}

/* sleeps, so that the handler interrupts an idle CPU */
static void sleep_until_handled(void)
{
	wait_for_completion(&handled);
	result.outer.to_ns = clock();
	result.outer.from_ns = result.inner.from_ns;
}

void make_idle_timer(const struct request *req)
{
	timer.expires = jiffies + HZ / 10;
	add_timer_on(&timer, req->cpu);
	sleep_until_handled();
	timer_delete_sync(&timer);
}

void make_idle_hrtimer(const struct request *req)
{
	hrtimer_start(&hrtimer, ns_to_ktime(100 * NSEC_PER_MSEC),
		      HRTIMER_MODE_REL_PINNED_HARD);
	sleep_until_handled();
	/* the interrupt comes no sooner; CPUs in turn may let another one run before the handler */
	result.outer.from_ns = ktime_to_ns(hrtimer_get_expires(&hrtimer));
	hrtimer_cancel(&hrtimer);
}

/* until the timers that were put off are run, the CPU takes interrupts, or idles */
static void make_hang(bool idle)
{
	hang_left = HANG_TRIES;
	hrtimer_start(&hang_timer, ns_to_ktime(100 * NSEC_PER_MSEC),
		      HRTIMER_MODE_REL_PINNED_HARD);
	result.outer.from_ns = ktime_to_ns(hrtimer_get_expires(&hang_timer));
	if (idle)
		wait_for_completion(&handled);
	else
		while (!READ_ONCE(finished))
			cond_resched();
	hrtimer_cancel(&hang_timer);
}

void make_irq_hang(const struct request *req)
{
	make_hang(false);
}

void make_idle_hang(const struct request *req)
{
	make_hang(true);
}

void handlers_forget(void)
{
	WRITE_ONCE(finished, false);
	reinit_completion(&handled);
}

void handlers_init(void)
{
	hrtimer_setup(&hrtimer, hrtimer_func, CLOCK_MONOTONIC,
		      HRTIMER_MODE_REL_PINNED_HARD);
	hrtimer_setup(&hang_timer, hang_func, CLOCK_MONOTONIC,
		      HRTIMER_MODE_REL_PINNED_HARD);
	timer_setup(&timer, timer_func, TIMER_PINNED);
}
