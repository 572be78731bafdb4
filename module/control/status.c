// SPDX-License-Identifier: GPL-2.0-only
#include <linux/cpumask.h>
#include <linux/random.h>
#include <linux/slab.h>
#include <linux/timekeeping.h>

#include "control/attach.h"
#include "control/cpu_call.h"
#include "control/memory.h"
#include "control/status.h"
#include "detect/watch.h"
#include "state/counters.h"
#include "state/cpu.h"
#include "state/published.h"
#include "state/ring.h"

static u64 instance __ro_after_init;

/**
 * tio_status_init() - draw the instance's number
 *
 * Context: module init.
 */
void __init tio_status_init(void)
{
	instance = get_random_u64();
}

/**
 * tio_status() - what is in force
 * @status: filled in
 *
 * Context: any but NMI.
 */
void tio_status(struct tio_status *status)
{
	const struct tio_published *state;

	rcu_read_lock();
	state = tio_published();
	*status = (struct tio_status) {
		.generation = state->generation,
		.enabled_ns = state->enabled_ns,
		.stopped_ns = state->stopped_ns,
		.stopped_by = state->stopped_by,
		.self_stops = state->self_stops,
		.freeing = state->free,
	};
	memcpy(status->knobs, state->settings.knobs, sizeof(status->knobs));
	rcu_read_unlock();
	status->instance = instance;
	status->now_ns = ktime_get_ns();
	status->ring_bytes = tio_memory_bytes(status->knobs[TIO_KNOB_RING_RECORDS]);
	status->rings = tio_memory_rings();
	status->freeing = status->freeing && status->rings;
	status->attached = tio_attach_attached();
	status->detaching = tio_attach_detaching();
}

/**
 * tio_status_cpus() - print the knob "cpus"
 * @buf: buffer
 * @size: its size
 *
 * Context: any but NMI.
 * Return: length without the terminating zero.
 */
int tio_status_cpus(char *buf, size_t size)
{
	int len;

	rcu_read_lock();
	len = tio_cpus_print(&tio_published()->settings, buf, size);
	rcu_read_unlock();
	return len;
}

/* prints the list of the possible CPUs that are @in */
static int print_cpus(char *buf, size_t size, bool (*in)(unsigned int cpu))
{
	cpumask_var_t mask;
	unsigned int cpu;
	int len;

	if (!zalloc_cpumask_var(&mask, GFP_KERNEL))
		return -ENOMEM;
	for_each_possible_cpu(cpu)
		if (in(cpu))
			cpumask_set_cpu(cpu, mask);
	len = scnprintf(buf, size, "%*pbl", cpumask_pr_args(mask));
	free_cpumask_var(mask);
	return len;
}

/**
 * tio_status_watched() - print the list of the CPUs that are watched now
 * @buf: buffer
 * @size: its size
 *
 * Context: task, may sleep.
 * Return: length without the terminating zero, or -ENOMEM.
 */
int tio_status_watched(char *buf, size_t size)
{
	return print_cpus(buf, size, tio_counters_watched);
}

/*
 * A CPU that has nothing to take up is behind where detaching waits for its answer, or
 * where watching could not begin for want of it.
 */
static bool behind(unsigned int cpu)
{
	bool late;

	rcu_read_lock();
	late = tio_watch_behind(cpu, tio_published());
	rcu_read_unlock();
	return late || (!tio_published_knob(TIO_KNOB_ENABLE) && tio_cpu_call_silent(cpu));
}

/**
 * tio_status_behind() - print the list of the CPUs that are behind the settings
 * @buf: buffer
 * @size: its size
 *
 * Context: task, may sleep.
 * Return: length without the terminating zero, or -ENOMEM.
 */
int tio_status_behind(char *buf, size_t size)
{
	return print_cpus(buf, size, behind);
}

/**
 * tio_status_ring() - what the ring of a CPU holds
 * @cpu: a possible CPU
 * @index: filled in
 *
 * Context: any but NMI.
 * Return: false for a CPU that was never watched.
 */
bool tio_status_ring(unsigned int cpu, struct tio_ring_index *index)
{
	const struct tio_ring *ring = tio_cpu_ring(cpu);

	if (!ring)
		return false;
	*index = tio_ring_index(ring);
	return true;
}

/**
 * tio_status_tracer() - how many records of a CPU blame the tracer itself
 * @cpu: a CPU for which tio_status_ring() is true
 *
 * Context: any but NMI.
 * Return: the number.
 */
u32 tio_status_tracer(unsigned int cpu)
{
	return tio_ring_tracer(tio_cpu_ring(cpu));
}

/**
 * tio_status_recent() - what a CPU has counted since its records were dropped last
 * @cpu: a CPU for which tio_status_ring() is true
 * @recent: filled in
 *
 * Context: any.
 * Return: when they were dropped, by ktime_get_ns(); 0: never.
 */
u64 tio_status_recent(unsigned int cpu, struct tio_recent *recent)
{
	return tio_ring_counted(tio_cpu_ring(cpu), recent);
}
