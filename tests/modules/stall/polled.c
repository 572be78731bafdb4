// SPDX-License-Identifier: GPL-2.0-only
/*
 * A task that another CPU wakes while the idle loop looks by itself whether it is
 * to run: no interrupt tells the CPU. The few instructions between one sleep and
 * the next are held until that has happened.
 */
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/kprobes.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/workqueue.h>

#include "kinds.h"

/* longer than it takes the other CPU to wake a task, and no stall */
#define HELD_NS		(5 * NSEC_PER_MSEC)

static struct completion woken;
static unsigned int sleeper;
static bool wanted, held, polled;

/* in the idle loop, interrupts off, TIF_POLLING_NRFLAG set */
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

/* on the other CPU: interrupts the sleeper's sleep, then wakes the task */
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
 * idle_poll_prepare() - once: QEMU may take code that is patched while it runs for
 * what it was
 */
int idle_poll_prepare(void)
{
	int ret = registered ? 0 : register_kprobe(&probe);

	registered = !ret;
	return ret;
}

/* idle_poll_exit() - when no stall is made any more */
void idle_poll_exit(void)
{
	if (registered)
		unregister_kprobe(&probe);
}

void make_idle_poll(const struct request *req)
{
	unsigned int other = cpumask_any_but(cpu_online_mask, req->cpu);
	int tries;

	if (other >= nr_cpu_ids)
		return;
	sleeper = req->cpu;
	for (tries = 0; tries < 10; tries++) {
		WRITE_ONCE(polled, false);
		init_completion(&woken);
		schedule_work_on(other, &work);
		wait_for_completion(&woken);
		if (READ_ONCE(polled)) {
			make_irqoff(req);
			break;
		}
		flush_work(&work);
	}
	flush_work(&work);
}
