// SPDX-License-Identifier: GPL-2.0-only
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/hrtimer.h>
#include <linux/mutex.h>
#include <linux/random.h>
#include <linux/rcupdate.h>
#include <linux/sched/isolation.h>
#include <linux/slab.h>

#include "control.h"
#include "probes.h"
#include "ring.h"
#include "watch.h"

/*
 * Serializes every change of settings, and tio_control_clear(). It is taken after the
 * kernel's parameter lock and the generic netlink mutex. Inside of it cpus_read_lock
 * and the tracepoint mutex are taken, the latter never under cpus_read_lock.
 */
static DEFINE_MUTEX(control_mutex);

/*
 * Parameter files live from before init until after exit. A write is stored while
 * the module is LOADING, and init checks it. It is refused while it is LEAVING.
 */
static enum { LOADING, LIVE, LEAVING } state = LOADING;

static struct tio_settings current_settings = {
	.knobs = TIO_KNOBS_DEFAULT,
};

/*
 * What a CPU that comes online is set up with. Written under control_mutex and
 * cpus_read_lock; that lock keeps out the hotplug callbacks, which read it.
 */
static struct cpumask watched;
static struct tio_timing published;
static u32 ring_records;

static u64 enabled_ns;
static u64 instance;
static int hotplug_state;

static void wanted_cpus(const struct tio_settings *settings,
			struct cpumask *mask)
{
	cpumask_clear(mask);
	if (!settings->knobs[TIO_KNOB_ENABLE])
		return;
	switch (settings->cpus_mode) {
	case TIO_CPUS_ALL:
		cpumask_copy(mask, cpu_possible_mask);
		break;
	case TIO_CPUS_LIST:
		cpumask_copy(mask, &settings->cpus);
		break;
	case TIO_CPUS_DEFAULT:
		/* all but isolcpus= and nohz_full=; cpusets may replace the masks (RCU) */
		rcu_read_lock();
		cpumask_and(mask, housekeeping_cpumask(HK_TYPE_DOMAIN),
			    housekeeping_cpumask(HK_TYPE_TICK));
		rcu_read_unlock();
		break;
	}
}

static void sync_cpu(void *unused)
{
	tio_watch_sync(&published,
		       cpumask_test_cpu(smp_processor_id(), &watched));
}

static int watch_online(unsigned int cpu)
{
	unsigned long flags;

	if (!cpumask_test_cpu(cpu, &watched))
		return 0;
	/* without memory the CPU comes online all the same, and is not watched */
	if (tio_watch_prepare(cpu, ring_records)) {
		pr_warn("no memory to watch CPU %u\n", cpu);
		return 0;
	}
	local_irq_save(flags);
	sync_cpu(NULL);
	local_irq_restore(flags);
	return 0;
}

static int watch_offline(unsigned int cpu)
{
	unsigned long flags;

	local_irq_save(flags);
	tio_watch_sync(&published, false);
	local_irq_restore(flags);
	tio_watch_drain(cpumask_of(cpu));
	return 0;
}

static int prepare_cpus(const struct cpumask *mask, u32 records)
{
	unsigned int cpu;
	int ret;

	for_each_cpu_and(cpu, mask, cpu_online_mask) {
		ret = tio_watch_prepare(cpu, records);
		if (ret)
			return ret;
	}
	return 0;
}

static int check(const struct tio_settings *settings, const char **rule)
{
	*rule = tio_knobs_refuse(settings->knobs);
	if (*rule)
		return -EINVAL;
	if (settings->knobs[TIO_KNOB_RING_RECORDS] != ring_records) {
		*rule = "ring_records is fixed while the module is loaded";
		return -EINVAL;
	}
	/* 1 where they are on, the length of a tick where they are not */
	if (settings->knobs[TIO_KNOB_ENABLE] && hrtimer_resolution > 1) {
		*rule = "enabling needs high-resolution timers, which are off";
		return -EOPNOTSUPP;
	}
	return 0;
}

