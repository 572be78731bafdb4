// SPDX-License-Identifier: GPL-2.0-only
#include <linux/cpumask.h>
#include <linux/hrtimer.h>
#include <linux/kernel.h>
#include <linux/rcupdate.h>
#include <linux/sched/isolation.h>

#include "control/attach.h"
#include "control/memory.h"
#include "control/prepare.h"
#include "core/cost.h"
#include "core/ring_memory.h"
#include "detect/clock_speed.h"
#include "state/published.h"

#define SLOW_CLOCK \
	"reading the kernel's clock takes %llu ns (see current_clocksource), so period_us must be at least %llu"
#define SLOW_CYCLES \
	"reading the cycle counter takes %llu ns, and each interrupt reads it twice; a hypervisor may intercept it (RDTSC)"
#define SILENT_CPU \
	"CPU %u does not answer, so nothing is changed; echo l > /proc/sysrq-trigger logs where it is"
#define ASK_AGAIN \
	"the probes are being attached or detached, so nothing is changed yet; try again"

/**
 * tio_prepare_cpus() - the CPUs that settings watch
 * @settings: settings
 * @mask: set to possible CPUs; none where watching is off
 *
 * Context: task.
 */
void tio_prepare_cpus(const struct tio_settings *settings, struct cpumask *mask)
{
	cpumask_clear(mask);
	if (!tio_settings_enabled(settings))
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

/*
 * A sentence that has a number. A reader of the answer finds it unchanged unless that
 * many more requests were refused meanwhile.
 */
static __printf(1, 2) const char *sentence(const char *format, ...)
{
	static char sentences[16][128];
	static unsigned int next;
	char *text = sentences[next++ % ARRAY_SIZE(sentences)];
	va_list args;

	va_start(args, format);
	vscnprintf(text, sizeof(sentences[0]), format, args);
	va_end(args);
	return text;
}

/* refuses a clock that is slow to read: for this period, or for any */
static int check_clock(u32 period_us, const struct cpumask *watched, const char **rule)
{
	u64 cycles_ns = tio_clock_speed_cycles();
	u64 read_ns, least_us;

	/* max_cost limits beats, not what interrupts pay */
	if (cycles_ns >= TIO_CYCLES_SLOW_NS) {
		*rule = sentence(SLOW_CYCLES, cycles_ns);
		return -EOPNOTSUPP;
	}
	if (tio_clock_speed_allows(period_us, watched, &read_ns, &least_us))
		return 0;
	*rule = sentence(SLOW_CLOCK, read_ns, least_us);
	return -EOPNOTSUPP;
}

/**
 * tio_prepare_check() - are settings allowed?
 * @settings: settings
 * @rule: set to a static sentence where they are not
 *
 * Context: task; the settings mutex.
 * Return: 0, -EINVAL or -EOPNOTSUPP.
 */
int tio_prepare_check(const struct tio_settings *settings, const char **rule)
{
	/* the settings mutex guards it; it is too large for the stack */
	static struct cpumask watched;

	*rule = tio_knobs_refuse(settings->knobs);
	if (*rule)
		return -EINVAL;
	if (settings->knobs[TIO_KNOB_RING_RECORDS] !=
	    tio_published_knob(TIO_KNOB_RING_RECORDS)) {
		*rule = "ring_records is fixed while the module is loaded";
		return -EINVAL;
	}
	if (!tio_settings_enabled(settings))
		return 0;
	/* 1 where they are on, the length of a tick where they are not */
	if (hrtimer_resolution > 1) {
		*rule = "enabling needs high-resolution timers; boot without highres=off";
		return -EOPNOTSUPP;
	}
	tio_prepare_cpus(settings, &watched);
	return check_clock(settings->knobs[TIO_KNOB_PERIOD_US], &watched, rule);
}

/**
 * tio_prepare_watching() - have probes attached, unless CPUs would take too much memory
 * @watched: CPUs that are to be watched
 * @wait: wait for probes that are being attached
 * @rule: set to a sentence where the answer has one, otherwise left alone
 *
 * Context: task, may sleep; the settings mutex.
 * Return: 0; or -ENOMEM, -EAGAIN, -EINTR, -EINPROGRESS or what the kernel says of a
 * tracepoint, and nothing has changed.
 */
int tio_prepare_watching(const struct cpumask *watched, bool wait, const char **rule)
{
	unsigned int silent;
	int ret;

	/* before anything is done */
	ret = tio_memory_refuse(watched, tio_published_knob(TIO_KNOB_RING_RECORDS), rule);
	if (ret)
		return ret;
	ret = wait ? tio_attach_start(&silent) : tio_attach_ask(&silent);
	switch (ret) {
	case -EAGAIN:
		*rule = sentence(SILENT_CPU, silent);
		return ret;
	case -EBUSY:
		*rule = TIO_HOTPLUG_RULE;
		return wait ? -EAGAIN : -EINPROGRESS;
	case -EINPROGRESS:
		*rule = ASK_AGAIN;
		return ret;
	default:
		return ret;
	}
}

/**
 * tio_prepare_memory() - allocate memory for CPUs that are to be watched
 * @watched: the CPUs; those that are offline get theirs when they come online
 * @rule: set to a static sentence where an allocation fails
 *
 * Context: task, may sleep; the settings mutex and cpus_read_lock.
 * Return: 0; or -ENOMEM, and nothing has changed.
 */
int tio_prepare_memory(const struct cpumask *watched, const char **rule)
{
	int ret = tio_memory_prepare(watched, tio_published_knob(TIO_KNOB_RING_RECORDS));

	if (ret)
		*rule = "an allocation failed; " TIO_RINGS_REMEDY;
	return ret;
}
