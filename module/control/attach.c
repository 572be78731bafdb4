// SPDX-License-Identifier: GPL-2.0-only
/*
 * To attach to a tracepoint, or to detach, the kernel patches its text, and waits for
 * an interrupt of every CPU to do so (text_poke_bp()). Who waits holds locks that
 * others need. So it is never done while a CPU takes no interrupts. Detaching can wait:
 * until watching has been stopped for a while, and each CPU answers. Who must not wait
 * for attaching has a worker do it, and asks again.
 */
#include <linux/cpu.h>
#include <linux/delay.h>
#include <linux/jiffies.h>
#include <linux/mutex.h>
#include <linux/smp.h>
#include <linux/timekeeping.h>
#include <linux/workqueue.h>

#include "control/attach.h"
#include "control/cpu_call.h"
#include "detect/tracepoints.h"

/* who stops watching and starts again soon interrupts no CPU for it */
#define DETACH_DELAY	(10 * HZ)

/* how soon to look again where a CPU does not answer */
#define RETRY_DELAY	HZ

/* why an attempt failed is told for so long; who comes later has another one made */
#define FRESH_NS	(100 * NSEC_PER_MSEC)

/* Serializes attaching and detaching. Taken after the settings mutex. */
static DEFINE_MUTEX(attach_mutex);

/* written under the mutex */
static enum { DETACHED, ATTACHED, DETACHING } state;

/* of the worker, under the mutex */
static bool asked;
static int outcome;			/* why the last attempt failed; 0: it did not */
static unsigned int outcome_cpu;	/* which CPU did not answer */
static u64 outcome_ns;			/* when that was */

static void attach(struct work_struct *work);
/* The scheduler may put the first one on a CPU that is stuck. The second one runs on this one. */
static DECLARE_WORK(attach_work, attach);
static DECLARE_WORK(attach_here_work, attach);

static void detach(struct work_struct *work);
static DECLARE_DELAYED_WORK(detach_work, detach);

static int try_to_attach(unsigned int *silent)
{
	if (!tio_cpu_call_all(silent))
		return -EAGAIN;
	/* a CPU that comes or goes may take long, and attaching waits for it */
	if (!cpus_read_trylock())
		return -EBUSY;
	cpus_read_unlock();
	return tio_probes_register();
}

static void detach_later(void)
{
	WRITE_ONCE(state, DETACHING);
	mod_delayed_work(system_dfl_wq, &detach_work, DETACH_DELAY);
}

/* The probes are left as after a stop: without another request they are detached. */
static void attach(struct work_struct *work)
{
	/* let the requester end, whom this may have preempted */
	usleep_range(USEC_PER_MSEC, 2 * USEC_PER_MSEC);
	/* the other one of the two works, or a stop: what is still wanted is asked for again */
	if (!mutex_trylock(&attach_mutex))
		return;
	if (asked && state == DETACHED) {
		outcome = try_to_attach(&outcome_cpu);
		outcome_ns = ktime_get_ns();
		if (!outcome)
			detach_later();
	}
	asked = false;
	mutex_unlock(&attach_mutex);
}

static void detach(struct work_struct *work)
{
	unsigned int silent;

	mutex_lock(&attach_mutex);
	if (state == DETACHING) {
		/* as attaching does */
		if (tio_cpu_call_all(&silent) && cpus_read_trylock()) {
			cpus_read_unlock();
			tio_probes_unregister();
			WRITE_ONCE(state, DETACHED);
		} else {
			queue_delayed_work(system_dfl_wq, &detach_work, RETRY_DELAY);
		}
	}
	mutex_unlock(&attach_mutex);
}

/**
 * tio_attach_start() - have the probes attached, and stay attached
 * @silent: set to the CPU that does not answer, where that is why they are not
 *
 * Context: task, may sleep; the settings mutex.
 * Return: 0; -EAGAIN where they are not attached and a CPU does not answer; -EBUSY where
 * one comes or goes; -EINTR where a fatal signal is pending; or what
 * tio_probes_register() says.
 */
int tio_attach_start(unsigned int *silent)
{
	int ret;

	ret = mutex_lock_killable(&attach_mutex);
	if (ret)
		return ret;
	if (state == DETACHED)
		ret = try_to_attach(silent);
	if (!ret)
		WRITE_ONCE(state, ATTACHED);
	mutex_unlock(&attach_mutex);
	return ret;
}

/**
 * tio_attach_ask() - as tio_attach_start(), without waiting
 * @silent: as there
 *
 * Context: task; does not sleep; the settings mutex.
 * Return: 0; -EINPROGRESS where a worker attaches or detaches, and -EBUSY where it waits for
 * a CPU that comes or goes: ask again; or why it could not attach, as tio_attach_start()
 * says it.
 */
int tio_attach_ask(unsigned int *silent)
{
	int ret = -EINPROGRESS;
	bool again;

	if (!mutex_trylock(&attach_mutex))
		return ret;
	if (state != DETACHED) {
		WRITE_ONCE(state, ATTACHED);
		ret = 0;
	} else if (outcome && ktime_get_ns() - outcome_ns < FRESH_NS) {
		ret = outcome;
		*silent = outcome_cpu;
	}
	again = ret == -EINPROGRESS || ret == -EBUSY;
	asked |= again;
	mutex_unlock(&attach_mutex);
	if (again) {
		queue_work(system_dfl_wq, &attach_work);
		queue_work_on(raw_smp_processor_id(), system_highpri_wq, &attach_here_work);
	}
	return ret;
}

/**
 * tio_attach_stop() - have the probes detached later, unless tio_attach_start() follows
 *
 * Waits for no detaching: as long as somebody has probes attached, none goes on.
 *
 * Context: task, may sleep; the settings mutex.
 */
void tio_attach_stop(void)
{
	mutex_lock(&attach_mutex);
	if (state == ATTACHED)
		detach_later();
	mutex_unlock(&attach_mutex);
}

/**
 * tio_attach_attached() - are the probes attached?
 *
 * Context: any.
 * Return: true when they are, even if they are about to be detached.
 */
bool tio_attach_attached(void)
{
	return READ_ONCE(state) != DETACHED;
}

/**
 * tio_attach_detaching() - are the probes about to be detached?
 *
 * Context: any.
 * Return: true when they are.
 */
bool tio_attach_detaching(void)
{
	return READ_ONCE(state) == DETACHING;
}

/**
 * tio_attach_exit() - detach the probes as soon as every CPU answers
 *
 * Where they are attached no more, every CPU has answered since watching stopped. So
 * what was sent to a CPU that was watched, NMIs and calls, has arrived on return.
 *
 * Context: task, sleeps until then; no CPU is watched, and nobody starts any more.
 */
void tio_attach_exit(void)
{
	unsigned int silent;

	cancel_work_sync(&attach_work);
	cancel_work_sync(&attach_here_work);
	cancel_delayed_work_sync(&detach_work);
	if (state == DETACHED)
		return;
	while (!tio_cpu_call_all(&silent))
		usleep_range(100 * USEC_PER_MSEC, 200 * USEC_PER_MSEC);
	tio_probes_unregister();
	WRITE_ONCE(state, DETACHED);
}