/*
 * Carries out what check() allowed, all of it or, on failure, nothing. Switching off
 * needs no memory and cannot fail.
 */
static int apply(const struct tio_settings *settings)
{
	bool was_on = current_settings.knobs[TIO_KNOB_ENABLE];
	bool on = settings->knobs[TIO_KNOB_ENABLE];
	/* control_mutex guards these two, which are too large for the stack */
	static struct cpumask wanted, touched;
	int ret;

	wanted_cpus(settings, &wanted);

	/*
	 * The probes stay attached until the module goes: each tracepoint takes an IPI
	 * to all CPUs. On CPUs that are not watched the probes do nothing.
	 */
	if (on) {
		ret = tio_probes_register();
		if (ret)
			return ret;
	}

	cpus_read_lock();
	ret = prepare_cpus(&wanted, settings->knobs[TIO_KNOB_RING_RECORDS]);
	if (!ret) {
		cpumask_or(&touched, &wanted, &watched);
		cpumask_copy(&watched, &wanted);
		published.period_ns =
			settings->knobs[TIO_KNOB_PERIOD_US] * NSEC_PER_USEC;
		published.threshold_ns =
			settings->knobs[TIO_KNOB_THRESHOLD_US] * NSEC_PER_USEC;
		on_each_cpu_mask(&touched, sync_cpu, NULL, true);
	}
	cpus_read_unlock();
	if (!ret) {
		cpumask_andnot(&touched, &touched, &wanted);
		tio_watch_drain(&touched);
	}

	if (!ret) {
		if (on && !was_on)
			enabled_ns = ktime_get_ns();
		current_settings = *settings;
	}
	return ret;
}

/**
 * tio_control_begin() - begin to change settings
 *
 * tio_control_end() or tio_control_abort() must follow.
 *
 * Context: task, may sleep; takes the settings mutex.
 * Return: a copy of the settings, which the caller changes; or an error pointer:
 * -ENODEV where the module is leaving, -ENOMEM.
 */
struct tio_settings *tio_control_begin(void)
{
	struct tio_settings *settings;

	mutex_lock(&control_mutex);
	settings = state == LEAVING ? ERR_PTR(-ENODEV) :
		   kmemdup(&current_settings, sizeof(*settings), GFP_KERNEL) ?:
		   ERR_PTR(-ENOMEM);
	if (IS_ERR(settings))
		mutex_unlock(&control_mutex);
	return settings;
}

/**
 * tio_control_abort() - change nothing
 * @settings: what tio_control_begin() returned
 *
 * Context: task; releases the settings mutex.
 */
void tio_control_abort(struct tio_settings *settings)
{
	mutex_unlock(&control_mutex);
	kfree(settings);
}

/**
 * tio_control_end() - put changed settings in force
 * @settings: what tio_control_begin() returned
 * @rule: set to a static sentence where they are refused, otherwise left alone
 *
 * While the module loads they are only stored; its init checks them together.
 *
 * Context: task, may sleep; releases the settings mutex.
 * Return: 0; or -EINVAL, -EOPNOTSUPP, -ENOMEM, and nothing has changed.
 */
int tio_control_end(struct tio_settings *settings, const char **rule)
{
	const char *refused = NULL;
	int ret = 0;

	if (state == LOADING) {
		current_settings = *settings;
	} else {
		ret = check(settings, &refused);
		if (!ret)
			ret = apply(settings);
	}
	if (refused)
		*rule = refused;
	tio_control_abort(settings);
	return ret;
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
	static struct tio_settings wanted;
	const char *rule = NULL;
	int ret;

	instance = get_random_u64();
	mutex_lock(&control_mutex);
	wanted = current_settings;
	ring_records = wanted.knobs[TIO_KNOB_RING_RECORDS];
	ret = check(&wanted, &rule);
	if (ret) {
		pr_err("%s\n", rule);
		goto err_check;
	}

	ret = cpuhp_setup_state_nocalls(CPUHP_AP_ONLINE_DYN,
					"trace_irqoff:online", watch_online,
					watch_offline);
	if (ret < 0)
		goto err_check;
	hotplug_state = ret;

	current_settings.knobs[TIO_KNOB_ENABLE] = 0;
	ret = apply(&wanted);
	if (ret)
		goto err_apply;
	state = LIVE;
	mutex_unlock(&control_mutex);
	return 0;

err_apply:
	cpuhp_remove_state_nocalls(hotplug_state);
	tio_probes_unregister();
err_check:
	state = LEAVING;
	mutex_unlock(&control_mutex);
	return ret;
}

