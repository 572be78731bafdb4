// SPDX-License-Identifier: GPL-2.0-only
/*
 * Another CPU wakes a task while the idle loop polls need_resched(), so the idle CPU
 * gets no interrupt. A kprobe holds the idle loop between two sleeps until the task
 * has been woken.
 */
#include <linux/delay.h>
#include <linux/kprobes.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/workqueue.h>

#include "kinds.h"

/* longer than the other CPU needs to wake a task, too short for a stall */
#define HELD_NS		(5 * NSEC_PER_MSEC)

static struct completion woken;
static unsigned int sleeper;
static bool wanted, held, polled;

/* the task runs for so long before its stall: interrupts are on, and mostly none comes */
#define RUNS_NS		(2 * NSEC_PER_MSEC)

/* runs in the idle loop, interrupts off, TIF_POLLING_NRFLAG set */
static int hold_idle(struct kprobe *probe, struct pt_regs *regs)
{
	u64 from_ns = clock();

	if (!READ_ONCE(wanted) || raw_smp_processor_id() != sleeper)
		return 0;
	WRITE_ONCE(held, true);
	while (!need_resched() && clock() - from_ns < HELD_NS)
		cpu_relax();
	WRITE_ONCE(polled, need_resched());
	WRITE_ONCE(wanted, false);
	return 0;
}

/* runs on the other CPU: interrupts the sleeper's sleep, then wakes the task */
static void wake(struct work_struct *work)
{
	msleep(100);
	WRITE_ONCE(held, false);
	WRITE_ONCE(wanted, true);
	smp_call_function_single(sleeper, nothing, NULL, false);
	while (!READ_ONCE(held) && READ_ONCE(wanted))
		cpu_relax();
	complete(&woken);
}

static DECLARE_WORK(work, wake);

static struct kprobe probe = {
	.symbol_name = "arch_cpu_idle_enter",
	.pre_handler = hold_idle,
};

static bool registered;

/*
 * idle_poll_prepare() - registers the kprobe once and for all: QEMU may run the old
 * version of code that is patched while it runs
 */
int idle_poll_prepare(void)
{
	int ret = registered ? 0 : register_kprobe(&probe);

	registered = !ret;
	return ret;
}

/* idle_poll_exit() - called when no stall is made any more */
void idle_poll_exit(void)
{
	if (registered)
		unregister_kprobe(&probe);
}

void make_idle_poll(const struct request *req)
{
	struct span runs = { 0 };
	int tries;

	if (req->other == req->cpu)
		return;
	sleeper = req->cpu;
	for (tries = 0; tries < 10; tries++) {
		WRITE_ONCE(polled, false);
		init_completion(&woken);
		schedule_work_on(req->other, &work);
		wait_for_completion(&woken);
		if (READ_ONCE(polled)) {
			busy_work(&runs, RUNS_NS);
			make_irqoff(req);
			break;
		}
		flush_work(&work);
	}
	flush_work(&work);
}
