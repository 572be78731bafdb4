// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records are committed with interrupts off, also while the scheduler holds its locks, where
 * nothing can be queued that wakes a task. So the CPU notes that it has news and queues an
 * irq_work, which runs when interrupts are on again and queues a work for any CPU. That
 * one sends. A CPU that stalls runs its irq_work after the stall, which is when its record
 * is made. Of a hard stall that goes on the CPU tells that asks for its sample.
 *
 * The scheduler may put the worker for any CPU on the one that stalls, where it waits for the
 * end. So an open stall is told of by a work of the CPU that asks as well, which runs.
 *
 * The irq_work is a hard one: on PREEMPT_RT others run in a thread of the CPU, which a
 * real-time task may keep from running for ever. It takes raw locks only.
 *
 * While nobody has joined the group this costs a barrier and two loads for each record.
 */
#include <linux/cpumask.h>
#include <linux/irq_work.h>
#include <linux/jiffies.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/timekeeping.h>
#include <linux/workqueue.h>
#include <net/genetlink.h>

#include "core/put_u64.h"
#include "record/wake.h"
#include "state/counters.h"
#include "state/cpu.h"
#include "state/published.h"
#include "state/ring.h"
#include "uapi/linux/trace_irqoff.h"

/* the family's first group */
#define GROUP		0

static void pass_on(struct irq_work *unused);
static void send(struct work_struct *work);

/*
 * Queued from the CPU that has something to tell, which need not be about itself. Set by
 * tio_wake_begin(): the per-CPU data of a module cannot be initialized with addresses.
 */
static DEFINE_PER_CPU(struct irq_work, pass_on_work);
static DECLARE_DELAYED_WORK(send_work, send);
static DEFINE_PER_CPU(struct delayed_work, open_work);

/* NULL while there is no family */
static const struct genl_family *to;

/* what is to be told; a bit is set by whoever has news, and cleared by who tells them */
static struct cpumask news;
static struct cpumask news_open;
static DEFINE_PER_CPU(u64, shown_ns);	/* when readers are shown the open stall */
static unsigned long settings_changed;	/* bit 0 */

/*
 * Held while a message is made and sent, so that none is sent once the family is gone. It is
 * a leaf: netlink's own locks alone are taken inside.
 */
static DEFINE_MUTEX(send_mutex);
static u64 instance;
static u64 last_ns;
static bool begun;		/* the works are set; what loads or unloads looks at it */

static bool anybody_listens(void)
{
	/* pairs with tio_wake_begin() */
	const struct genl_family *family = smp_load_acquire(&to);

	if (!family)
		return false;
	/*
	 * What is new comes before the question: who joins at this moment either is seen
	 * here, or sees it when it reads for the first time.
	 */
	smp_mb();
	return genl_has_listeners(family, &init_net, GROUP);
}

static void pass_on(struct irq_work *unused)
{
	queue_delayed_work(system_dfl_wq, &send_work, 0);
	if (!cpumask_empty(&news_open))
		schedule_delayed_work_on(smp_processor_id(), this_cpu_ptr(&open_work), 0);
}

static void note(struct cpumask *mask, unsigned int cpu)
{
	/* what is new comes before the bit; pairs with put_news() */
	smp_mb__before_atomic();
	cpumask_set_cpu(cpu, mask);
	irq_work_queue(this_cpu_ptr(&pass_on_work));
}

/**
 * tio_wake_cpu() - a CPU made a record, begins to be watched or ceases to be
 * @cpu: the CPU
 *
 * Context: interrupts off.
 */
void tio_wake_cpu(unsigned int cpu)
{
	if (anybody_listens())
		note(&news, cpu);
}

/**
 * tio_wake_open() - an open stall of a CPU got a sample, or is about to
 * @cpu: the CPU
 * @at_ns: readers are shown the stall from then on; a moment that is over: they are now
 *
 * Context: interrupts off.
 */
void tio_wake_open(unsigned int cpu, u64 at_ns)
{
	if (!anybody_listens())
		return;
	WRITE_ONCE(*per_cpu_ptr(&shown_ns, cpu), at_ns);
	note(&news_open, cpu);
}

/**
 * tio_wake_settings() - settings have changed, or what is to be watched
 *
 * Context: task.
 */
void tio_wake_settings(void)
{
	if (!anybody_listens())
		return;
	/* pairs with send() */
	smp_mb__before_atomic();
	set_bit(0, &settings_changed);
	queue_delayed_work(system_dfl_wq, &send_work, 0);
}

/* has a CPU an open stall to tell of? *wait_ns becomes the time until it has, if shorter */
static bool open_due(unsigned int cpu, u64 now_ns, u64 *wait_ns)
{
	u64 this_ns;

	if (!cpumask_test_cpu(cpu, &news_open))
		return false;
	this_ns = tio_wake_wait_ns(0, READ_ONCE(*per_cpu_ptr(&shown_ns, cpu)), now_ns);
	if (!this_ns)
		return true;
	*wait_ns = min(*wait_ns, this_ns);
	return false;
}

