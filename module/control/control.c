// SPDX-License-Identifier: GPL-2.0-only
/*
 * A change of settings is a transaction: begin, change the copy, end. Its end checks
 * all of them, prepares what they need, publishes them and tells the CPUs. A stop waits
 * for no CPU: it has to work while one is stuck. A start that has to attach probes waits
 * 50 ms for all CPUs together; or a worker does that, and the request is sent again.
 */
#include <linux/cpu.h>
#include <linux/delay.h>
#include <linux/jiffies.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/timekeeping.h>
#include <linux/workqueue.h>

#include "control/attach.h"
#include "control/control.h"
#include "control/cpu_call.h"
#include "control/hotplug.h"
#include "control/memory.h"
#include "control/prepare.h"
#include "detect/watch.h"
#include "record/wake.h"
#include "state/cpu.h"
#include "state/published.h"
#include "state/ring.h"

/*
 * Serializes every change of settings, and tio_control_clear(). Readers do not take it.
 * It is taken after the kernel's parameter lock. Inside of it cpus_read_lock, or the
 * mutex of attach.c and the tracepoint mutex are taken.
 */
static DEFINE_MUTEX(control_mutex);

/*
 * Parameter files live from before init until after exit. A write is stored while
 * the module is LOADING, and init checks it. It is refused while it is LEAVING.
 */
static enum { LOADING, LIVE, LEAVING } state = LOADING;

/*
 * What parameters set while the module LOADS. Where one of them is refused, the kernel
 * drops the module without calling it again, so nothing may be allocated for them.
 */
static struct tio_published given;

/* the next state to publish. Memory for it is at hand: stopping must not need any */
static struct tio_published *spare;

/* counts up as the records of all CPUs begin to be dropped, and as they are */
static unsigned int drops;

static void give_back(struct work_struct *work);
static DECLARE_DELAYED_WORK(free_work, give_back);

/* how long a change waits for a CPU that comes or goes */
#define HOTPLUG_NS	(50 * NSEC_PER_MSEC)

/* a module that loads tries so often where a CPU does not answer, 50 ms each time */
#define LOAD_TRIES	20

/* how soon to look again where a CPU is behind */
#define FREE_DELAY	(HZ / 10 ?: 1)

/* puts a state in force, and tells the CPUs that it is about */
static void publish(struct tio_published *next)
{
	static struct cpumask touched;
	unsigned int cpu;

	cpumask_or(&touched, &next->watched, &tio_published()->watched);
	tio_published_replace(next);
	for_each_cpu(cpu, &touched)
		tio_cpu_call(cpu);
	tio_wake_settings();
}

/*
 * Keeps CPUs from coming and going. A hotplug operation may be waiting for a CPU that is
 * stuck, so this gives up.
 */
static int lock_cpus(bool wait, const char **rule)
{
	u64 end_ns = ktime_get_ns() + HOTPLUG_NS;

	while (!cpus_read_trylock()) {
		if (!wait || ktime_get_ns() > end_ns) {
			*rule = TIO_HOTPLUG_RULE;
			return wait ? -EAGAIN : -EINPROGRESS;
		}
		usleep_range(USEC_PER_MSEC, 2 * USEC_PER_MSEC);
	}
	return 0;
}

/*
 * Publishes a state that watches CPUs; or fails, and nothing has changed. CPUs that are
 * watched already have what they need.
 */
static int publish_watching(struct tio_published *next, bool more, bool wait,
			    const char **rule)
{
	int ret;

	/* as much memory for the next state as this one takes, to stop it by */
	if (!spare)
		spare = tio_published_copy();
	if (!spare)
		return -ENOMEM;
	if (!more) {
		publish(next);
		return 0;
	}
	/* attaching probes takes this lock, too: whoever waits for it waits here */
	if (wait) {
		ret = lock_cpus(true, rule);
		if (ret)
			return ret;
		cpus_read_unlock();
	}
	ret = tio_prepare_watching(&next->watched, wait, rule);
	if (ret)
		return ret;
	/* a CPU either is online here, or comes online with this state published */
	ret = lock_cpus(wait, rule);
	if (!ret) {
		ret = tio_prepare_memory(&next->watched, rule);
		if (!ret)
			publish(next);
		cpus_read_unlock();
	}
	if (ret && !tio_published_knob(TIO_KNOB_ENABLE))
		tio_attach_stop();
	return ret;
}

