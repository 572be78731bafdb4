// SPDX-License-Identifier: GPL-2.0-only
/*
 * Stalls of a CPU that begins to idle, or idles. Most are made in probes of the tracepoints
 * that the tracer has probes on, too. One with a higher priority runs before the tracer's.
 */
#include <linux/delay.h>
#include <linux/irq_work.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/tracepoint.h>
#include <linux/workqueue.h>
#include <trace/events/power.h>
#include <trace/events/sched.h>

#include "compat/sched_switch.h"
#include "kinds.h"

#define BEFORE	(TRACEPOINT_DEFAULT_PRIO + 5)
#define BEHIND	(TRACEPOINT_DEFAULT_PRIO - 5)

/* where the next stall is made */
enum where { NOWHERE, SWITCH_BEFORE, SWITCH_BEHIND, LOOP, LOOP_IRQ, MADE };

static enum where wanted;
static unsigned int idler;

static void no_work(struct irq_work *work)
{
}

static struct irq_work pending = IRQ_WORK_INIT_HARD(no_work);

/* @irq: an interrupt comes at its end, whose handler wakes nobody */
static noinline void stall_idling(bool irq)
{
	unsigned long flags;

	/* they are off already, but behind a sleep, where that depends on the state */
	local_irq_save(flags);
	if (irq)
		irq_work_queue(&pending);
	result.outer.from_ns = clock();
	busy_work(&result.inner, result.req.length_ns);
	WRITE_ONCE(wanted, MADE);
	local_irq_restore(flags);
	section_end("stall_idling");
}

static bool is_here(enum where where)
{
	return READ_ONCE(wanted) == where && raw_smp_processor_id() == idler;
}

static void before_switch(void *data, SCHED_SWITCH_ARGS)
{
	if (is_here(SWITCH_BEFORE) && is_idle_task(next))
		stall_idling(false);
}

static void behind_switch(void *data, SCHED_SWITCH_ARGS)
{
	if (is_here(SWITCH_BEHIND) && is_idle_task(next))
		stall_idling(false);
}

static void behind_idle(void *data, unsigned int state, unsigned int cpu)
{
	/* it leaves a state, and idles on */
	if (state == (unsigned int)PWR_EVENT_EXIT) {
		if (!need_resched() && (is_here(LOOP) || is_here(LOOP_IRQ)))
			stall_idling(is_here(LOOP_IRQ));
		return;
	}
	/* what was held up has come, and the CPU goes to sleep */
	if (is_here(MADE)) {
		result.outer.to_ns = clock();
		WRITE_ONCE(wanted, NOWHERE);
	}
}

static struct {
	const char *name;
	void *probe;
	int prio;
	struct tracepoint *tp;
	bool attached;
} probes[] = {
	{ "sched_switch", before_switch, BEFORE },
	{ "sched_switch", behind_switch, BEHIND },
	{ "cpu_idle", behind_idle, BEHIND },
};

static void find(struct tracepoint *tp, void *unused)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(probes); i++)
		if (!strcmp(tp->name, probes[i].name))
			probes[i].tp = tp;
}

/* idling_prepare() - attaches the probes once and for all, as idle_poll_prepare() does */
int idling_prepare(void)
{
	unsigned int i;
	int ret;

	for_each_kernel_tracepoint(find, NULL);
	for (i = 0; i < ARRAY_SIZE(probes); i++) {
		if (probes[i].attached)
			continue;
		ret = probes[i].tp ? tracepoint_probe_register_prio(probes[i].tp, probes[i].probe,
								    NULL, probes[i].prio) : -ENOENT;
		if (ret)
			return ret;
		probes[i].attached = true;
	}
	return 0;
}

/* idling_exit() - called when no stall is made any more */
void idling_exit(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(probes); i++)
		if (probes[i].attached)
			tracepoint_probe_unregister(probes[i].tp, probes[i].probe, NULL);
	tracepoint_synchronize_unregister();
}

static void idle_at(const struct request *req, enum where where)
{
	idler = req->cpu;
	WRITE_ONCE(wanted, where);
	while (READ_ONCE(wanted) != NOWHERE)
		msleep(20);
}

void make_idle_before(const struct request *req)
{
	idle_at(req, SWITCH_BEFORE);
}

void make_idle_behind(const struct request *req)
{
	idle_at(req, SWITCH_BEHIND);
}

void make_idle_loop(const struct request *req)
{
	idle_at(req, LOOP);
}

void make_idle_irq(const struct request *req)
{
	idle_at(req, LOOP_IRQ);
	irq_work_sync(&pending);
}

static noinline void stall_idlecall(void *unused)
{
	unsigned long flags;

	local_irq_save(flags);
	result.outer.from_ns = clock();
	busy_work(&result.inner, result.req.length_ns);
	local_irq_restore(flags);
	section_end("stall_idlecall");
}

static DECLARE_COMPLETION(called);

static void call(struct work_struct *work)
{
	msleep(100);
	smp_call_function_single(idler, stall_idlecall, NULL, true);
	result.outer.to_ns = clock();
	complete(&called);
}

static DECLARE_WORK(work, call);

/* calls a function on this CPU from another one; where the idle task polls, it makes the call */
void make_idle_call(const struct request *req)
{
	if (req->other == req->cpu)
		return;
	idler = req->cpu;
	schedule_work_on(req->other, &work);
	wait_for_completion(&called);
	flush_work(&work);
}