/* clears the CPU's bits, but not where the message has no room */
static int put_news(struct sk_buff *msg, unsigned int cpu, bool open)
{
	struct nlattr *nest = nla_nest_start(msg, TRACE_IRQOFF_A_NEWS);
	const struct tio_ring *ring = tio_cpu_ring(cpu);

	if (!nest)
		return -EMSGSIZE;
	cpumask_clear_cpu(cpu, &news);
	if (open)
		cpumask_clear_cpu(cpu, &news_open);
	/* pairs with note(): what comes after the reading sets the bit again */
	smp_mb__after_atomic();
	if (nla_put_u32(msg, TRACE_IRQOFF_A_CPU, cpu) ||
	    tio_put_u64(msg, TRACE_IRQOFF_A_PRODUCED, ring ? tio_ring_produced(ring) : 0) ||
	    (tio_counters_watched(cpu) && nla_put_flag(msg, TRACE_IRQOFF_A_WATCHED_CPU)) ||
	    (open && nla_put_flag(msg, TRACE_IRQOFF_A_OPEN))) {
		nla_nest_cancel(msg, nest);
		cpumask_set_cpu(cpu, &news);
		if (open)
			cpumask_set_cpu(cpu, &news_open);
		return -EMSGSIZE;
	}
	nla_nest_end(msg, nest);
	return 0;
}

static struct sk_buff *begin_message(void **head)
{
	struct sk_buff *msg = genlmsg_new(GENLMSG_DEFAULT_SIZE, GFP_KERNEL);

	if (!msg)
		return NULL;
	*head = genlmsg_put(msg, 0, 0, to, 0, TRACE_IRQOFF_CMD_WAKE);
	if (*head && !tio_put_u64(msg, TRACE_IRQOFF_A_INSTANCE, instance) &&
	    !tio_put_u64(msg, TRACE_IRQOFF_A_GENERATION, tio_published_generation()))
		return msg;
	nlmsg_free(msg);
	return NULL;
}

/*
 * Sends one message, with the news of CPUs from *@cpu on, which becomes the first one that did
 * not fit. Whoever has no room for it is told so by netlink (ENOBUFS), and reads as well.
 */
static bool send_message(unsigned int *cpu, u64 now_ns, u64 *wait_ns)
{
	bool any = test_and_clear_bit(0, &settings_changed);
	struct sk_buff *msg;
	void *head;

	msg = begin_message(&head);
	if (!msg) {
		if (any)
			set_bit(0, &settings_changed);
		return false;
	}
	for (; *cpu < nr_cpu_ids; *cpu = cpumask_next(*cpu, cpu_possible_mask)) {
		bool open = open_due(*cpu, now_ns, wait_ns);

		if (!open && !cpumask_test_cpu(*cpu, &news))
			continue;
		if (put_news(msg, *cpu, open))
			break;
		any = true;
	}
	if (!any) {
		nlmsg_free(msg);
		return true;
	}
	genlmsg_end(msg, head);
	genlmsg_multicast(to, msg, 0, GROUP, GFP_KERNEL);
	last_ns = now_ns;
	return true;
}

/* how long to wait before the rest is sent; U64_MAX: there is none */
static u64 send_all(u64 now_ns)
{
	unsigned int cpu = cpumask_first(cpu_possible_mask);
	u64 wait_ns = tio_wake_wait_ns(last_ns, 0, now_ns);

	if (wait_ns)
		return wait_ns;
	wait_ns = U64_MAX;
	while (cpu < nr_cpu_ids)
		if (!send_message(&cpu, now_ns, &wait_ns))
			return TIO_WAKE_NS;
	return wait_ns;
}

static void send(struct work_struct *work)
{
	struct delayed_work *self = to_delayed_work(work);
	unsigned long delay;
	u64 wait_ns;

	mutex_lock(&send_mutex);
	wait_ns = to ? send_all(ktime_get_ns()) : U64_MAX;
	mutex_unlock(&send_mutex);
	if (wait_ns == U64_MAX)
		return;
	delay = nsecs_to_jiffies(wait_ns) + 1;
	if (self == &send_work)
		queue_delayed_work(system_dfl_wq, self, delay);
	else
		schedule_delayed_work_on(raw_smp_processor_id(), self, delay);
}

/**
 * tio_wake_begin() - tell those who follow from now on
 * @family: the family, which is registered
 * @number: the instance's
 *
 * Context: module init.
 */
void tio_wake_begin(const struct genl_family *family, u64 number)
{
	static const struct irq_work hard = IRQ_WORK_INIT_HARD(pass_on);
	unsigned int cpu;

	for_each_possible_cpu(cpu) {
		struct irq_work *work = per_cpu_ptr(&pass_on_work, cpu);

		*work = hard;
		INIT_DELAYED_WORK(per_cpu_ptr(&open_work, cpu), send);
	}
	begun = true;
	mutex_lock(&send_mutex);
	instance = number;
	/* pairs with anybody_listens(): whoever sees it finds the works set */
	smp_store_release(&to, family);
	mutex_unlock(&send_mutex);
	/* for who joined and read since the family is there */
	tio_wake_settings();
}

/**
 * tio_wake_end() - tell nobody any more
 *
 * Nothing is being sent on return. What was queued finds nothing to do.
 *
 * Context: task, may sleep; the family is still registered.
 */
void tio_wake_end(void)
{
	mutex_lock(&send_mutex);
	WRITE_ONCE(to, NULL);
	mutex_unlock(&send_mutex);
}

/**
 * tio_wake_exit() - wait until nothing of this runs
 *
 * Context: task, may sleep; after tio_wake_end(), and nobody has news any more.
 */
void tio_wake_exit(void)
{
	unsigned int cpu;

	if (!begun)
		return;
	for_each_possible_cpu(cpu)
		irq_work_sync(per_cpu_ptr(&pass_on_work, cpu));
	for_each_possible_cpu(cpu)
		cancel_delayed_work_sync(per_cpu_ptr(&open_work, cpu));
	cancel_delayed_work_sync(&send_work);
}