/* of a complete state: is all of it in force already? */
static bool in_force(const struct tio_published *next)
{
	const struct tio_published *last = tio_published();

	return next->free == last->free &&
	       !memcmp(&next->timing, &last->timing, sizeof(next->timing)) &&
	       cpumask_equal(&next->watched, &last->watched) &&
	       !memcmp(&next->settings, &last->settings, sizeof(next->settings));
}

/* keeps memory for the next state */
static void keep_spare(struct tio_published *unused)
{
	tio_published_free(spare);
	spare = unused;
}

/* carries out what tio_prepare_check() allowed, all of it or, on failure, nothing */
static int apply(struct tio_published *next, enum trace_irqoff_stop by, bool wait,
		 const char **rule)
{
	const struct tio_published *last = tio_published();
	bool was_on = tio_settings_enabled(&last->settings);

	tio_prepare_cpus(&next->settings, &next->watched);
	next->timing.period_ns = next->settings.knobs[TIO_KNOB_PERIOD_US] * NSEC_PER_USEC;
	next->timing.threshold_ns =
		next->settings.knobs[TIO_KNOB_THRESHOLD_US] * (u64)NSEC_PER_USEC;
	/* no CPU is interrupted for it, and no reader told */
	if (in_force(next)) {
		keep_spare(next);
		return 0;
	}
	if (tio_settings_enabled(&next->settings)) {
		bool more = !was_on || !cpumask_subset(&next->watched, &last->watched);

		if (more)
			next->enabled_ns = ktime_get_ns();
		next->stopped_ns = 0;
		return publish_watching(next, more, wait, rule);
	}
	if (!was_on) {
		publish(next);
		return 0;
	}
	next->stopped_ns = ktime_get_ns();
	next->stopped_by = by;
	next->self_stops += by != TRACE_IRQOFF_STOP_USER;
	publish(next);
	tio_attach_stop();
	return 0;
}

static struct tio_published *state_of(struct tio_settings *settings)
{
	return container_of(settings, struct tio_published, settings);
}

/* a copy of what is in force, in the memory at hand if there is some */
static struct tio_published *copy_state(void)
{
	struct tio_published *next = spare;

	if (!next)
		return tio_published_copy();
	spare = NULL;
	*next = *tio_published();
	return next;
}

/**
 * tio_control_begin() - begin to change settings
 *
 * tio_control_end() or tio_control_abort() must follow.
 *
 * Context: task, may sleep; takes the settings mutex.
 * Return: a copy of the settings, which the caller changes; or an error pointer:
 * -ENODEV where the module is leaving, -EINTR where a fatal signal is pending, -ENOMEM.
 */
struct tio_settings *tio_control_begin(void)
{
	struct tio_published *next = NULL;
	int ret;

	ret = mutex_lock_killable(&control_mutex);
	if (ret)
		return ERR_PTR(ret);
	ret = -ENODEV;
	if (state == LOADING) {
		given = *tio_published();
		next = &given;
	} else if (state == LIVE) {
		next = copy_state();
		ret = -ENOMEM;
	}
	if (next)
		return &next->settings;
	mutex_unlock(&control_mutex);
	return ERR_PTR(ret);
}

/**
 * tio_control_abort() - change nothing
 * @settings: what tio_control_begin() returned
 *
 * Context: task; releases the settings mutex.
 */
void tio_control_abort(struct tio_settings *settings)
{
	if (state_of(settings) != &given)
		keep_spare(state_of(settings));
	mutex_unlock(&control_mutex);
}

