// SPDX-License-Identifier: GPL-2.0-only
/*
 * A packet waits for the CPU that its device interrupts, or that RPS hands it to. Captures
 * tell both for each device, as it was set up, and which CPUs took packets at all.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "counted.h"
#include "say.h"
#include "takers.h"

/* as if these CPUs had been named */
static void ask_about(struct takers *takers)
{
	struct filter *filter = &takers->filter;

	for (__u32 cpu = 0; cpu < takers->cpus.nwords * 64; cpu++) {
		if (!cpuset_has(&takers->cpus, cpu))
			continue;
		filter->cpus = grow(filter->cpus, filter->ncpus, sizeof(*filter->cpus));
		filter->cpus[filter->ncpus++] = (struct cpu_range){ cpu, cpu };
	}
}

/* of those that may serve it, the ones that took packets, where any did */
static void narrow(struct cpuset *cpus, const struct cpuset *took)
{
	struct cpuset both = { 0 };

	for (__u32 cpu = 0; cpu < took->nwords * 64; cpu++)
		if (cpuset_has(took, cpu) && (!cpuset_count(cpus) || cpuset_has(cpus, cpu)))
			cpuset_add(&both, cpu);
	if (cpuset_count(&both)) {
		cpuset_free(cpus);
		*cpus = both;
	} else {
		cpuset_free(&both);
	}
}

static const char *plural(const char *list)
{
	return strpbrk(list, ",-") ? "CPUs" : "CPU";
}

static char *say_how(const struct cpuset *cpus, const char *of_device, enum counted_how how)
{
	const char *when = how == COUNTED_BETWEEN ? "in that time" : "since boot";
	char list[256];

	cpuset_print(list, sizeof(list), cpus);
	if (!*list)
		return print_text("%s%sall CPUs are asked: nothing tells which took packets",
				  of_device ? of_device : "", of_device ? "; " : "");
	if (how == COUNTED_UNKNOWN)
		return print_text("%s: %s %s", of_device, plural(list), list);
	if (of_device)
		return print_text("%s; %s %s of them took packets %s (softnet_stat)", of_device,
				  plural(list), list, when);
	return print_text("%s %s took packets %s (softnet_stat), the others are not asked",
			  plural(list), list, when);
}

/**
 * takers_find() - which CPUs took the packets?
 * @takers: the result, for takers_free()
 * @collection: of the node
 * @asked: names CPUs, or none
 * @dev: the device that took them; NULL: not known
 * @from_ns: when the first packet came, by the kernel's clock
 * @to_ns: when the last one did
 *
 * Return: an exit status.
 */
int takers_find(struct takers *takers, const struct collection *collection,
		const struct filter *asked, const char *dev, __u64 from_ns, __u64 to_ns)
{
	const char *of_device = NULL;
	struct cpuset took = { 0 };
	enum counted_how how;
	bool all;

	*takers = (struct takers){ .filter = *asked };
	takers->filter.cpus = NULL;
	if (asked->ncpus) {
		takers->filter.cpus = alloc(asked->ncpus, sizeof(*asked->cpus));
		memcpy(takers->filter.cpus, asked->cpus, asked->ncpus * sizeof(*asked->cpus));
		return EXIT_DONE;
	}
	if (dev && !counted_device(&collection->model, dev, &takers->cpus, &all, &of_device))
		return failed("%s does not say which CPUs served '%s'; name CPUs by --cpu",
			      collection->name ? collection->name : "this machine", dev);
	how = counted_cpus(&collection->model, from_ns, to_ns, &took);
	narrow(&takers->cpus, &took);
	cpuset_free(&took);
	takers->how = say_how(&takers->cpus, of_device, how);
	ask_about(takers);
	return EXIT_DONE;
}

void takers_free(struct takers *takers)
{
	free(takers->filter.cpus);
	cpuset_free(&takers->cpus);
	free(takers->how);
}