/**
 * tio_control_exit() - stop watching for good
 *
 * From here on writes to parameters are refused.
 *
 * Context: task, may sleep.
 */
void tio_control_exit(void)
{
	static struct tio_settings off;

	mutex_lock(&control_mutex);
	state = LEAVING;
	off = current_settings;
	off.knobs[TIO_KNOB_ENABLE] = 0;
	apply(&off);
	mutex_unlock(&control_mutex);
	cpuhp_remove_state_nocalls(hotplug_state);
	tio_probes_unregister();
}

/**
 * tio_control_status() - what is in force
 * @status: filled in
 *
 * Context: task, may sleep.
 */
void tio_control_status(struct tio_status *status)
{
	mutex_lock(&control_mutex);
	memcpy(status->knobs, current_settings.knobs, sizeof(status->knobs));
	status->instance = instance;
	status->enabled_ns = enabled_ns;
	status->now_ns = ktime_get_ns();
	status->ring_bytes = tio_watch_bytes(status->knobs[TIO_KNOB_RING_RECORDS]);
	mutex_unlock(&control_mutex);
}

/**
 * tio_control_knob() - the value of one knob
 * @knob: which one
 *
 * Context: any.
 * Return: the value.
 */
u32 tio_control_knob(enum tio_knob knob)
{
	return tio_peek(current_settings.knobs[knob]);
}

/**
 * tio_control_cpus() - print the knob "cpus"
 * @buf: buffer
 * @size: its size
 *
 * Context: task, may sleep.
 * Return: length without the terminating zero.
 */
int tio_control_cpus(char *buf, size_t size)
{
	int len;

	mutex_lock(&control_mutex);
	len = tio_cpus_print(&current_settings, buf, size);
	mutex_unlock(&control_mutex);
	return len;
}

/**
 * tio_control_watched() - print the list of the CPUs that are watched now
 * @buf: buffer
 * @size: its size
 *
 * Context: task, may sleep.
 * Return: length without the terminating zero, or -ENOMEM.
 */
int tio_control_watched(char *buf, size_t size)
{
	cpumask_var_t mask;
	unsigned int cpu;
	int len;

	if (!zalloc_cpumask_var(&mask, GFP_KERNEL))
		return -ENOMEM;
	for_each_possible_cpu(cpu)
		if (tio_counters_watched(cpu))
			cpumask_set_cpu(cpu, mask);
	len = scnprintf(buf, size, "%*pbl", cpumask_pr_args(mask));
	free_cpumask_var(mask);
	return len;
}

/**
 * tio_control_ring() - what the ring of a CPU holds
 * @cpu: the CPU
 * @index: filled in
 *
 * Context: task, may sleep.
 * Return: false for a CPU that was never watched.
 */
bool tio_control_ring(unsigned int cpu, struct tio_ring_index *index)
{
	struct tio_ring *ring = tio_cpu_ring(cpu);

	if (!ring)
		return false;
	mutex_lock(&control_mutex);
	*index = tio_ring_index(ring);
	mutex_unlock(&control_mutex);
	return true;
}

/**
 * tio_control_clear() - drop all records kept
 *
 * Context: task, may sleep.
 */
void tio_control_clear(void)
{
	unsigned int cpu;

	mutex_lock(&control_mutex);
	for_each_possible_cpu(cpu) {
		struct tio_ring *ring = tio_cpu_ring(cpu);

		if (ring)
			tio_ring_clear(ring);
	}
	mutex_unlock(&control_mutex);
}