/* tells each CPU that has memory and has not taken up what is published; is there one? */
static bool somebody_is_behind(void)
{
	bool behind = false;
	unsigned int cpu;

	for_each_possible_cpu(cpu) {
		if (!rcu_access_pointer(per_cpu(tio_cpu.open, cpu)) ||
		    tio_watch_knows(cpu, tio_published_generation()))
			continue;
		tio_cpu_call(cpu);
		behind = true;
	}
	return behind;
}

static void begin_drop(void)
{
	WRITE_ONCE(drops, drops + 1);
	/* pairs with tio_control_drops(): who finds a ring cleared finds this number */
	smp_wmb();
}

static void end_drop(void)
{
	/* pairs with tio_control_drops(): who finds this number finds all rings cleared */
	smp_store_release(&drops, drops + 1);
}

/* gives the memory back once each CPU that has some knows that it is not watched */
static void give_back(struct work_struct *work)
{
	bool done = false;

	mutex_lock(&control_mutex);
	if (!tio_published()->free || state == LEAVING) {
		done = true;
	} else if (cpus_read_trylock()) {
		/* otherwise a hotplug operation may be waiting for a stuck CPU */
		done = !somebody_is_behind();
		if (done) {
			begin_drop();
			tio_memory_free();
			end_drop();
		}
		cpus_read_unlock();
	}
	if (!done)
		queue_delayed_work(system_dfl_wq, &free_work, FREE_DELAY);
	mutex_unlock(&control_mutex);
}

/**
 * tio_control_end() - put changed settings in force
 * @settings: what tio_control_begin() returned
 * @free: give the memory of the records back; refused where these settings watch
 * @wait: wait for probes that have to be attached, and for CPUs that come or go
 * @rule: set to a sentence where they are refused, otherwise left alone
 *
 * While the module loads they are only stored; its init checks them together.
 *
 * Context: task, may sleep; releases the settings mutex.
 * Return: 0; or -EINVAL, -EOPNOTSUPP, -EAGAIN, -EINTR, -ENOMEM, and nothing has changed;
 * without @wait -EINPROGRESS: nothing has changed yet, do it again.
 */
int tio_control_end(struct tio_settings *settings, bool free, bool wait, const char **rule)
{
	struct tio_published *next = state_of(settings);
	const char *refused = NULL;
	int ret = 0;

	if (state == LOADING) {
		tio_published_start(next);
		mutex_unlock(&control_mutex);
		return 0;
	}
	ret = tio_prepare_check(settings, &refused);
	if (!ret && free && tio_settings_enabled(settings)) {
		refused = "memory cannot be given back while CPUs are watched";
		ret = -EINVAL;
	}
	if (!ret) {
		/* as long as nothing is watched again */
		next->free = !tio_settings_enabled(settings) && (next->free || free);
		ret = apply(next, TRACE_IRQOFF_STOP_USER, wait, &refused);
	}
	if (refused)
		*rule = refused;
	if (ret) {
		tio_control_abort(settings);
		return ret;
	}
	if (free)
		mod_delayed_work(system_dfl_wq, &free_work, 0);
	mutex_unlock(&control_mutex);
	return 0;
}

static void stop(enum trace_irqoff_stop by)
{
	struct tio_published *next;
	const char *rule;

	if (!tio_settings_enabled(&tio_published()->settings))
		return;
	/* publish_watching() saw to it that there is memory */
	next = copy_state();
	next->settings.knobs[TIO_KNOB_ENABLE] = 0;
	apply(next, by, true, &rule);
}

/**
 * tio_control_self_stop() - stop watching because it does harm
 * @by: why
 * @harmful: asked of what is in force, under the settings mutex: does it?
 *
 * Context: task, may sleep; takes the settings mutex.
 * Return: false where nothing was watched, or it does no harm.
 */
