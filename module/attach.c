// SPDX-License-Identifier: GPL-2.0-only
/*
 * To attach to a tracepoint, or to detach, the kernel patches its text, and waits for
 * an interrupt of every CPU to do so (text_poke_bp()). Who waits holds locks that
 * others need. So it is never done while a CPU takes no interrupts. Detaching can wait:
 * until watching has been stopped for a while, and each CPU answers.
 */
#include <linux/cpu.h>
#include <linux/delay.h>
#include <linux/jiffies.h>
#include <linux/mutex.h>
#include <linux/workqueue.h>

#include "attach.h"
#include "probes.h"
#include "tell.h"

/* who stops watching and starts again soon interrupts no CPU for it */
#define DETACH_DELAY	(10 * HZ)

/* how soon to look again where a CPU does not answer */
#define RETRY_DELAY	HZ

/* Serializes attaching and detaching. Taken after the settings mutex. */
static DEFINE_MUTEX(attach_mutex);

/* written under the mutex */
static enum { DETACHED, ATTACHED, DETACHING } state;

static void detach(struct work_struct *work);
static DECLARE_DELAYED_WORK(detach_work, detach);

static void detach(struct work_struct *work)
{
	unsigned int silent;

	mutex_lock(&attach_mutex);
	if (state == DETACHING) {
		/* a CPU that comes or goes may take long, and detaching waits for it */
		if (tio_tell_all(&silent) && cpus_read_trylock()) {
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
 * Return: 0; -EAGAIN where they are not attached and a CPU does not answer; -EINTR where
 * a fatal signal is pending; or what tio_probes_register() says.
 */
int tio_attach_start(unsigned int *silent)
{
	int ret;

	ret = mutex_lock_killable(&attach_mutex);
	if (ret)
		return ret;
	if (state == DETACHED)
		ret = tio_tell_all(silent) ? tio_probes_register() : -EAGAIN;
	if (!ret)
		WRITE_ONCE(state, ATTACHED);
	mutex_unlock(&attach_mutex);
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
	if (state == ATTACHED) {
		WRITE_ONCE(state, DETACHING);
		mod_delayed_work(system_dfl_wq, &detach_work, DETACH_DELAY);
	}
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

	cancel_delayed_work_sync(&detach_work);
	if (state == DETACHED)
		return;
	while (!tio_tell_all(&silent))
		usleep_range(100 * USEC_PER_MSEC, 200 * USEC_PER_MSEC);
	tio_probes_unregister();
	WRITE_ONCE(state, DETACHED);
}
