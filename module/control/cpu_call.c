// SPDX-License-Identifier: GPL-2.0-only
/*
 * A CPU is told by an IPI that is sent and not waited for. A CPU that takes no
 * interrupts answers when it does again. Whoever has to know asks whether it has
 * answered, asleep.
 */
#include <linux/cpu.h>
#include <linux/delay.h>
#include <linux/percpu.h>
#include <linux/timekeeping.h>

#include "compat/call_async.h"
#include "control/cpu_call.h"

/*
 * A CPU answers in microseconds, a virtual one that waits for its host in
 * milliseconds. One that needs longer is stuck for whoever would wait for it.
 */
#define ANSWER_NS	(50 * NSEC_PER_MSEC)

struct tio_call {
	call_single_data_t csd;
	atomic_t queued;	/* the call is on its way */
};

static DEFINE_PER_CPU(struct tio_call, tio_call);

static void (*take_up)(void);

static void called(void *info)
{
	struct tio_call *call = this_cpu_ptr(&tio_call);

	/*
	 * What is told from here on needs another call. A full barrier, which pairs with
	 * tio_cpu_call()'s: where that one finds the mark set, what it tells of is seen here.
	 */
	atomic_xchg(&call->queued, 0);
	take_up();
}

/**
 * tio_cpu_call() - have a CPU take up what is published
 * @cpu: any CPU; one that is offline is left alone
 *
 * Context: task or interrupt, interrupts on or off. Does not wait.
 */
void tio_cpu_call(unsigned int cpu)
{
	struct tio_call *call = per_cpu_ptr(&tio_call, cpu);

	/* nobody must find the mark for long where no call is on its way */
	preempt_disable();
	/* a call that is on its way will see what was published before this one */
	if (!atomic_xchg(&call->queued, 1) &&
	    (!cpu_online(cpu) || smp_call_function_single_async(cpu, &call->csd)))
		atomic_set(&call->queued, 0);
	preempt_enable();
}

/**
 * tio_cpu_call_silent() - was a CPU told, and has not answered yet?
 * @cpu: any CPU
 *
 * Context: any.
 * Return: true for a CPU that is online and takes no interrupts at this moment.
 */
bool tio_cpu_call_silent(unsigned int cpu)
{
	return cpu_online(cpu) && atomic_read(&per_cpu_ptr(&tio_call, cpu)->queued);
}

/* finds a CPU that has not answered yet */
static bool any_silent(unsigned int *silent)
{
	unsigned int cpu;

	for_each_online_cpu(cpu) {
		if (tio_cpu_call_silent(cpu)) {
			*silent = cpu;
			return true;
		}
	}
	return false;
}

/*
 * Sleeps until each CPU has answered, or the time is over. Without "tick: Detect and fix jiffies
 * update stall" (v5.17) jiffies and the timers that count them stand still while the CPU that
 * keeps the time is stuck. The clock and hrtimers go on.
 */
static bool all_answer(u64 end_ns, unsigned int *silent)
{
	while (any_silent(silent)) {
		if (ktime_get_ns() > end_ns)
			return false;
		usleep_range(USEC_PER_MSEC, 2 * USEC_PER_MSEC);
	}
	return true;
}

/**
 * tio_cpu_call_all() - do all CPUs take interrupts?
 * @silent: set to one that does not; otherwise left alone
 *
 * A CPU that has not answered an earlier call is not called again, and no other one
 * is called for its sake.
 *
 * Context: task; sleeps for ANSWER_NS at most, whatever the number of CPUs.
 * Return: true where each online CPU has answered.
 */
bool tio_cpu_call_all(unsigned int *silent)
{
	u64 end_ns = ktime_get_ns() + ANSWER_NS;
	unsigned int cpu;

	if (!all_answer(end_ns, silent))
		return false;
	for_each_online_cpu(cpu)
		tio_cpu_call(cpu);
	return all_answer(end_ns, silent);
}

/**
 * tio_cpu_call_exit() - wait until no call is on its way
 *
 * Context: task, sleeps until every CPU that was told has answered; nobody tells any
 * CPU from now on.
 */
void tio_cpu_call_exit(void)
{
	unsigned int cpu;

	/* an offline CPU has run its calls before it went (kernel/smp.c) */
	while (any_silent(&cpu))
		usleep_range(10 * USEC_PER_MSEC, 20 * USEC_PER_MSEC);
	/* the last of them may still be in called() */
	synchronize_rcu();
}

/**
 * tio_cpu_call_init() - be ready to tell
 * @calls: what each call runs, with interrupts off
 *
 * Context: module init.
 */
void tio_cpu_call_init(void (*calls)(void))
{
	unsigned int cpu;

	take_up = calls;
	for_each_possible_cpu(cpu)
		per_cpu_ptr(&tio_call, cpu)->csd.func = called;
}
