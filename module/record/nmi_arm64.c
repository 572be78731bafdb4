// SPDX-License-Identifier: GPL-2.0-only
/*
 * No module can send an NMI on arm64. But where pseudo-NMIs are in force, the interrupt of
 * the performance counters is one. So each watched CPU has a counter of its own cycles,
 * and looks at each of its NMIs whether a sample has been requested. Programs count none,
 * and a CPU that sleeps has none: it is not woken.
 *
 * Somebody has to ask for it (nmi=counter): the counters are the kernel's to share, with its
 * hard lockup detector too, which was seen to report CPUs wrongly beside them in QEMU.
 */
#include <linux/cpu.h>
#include <linux/hardirq.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/printk.h>
#include <linux/timekeeping.h>
#include <linux/workqueue.h>
#include <asm/cpufeature.h>

#include "core/nmi_pace.h"
#include "record/nmi.h"
#include "state/cpu.h"
#include "state/published.h"

/* cycles from one NMI to the next: 5 ms at 1 GHz, 1 ms at 5 GHz */
#define PERIOD		5000000

/* what a counter was seen to bring */
enum brings {
	NOTHING_YET,
	NMIS,
	INTERRUPTS,		/* of no use, and not tried again */
};

struct counter {
	/* it creates and releases the event; so does tio_nmi_exit() at the end */
	struct work_struct work;
	struct perf_event *event;	/* NULL: there is none */
	unsigned int cpu;
	bool stale;		/* the CPU has been offline, and the event counts no more */
	enum brings brings;
	struct tio_nmi_pace pace;	/* written in NMIs while there is an event */
};

static DEFINE_PER_CPU(struct counter, counters);

/* has any counter brought an NMI? */
static bool seen;

/* has nmi=counter been set since the module was loaded? */
static bool asked;

/* true before init and from exit on: no counter is created */
static bool closed = true;

static const struct tio_nmi_calls *calls;

/**
 * tio_nmi_able() - can an NMI come to any CPU now, and may it?
 *
 * Context: any.
 * Return: true when it can.
 */
bool tio_nmi_able(void)
{
	return READ_ONCE(seen) && !READ_ONCE(oops_in_progress) &&
	       tio_published_knob(TIO_KNOB_NMI) == TRACE_IRQOFF_NMI_COUNTER;
}

/**
 * tio_nmi_reaches() - do NMIs come to a CPU?
 * @cpu: a CPU
 *
 * Context: any.
 * Return: true when its counter has brought one.
 */
bool tio_nmi_reaches(unsigned int cpu)
{
	return READ_ONCE(per_cpu(counters.brings, cpu)) == NMIS;
}

/**
 * tio_nmi_send() - nothing to do: the CPU's counter brings an NMI soon
 * @cpu: an online CPU
 *
 * Context: interrupts off.
 */
void tio_nmi_send(unsigned int cpu)
{
}

/**
 * tio_nmi_ours() - is this a handler of this file?
 * @handler: a handler of NMIs
 *
 * Context: any.
 * Return: false: counters have none of their own.
 */
bool tio_nmi_ours(const void *handler)
{
	return false;
}

static void on_overflow(struct perf_event *event, struct perf_sample_data *data,
			struct pt_regs *regs)
{
	struct counter *counter = this_cpu_ptr(&counters);

	if (!in_nmi()) {
		/* the work releases the event */
		WRITE_ONCE(counter->brings, INTERRUPTS);
		schedule_work(&counter->work);
		return;
	}
	/*
	 * perf throttles what comes too often, until the next tick, which a CPU that is
	 * stuck does not have. So these do not add up. The largest number marks an event
	 * that is throttled already: without it no tick would make it go on.
	 */
	if (event->hw.interrupts < S32_MAX)
		event->hw.interrupts = 0;
	/* all CPUs share the second line */
	if (counter->brings != NMIS) {
		WRITE_ONCE(counter->brings, NMIS);
		WRITE_ONCE(seen, true);
	}
	tio_nmi_pace_add(&counter->pace, PERIOD, local64_read(&event->count),
			 ktime_get_mono_fast_ns());
	calls->take(regs, tio_nmi_pace_grace(&counter->pace));
}

/* a section with interrupts off is in the kernel: neither in programs nor in guests */
static struct perf_event_attr attr = {
	.type = PERF_TYPE_HARDWARE,
	.config = PERF_COUNT_HW_CPU_CYCLES,
	.size = sizeof(attr),
	.sample_period = PERIOD,
	.exclude_user = 1,
	.exclude_hv = 1,
	.exclude_guest = 1,
};

