// SPDX-License-Identifier: GPL-2.0-only
/*
 * The callbacks take no mutex: whoever changes settings may wait for a hotplug operation
 * to end. Each runs on the CPU that it is about.
 */
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>

#include "control/hotplug.h"
#include "control/memory.h"
#include "detect/watch.h"
#include "state/cpu.h"
#include "state/published.h"

static int hotplug_state;

static int watch_online(unsigned int cpu)
{
	const char *rule = "an allocation failed";
	bool watched;
	u32 records;

	rcu_read_lock();
	watched = cpumask_test_cpu(cpu, &tio_published()->watched);
	records = tio_published()->settings.knobs[TIO_KNOB_RING_RECORDS];
	rcu_read_unlock();
	/* without memory the CPU comes online all the same, and is not watched */
	if (watched && (tio_memory_refuse(cpumask_of(cpu), records, &rule) ||
			tio_memory_prepare(cpumask_of(cpu), records)))
		pr_warn("CPU %u is online and not watched: %s\n", cpu, rule);
	tio_watch_online(true);
	return 0;
}

static int watch_offline(unsigned int cpu)
{
	tio_watch_online(false);
	return 0;
}

/**
 * tio_hotplug_init() - follow CPUs that come and go
 *
 * Context: module init, before any CPU is watched.
 * Return: 0 or a negative errno.
 */
int tio_hotplug_init(void)
{
	unsigned int cpu;
	int ret;

	cpus_read_lock();
	ret = cpuhp_setup_state_nocalls_cpuslocked(CPUHP_AP_ONLINE_DYN,
						   "trace_irqoff:online",
						   watch_online, watch_offline);
	if (ret >= 0) {
		hotplug_state = ret;
		for_each_online_cpu(cpu)
			WRITE_ONCE(per_cpu(tio_cpu.watch.online, cpu), true);
	}
	cpus_read_unlock();
	return ret < 0 ? ret : 0;
}

/**
 * tio_hotplug_exit() - follow them no more
 *
 * Context: task, may sleep; no CPU is watched.
 */
void tio_hotplug_exit(void)
{
	cpuhp_remove_state_nocalls(hotplug_state);
}
