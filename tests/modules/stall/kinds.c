// SPDX-License-Identifier: GPL-2.0-only
/*
 * The stalls themselves. A spinning section reads the clock within and around itself,
 * so its true length is known, however often it is interrupted.
 */
#include <linux/completion.h>
#include <linux/hrtimer.h>
#include <linux/interrupt.h>
#include <linux/irq_poll.h>
#include <linux/irq_work.h>
#include <linux/jiffies.h>
#include <linux/ktime.h>
#include <linux/sched.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/timer.h>
#include <uapi/linux/sched/types.h>

#include "kinds.h"

static bool finished;
static DECLARE_COMPLETION(handled);

struct result result;

/* each section exists twice, with different names; so does what handlers call */
static noinline void stall_irqoff(u64 length_ns)
{
	unsigned long flags;

	local_irq_save(flags);
	spin(&result.inner, length_ns);
	local_irq_restore(flags);
	section_end("stall_irqoff");
}

static noinline void net_rx_action_like(u64 length_ns)
{
	unsigned long flags;

	local_irq_save(flags);
	spin(&result.inner, length_ns);
	local_irq_restore(flags);
	section_end("net_rx_action_like");
}

static DEFINE_RAW_SPINLOCK(stall_lock);

static noinline void stall_irqlock(u64 length_ns)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&stall_lock, flags);
	spin(&result.inner, length_ns);
	raw_spin_unlock_irqrestore(&stall_lock, flags);
	section_end("stall_irqlock");
}

static noinline void ksoftirqd_like(u64 length_ns)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&stall_lock, flags);
	spin(&result.inner, length_ns);
	raw_spin_unlock_irqrestore(&stall_lock, flags);
	section_end("ksoftirqd_like");
}

/* what real sections spend their time in: functions that are everybody's, at any depth */
static noinline void stall_work(struct span *span, u64 length_ns)
{
	spin(span, length_ns);
	section_end("stall_work");
}

static noinline void stall_works(struct span *span, u64 length_ns)
{
	struct span rest;

	stall_work(span, length_ns / 4);
	stall_work(&rest, length_ns - length_ns / 4);
	span->to_ns = rest.to_ns;
	section_end("stall_works");
}

static noinline void stall_irqdeep(u64 length_ns)
{
	unsigned long flags;
	struct span rest;

	raw_spin_lock_irqsave(&stall_lock, flags);
	stall_work(&result.inner, length_ns / 8);
	stall_works(&rest, length_ns - length_ns / 8);
	result.inner.to_ns = rest.to_ns;
	raw_spin_unlock_irqrestore(&stall_lock, flags);
	section_end("stall_irqdeep");
}

/* its last act is a jump to what turns interrupts on: it is on no stack then */
static noinline void stall_irqjump(u64 length_ns)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&stall_lock, flags);
	spin(&result.inner, length_ns);
	raw_spin_unlock_irqrestore(&stall_lock, flags);
}

static DEFINE_SPINLOCK(stall_bh_lock);

static noinline void stall_bhdeep(u64 length_ns)
{
	struct span rest;

	spin_lock_bh(&stall_bh_lock);
	wait_begins();
	stall_work(&result.inner, length_ns / 8);
	stall_works(&rest, length_ns - length_ns / 8);
	result.inner.to_ns = rest.to_ns;
	spin_unlock_bh(&stall_bh_lock);
	section_end("stall_bhdeep");
}