static void create(struct counter *counter)
{
	struct perf_event *event;

	counter->pace = (struct tio_nmi_pace) { };
	event = perf_event_create_kernel_counter(&attr, counter->cpu, NULL, on_overflow, NULL);
	if (!IS_ERR(event))
		counter->event = event;
	else if (cpu_online(counter->cpu))
		pr_notice_once("CPU %u has no cycle counter to give (error %ld): no NMI samples it\n",
			       counter->cpu, PTR_ERR(event));
}

static void release(struct counter *counter)
{
	/* an interrupt may queue the work while tio_nmi_exit() is here */
	struct perf_event *event = xchg(&counter->event, NULL);

	if (!event)
		return;
	/* on return it brings nothing any more */
	perf_event_release_kernel(event);
	if (READ_ONCE(counter->brings) == NMIS)
		WRITE_ONCE(counter->brings, NOTHING_YET);
}

static bool wanted(const struct counter *counter)
{
	bool watched;

	rcu_read_lock();
	watched = cpumask_test_cpu(counter->cpu, &tio_published()->watched);
	rcu_read_unlock();
	/* without memory for records a CPU is not watched (hotplug.c) */
	watched = watched && rcu_access_pointer(per_cpu(tio_cpu.open, counter->cpu));
	return watched && !READ_ONCE(closed) && cpu_online(counter->cpu) &&
	       READ_ONCE(counter->brings) != INTERRUPTS &&
	       tio_published_knob(TIO_KNOB_NMI) == TRACE_IRQOFF_NMI_COUNTER;
}

static void follow(struct work_struct *work)
{
	struct counter *counter = container_of(work, struct counter, work);

	if (xchg(&counter->stale, false) || !wanted(counter))
		release(counter);
	if (!counter->event && wanted(counter))
		create(counter);
}

/**
 * tio_nmi_settings() - settings that are about a CPU have changed
 * @cpu: a possible CPU
 *
 * Nobody waits for the CPU: it creates or releases its counter itself, in a task.
 *
 * Context: task.
 */
void tio_nmi_settings(unsigned int cpu)
{
	if (tio_published_knob(TIO_KNOB_NMI) == TRACE_IRQOFF_NMI_COUNTER)
		WRITE_ONCE(asked, true);
	if (READ_ONCE(closed) || !READ_ONCE(asked))
		return;
	if (cpu_online(cpu))
		schedule_work_on(cpu, per_cpu_ptr(&counters.work, cpu));
	else
		schedule_work(per_cpu_ptr(&counters.work, cpu));
}

/**
 * tio_nmi_online() - this CPU has come online, and is not watched yet
 * @cpu: this CPU
 *
 * Its event counts no more, so nothing is requested before the next one brings an NMI.
 *
 * Context: the CPU's hotplug callback.
 */
void tio_nmi_online(unsigned int cpu)
{
	struct counter *counter = per_cpu_ptr(&counters, cpu);

	if (counter->brings == NMIS)
		WRITE_ONCE(counter->brings, NOTHING_YET);
	WRITE_ONCE(counter->stale, true);
	tio_nmi_settings(cpu);
}

/**
 * tio_nmi_init() - be ready for NMIs of counters
 * @nmi_calls: what they call; stays in use until tio_nmi_exit() returns
 *
 * Context: task, may sleep.
 * Return: 0.
 */
int tio_nmi_init(const struct tio_nmi_calls *nmi_calls)
{
	unsigned int cpu;

	calls = nmi_calls;
	for_each_possible_cpu(cpu) {
		struct counter *counter = per_cpu_ptr(&counters, cpu);

		counter->cpu = cpu;
		INIT_WORK(&counter->work, follow);
	}
	/* without pseudo-NMIs in force all counters bring interrupts */
	WRITE_ONCE(closed, !system_uses_irq_prio_masking());
	return 0;
}

/**
 * tio_nmi_exit() - release all counters
 *
 * Context: task, may sleep; no CPU is watched, and each one has answered since.
 */
void tio_nmi_exit(void)
{
	unsigned int cpu;

	WRITE_ONCE(closed, true);
	for_each_possible_cpu(cpu) {
		struct counter *counter = per_cpu_ptr(&counters, cpu);

		cancel_work_sync(&counter->work);
		release(counter);
		/* an interrupt of the counter may have queued it meanwhile */
		cancel_work_sync(&counter->work);
	}
}