bool tio_control_self_stop(enum trace_irqoff_stop by,
			   bool (*harmful)(const struct tio_published *in_force))
{
	bool on;

	mutex_lock(&control_mutex);
	on = state == LIVE && tio_settings_enabled(&tio_published()->settings) &&
	     harmful(tio_published());
	if (on)
		stop(by);
	mutex_unlock(&control_mutex);
	return on;
}

/**
 * tio_control_drops() - of all CPUs, how often records were dropped
 *
 * Who reads CPU by CPU, and finds another number at the end, may have read some of them
 * before records were dropped and others after.
 *
 * Context: any.
 * Return: a number that changes as that begins and as it ends.
 */
unsigned int tio_control_drops(void)
{
	/* pairs with begin_drop() and end_drop() */
	return smp_load_acquire(&drops);
}

/**
 * tio_control_clear() - drop all records kept
 *
 * Context: task, may sleep.
 * Return: 0, or -EINTR where a fatal signal is pending.
 */
int tio_control_clear(void)
{
	unsigned int cpu;
	int ret;

	ret = mutex_lock_killable(&control_mutex);
	if (ret)
		return ret;
	begin_drop();
	for_each_possible_cpu(cpu) {
		struct tio_ring *ring = tio_cpu_ring(cpu);

		if (ring)
			tio_ring_clear(ring);
	}
	end_drop();
	mutex_unlock(&control_mutex);
	return 0;
}

/**
 * tio_control_init() - check the settings given at load and put them in force
 *
 * The settings mutex is held throughout: a parameter that is written meanwhile is
 * checked here or comes after it.
 *
 * Context: module init.
 * Return: 0 or a negative errno, logged.
 */
int tio_control_init(void)
{
	struct tio_published *wanted, *off;
	const char *rule = NULL;
	unsigned int tries = LOAD_TRIES;
	int ret = -ENOMEM;

	mutex_lock(&control_mutex);
	wanted = tio_published_copy();
	off = tio_published_copy();
	if (!wanted || !off)
		goto err_check;
	ret = tio_prepare_check(&wanted->settings, &rule);
	if (ret) {
		pr_err("%s\n", rule);
		goto err_check;
	}
	ret = tio_hotplug_init();
	if (ret)
		goto err_check;

	off->settings.knobs[TIO_KNOB_ENABLE] = 0;
	tio_published_replace(off);
	off = NULL;
	/* a host may keep a virtual CPU for a moment, and nobody tries again at boot */
	do {
		rule = NULL;
		ret = apply(wanted, TRACE_IRQOFF_STOP_USER, true, &rule);
	} while (ret == -EAGAIN && --tries && !fatal_signal_pending(current));
	if (ret) {
		if (rule)
			pr_err("%s\n", rule);
		goto err_apply;
	}
	state = LIVE;
	mutex_unlock(&control_mutex);
	return 0;

err_apply:
	tio_hotplug_exit();
	tio_attach_exit();
	tio_cpu_call_exit();
err_check:
	state = LEAVING;
	tio_published_free(wanted);
	tio_published_free(off);
	tio_published_free(spare);
	mutex_unlock(&control_mutex);
	return ret;
}

/**
 * tio_control_leave() - refuse to change anything from now on
 *
 * Context: module init, which has failed.
 */
void tio_control_leave(void)
{
	mutex_lock(&control_mutex);
	state = LEAVING;
	mutex_unlock(&control_mutex);
}

/**
 * tio_control_exit() - stop watching for good
 *
 * From here on writes to parameters are refused.
 *
 * Context: task; sleeps until every CPU has answered.
 */
void tio_control_exit(void)
{
	mutex_lock(&control_mutex);
	state = LEAVING;
	stop(TRACE_IRQOFF_STOP_USER);
	mutex_unlock(&control_mutex);
	cancel_delayed_work_sync(&free_work);
	while (somebody_is_behind())
		usleep_range(USEC_PER_MSEC, 2 * USEC_PER_MSEC);
	tio_hotplug_exit();
	tio_watch_exit();
	tio_attach_exit();
	tio_cpu_call_exit();
	tio_published_free(spare);
}
