// SPDX-License-Identifier: GPL-2.0-only
/* The CPUs that somebody named, and those that there are. */
#include <stdio.h>

#include "base/say.h"
#include "model/cpuset.h"
#include "model/filter.h"

/**
 * filter_name_cpus() - as if these CPUs had been named, and no others
 * @filter: the filter; what it had of CPUs belongs to the caller
 * @cpus: the CPUs; none: all pass
 */
void filter_name_cpus(struct filter *filter, const struct cpuset *cpus)
{
	filter->cpus = NULL;
	filter->ncpus = 0;
	for (__u32 cpu = 0; cpu < cpus->nwords * 64; cpu++) {
		if (!cpuset_has(cpus, cpu))
			continue;
		filter->cpus = grow(filter->cpus, filter->ncpus, sizeof(*filter->cpus));
		filter->cpus[filter->ncpus++] = (struct cpu_range){ cpu, cpu };
	}
}

/**
 * filter_wants_cpu() - does a filter let a CPU's records pass?
 * @filter: the filter
 * @cpu: the CPU
 *
 * Return: true where no CPUs were named, or this is one of them.
 */
bool filter_wants_cpu(const struct filter *filter, __u32 cpu)
{
	for (size_t i = 0; i < filter->ncpus; i++)
		if (cpu >= filter->cpus[i].first && cpu <= filter->cpus[i].last)
			return true;
	return !filter->ncpus;
}

/**
 * filter_watched() - is any CPU watched whose stalls may pass?
 * @filter: the filter
 * @model: counters
 *
 * Return: true when one is.
 */
bool filter_watched(const struct filter *filter, const struct model *model)
{
	for (size_t i = 0; i < model->ncounters; i++)
		if (model->counters[i].watched && filter_wants_cpu(filter, model->counters[i].cpu))
			return true;
	return false;
}

/**
 * filter_absent() - the CPUs whose stalls may pass, where the machine has none of them
 * @buf: room
 * @size: of it
 * @filter: the filter
 * @model: the machine
 *
 * Return: @buf, the list; NULL: it has one of them, or that is not known.
 */
const char *filter_absent(char *buf, size_t size, const struct filter *filter,
			  const struct model *model)
{
	size_t len = 0;

	if (!filter->ncpus || !*model->machine.cpus)
		return NULL;
	for (size_t i = 0; i < filter->ncpus; i++) {
		const struct cpu_range *range = &filter->cpus[i];

		if (cpulist_has(model->machine.cpus, range->first, range->last))
			return NULL;
		if (len < size)
			len += snprintf(buf + len, size - len, "%s%u", i ? "," : "", range->first);
		if (len < size && range->last > range->first)
			len += snprintf(buf + len, size - len, "-%u", range->last);
	}
	return buf;
}

/**
 * filter_tell_absent() - say that the machine lacks some of the CPUs that were named
 * @filter: the filter
 * @model: the machine
 *
 * Where it has none of them, the answer says so.
 */
void filter_tell_absent(const struct filter *filter, const struct model *model)
{
	const char *cpus = model->machine.cpus;
	char all[256];

	if (!*cpus || filter_absent(all, sizeof(all), filter, model))
		return;
	for (size_t i = 0; i < filter->ncpus; i++)
		for (__u32 cpu = filter->cpus[i].first; cpu <= filter->cpus[i].last; cpu++)
			if (!cpulist_has(cpus, cpu, cpu)) {
				note("there is no CPU %u (CPUs %s)", cpu, cpus);
				return;
			}
}

/**
 * filter_tell_offline() - say that some of the CPUs that were named are not online
 * @filter: the filter
 * @model: the machine
 *
 * Where none is, or nobody knows which are, the verdict says so.
 */
void filter_tell_offline(const struct filter *filter, const struct model *model)
{
	const char *online = model->config.online;
	bool any = false, all = true;
	__u32 offline = 0, cpu;

	for (size_t i = 0; online && i < filter->ncpus; i++) {
		const struct cpu_range *range = &filter->cpus[i];

		any |= cpulist_has(online, range->first, range->last);
		for (cpu = range->first; all && cpu <= range->last; cpu++) {
			all = cpulist_has(online, cpu, cpu);
			offline = cpu;
		}
	}
	if (any && !all)
		note("CPU %u of --cpu is not online; online are %s", offline, online);
}