static noinline void stall_bhoff(u64 length_ns)
{
	local_bh_disable();
	wait_begins();
	spin(&result.inner, length_ns);
	local_bh_enable();
	section_end("stall_bhoff");
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

static noinline void timer_softirq_like(u64 length_ns)
{
	local_bh_disable();
	wait_begins();
	spin(&result.inner, length_ns);
	local_bh_enable();
	section_end("timer_softirq_like");
}

static noinline void stall_handler(u64 length_ns)
{
	spin(&result.inner, length_ns);
	WRITE_ONCE(finished, true);
	section_end("stall_handler");
}

static noinline void idle_like(u64 length_ns)
{
	spin(&result.inner, length_ns);
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
static struct hrtimer hrtimer;
static struct timer_list timer;
static struct irq_poll irq_poll;

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

void make_irqoff(const struct request *req)
{
	result.outer.from_ns = clock();
	if (req->renamed)
		net_rx_action_like(req->length_ns);
	else
		stall_irqoff(req->length_ns);
	result.outer.to_ns = clock();
}

static void make_irqlock(const struct request *req)
{
	result.outer.from_ns = clock();
	if (req->renamed)
		ksoftirqd_like(req->length_ns);
	else
		stall_irqlock(req->length_ns);
	result.outer.to_ns = clock();
}

static void make_bhoff(const struct request *req)
{
	result.outer.from_ns = clock();
	if (req->renamed)
		timer_softirq_like(req->length_ns);
	else
		stall_bhoff(req->length_ns);
	result.outer.to_ns = clock();
}

static void make_irqdeep(const struct request *req)
{
	result.outer.from_ns = clock();
	stall_irqdeep(req->length_ns);
	result.outer.to_ns = clock();
}

static void make_irqjump(const struct request *req)
{
	result.outer.from_ns = clock();
	stall_irqjump(req->length_ns);
	result.outer.to_ns = clock();
}

static void make_bhdeep(const struct request *req)
{
	result.outer.from_ns = clock();
	stall_bhdeep(req->length_ns);
	result.outer.to_ns = clock();
}

static void make_indirect(const struct request *req)
{
	result.outer.from_ns = clock();
	stall_indirect(req->length_ns);
	result.outer.to_ns = clock();
}

static void make_irq_work(const struct request *req)
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
	struct span inner;

	local_irq_save(flags);
	irq_work_queue(&raise_work);
	spin(&inner, length_ns);
	local_irq_restore(flags);
	section_end("stall_irqipi");
	return inner;
}

/*
 * Keeps interrupts off while an IPI and the timer are pending. The IPI comes first
 * and raises a softirq. The softirq loop turns interrupts on for the timer, and must
 * not be blamed.
 */
static void make_irqipi(const struct request *req)
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

static void make_hrtimer(const struct request *req)
{
	u64 now_ns = clock();

	hrtimer_start(&hrtimer, ns_to_ktime(200 * NSEC_PER_USEC),
		      HRTIMER_MODE_REL_PINNED_HARD);
	wait_for_handler(now_ns);
	hrtimer_cancel(&hrtimer);
}

static void make_tasklet(const struct request *req)
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

static void make_timer(const struct request *req)
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

static void make_idle_timer(const struct request *req)
{
	timer.expires = jiffies + HZ / 10;
	add_timer_on(&timer, req->cpu);
	sleep_until_handled();
	timer_delete_sync(&timer);
}

static void make_idle_hrtimer(const struct request *req)
{
	hrtimer_start(&hrtimer, ns_to_ktime(100 * NSEC_PER_MSEC),
		      HRTIMER_MODE_REL_PINNED_HARD);
	sleep_until_handled();
	hrtimer_cancel(&hrtimer);
}

static void make_idle_wake(const struct request *req)
{
	schedule_timeout_uninterruptible(HZ / 10);
	make_irqoff(req);
}

static noinline void stall_nested_irqoff(u64 length_ns)
{
	unsigned long flags;

	result.nested_outer.from_ns = clock();
	local_irq_save(flags);
	spin(&result.nested_inner, length_ns);
	local_irq_restore(flags);
	result.nested_outer.to_ns = clock();
}

/* bottom halves are off; interrupts too, for the second of three parts */
static noinline void stall_nested(u64 length_ns)
{
	struct span rest;

	local_bh_disable();
	wait_begins();
	spin(&result.inner, length_ns / 2);
	stall_nested_irqoff(length_ns / 4);
	spin(&rest, length_ns / 4);
	result.inner.to_ns = rest.to_ns;
	local_bh_enable();
}

static void make_nested(const struct request *req)
{
	result.outer.from_ns = clock();
	stall_nested(req->length_ns);
	result.outer.to_ns = clock();
}

static int irq_poll_func(struct irq_poll *iop, int budget)
{
	result.outer.to_ns = clock();
	WRITE_ONCE(finished, true);
	irq_poll_complete(iop);
	return 0;
}

static noinline void stall_hog(u64 length_ns)
{
	spin(&result.inner, length_ns);
	section_end("stall_hog");
}

/*
 * A softirq that a task raises is left to ksoftirqd, and this real-time thread keeps
 * ksoftirqd from running. It is not a tasklet: see SOFTIRQ_NOW_MASK in
 * kernel/softirq.c.
 */
static void make_hog(const struct request *req)
{
	u64 from_ns;

	/* from here on other softirqs may be left to ksoftirqd too */
	from_ns = clock();
	sched_set_fifo(current);
	irq_poll_enable(&irq_poll);
	irq_poll_sched(&irq_poll);
	stall_hog(req->length_ns);
	result.outer.from_ns = from_ns;
	sched_set_normal(current, 0);
	while (!READ_ONCE(finished))
		schedule_timeout_uninterruptible(1);
	irq_poll_disable(&irq_poll);
}

static const struct kind kinds[] = {
	{ "irqoff", make_irqoff, "stall_irqoff", "net_rx_action_like" },
	{ "irqlock", make_irqlock, "stall_irqlock", "ksoftirqd_like" },
	{ "bhoff", make_bhoff, "stall_bhoff", "timer_softirq_like" },
	{ "irqdeep", make_irqdeep, "stall_irqdeep", NULL },
	{ "irqjump", make_irqjump, "stall_irqjump", NULL },
	{ "bhdeep", make_bhdeep, "stall_bhdeep", NULL },
	{ "indirect", make_indirect, "stall_indirect", NULL },
#ifdef CONFIG_X86
	{ "entering", make_entering, "stall_entering", NULL },
#endif
	{ "irqwork", make_irq_work, "irq_work_func", "irq_work_func" },
	{ "hrtimer", make_hrtimer, "hrtimer_func", "hrtimer_func" },
	{ "tasklet", make_tasklet, "tasklet_func", "tasklet_func" },
	{ "timer", make_timer, "timer_func", "timer_func" },
	{ "idletimer", make_idle_timer, "timer_func", "timer_func" },
	{ "idlehrtimer", make_idle_hrtimer, "hrtimer_func", "hrtimer_func" },
	{ "idlewake", make_idle_wake, "stall_irqoff", "net_rx_action_like" },
	{ "idlepoll", make_idle_poll, "stall_irqoff", "net_rx_action_like",
	  idle_poll_prepare },
	{ "irqipi", make_irqipi, "stall_irqipi", NULL },
	{ "nested", make_nested, "stall_nested", NULL },
	{ "hog", make_hog, "stall_hog", NULL },
	{ "storm", make_storm, "stall_storm", NULL },
	{ "netrx", make_netrx, "stall_netrx", NULL },
	{ "preempt", make_preempt, "stall_preempt", NULL },
	{ "convoy", make_convoy, "stall_lock_waiter", NULL },
	{ "ipiwait", make_ipi_wait, "stall_ipi_waiter", NULL },
	{ "bhheld", make_bhheld, "stall_bhheld", NULL },
	{ "servehog", make_servehog, "stall_servehog", NULL },
	{ "short", make_short, "stall_short", NULL },
};

/* kind_find() - the kind of that name, NULL if there is none */
const struct kind *kind_find(const char *name)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(kinds); i++)
		if (!strcmp(name, kinds[i].name))
			return &kinds[i];
	return NULL;
}

/* kind_make() - make that stall on this CPU, in this task */
void kind_make(const struct request *req)
{
	WRITE_ONCE(finished, false);
	reinit_completion(&handled);
	waits_forget();
	req->kind->make(req);
	waits_end();
}

void kinds_init(void)
{
	waits_init();
	hrtimer_setup(&hrtimer, hrtimer_func, CLOCK_MONOTONIC,
		      HRTIMER_MODE_REL_PINNED_HARD);
	timer_setup(&timer, timer_func, TIMER_PINNED);
	irq_poll_init(&irq_poll, 1, irq_poll_func);
	irq_poll_disable(&irq_poll);
}
