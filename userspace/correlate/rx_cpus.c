// SPDX-License-Identifier: GPL-2.0-only
/*
 * A packet waits for the CPU that its device interrupts, and for the one that RPS hands it to.
 * Captures tell both for each device, as it was set up, and which CPUs took packets at all. A
 * CPU that hands all of them on takes none itself.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/say.h"
#include "correlate/rx_cpus.h"
#include "model/counted.h"

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

static const char *when(enum counted_how how)
{
	return how == COUNTED_BETWEEN ? "in that time" : "since boot, maybe before that time";
}

static char *say_how(const struct cpuset *cpus, const char *of_device, enum counted_how how)
{
	char list[256];

	cpuset_print(list, sizeof(list), cpus);
	if (!*list)
		return print_text("%s%sall CPUs are asked: nothing tells which took packets",
				  of_device ? of_device : "", of_device ? "; " : "");
	if (how == COUNTED_UNKNOWN)
		return print_text("%s: %s %s", of_device, cpulist_noun(list), list);
	if (of_device)
		return print_text("%s; %s %s of them took packets %s (softnet_stat)", of_device,
				  cpulist_noun(list), list, when(how));
	return print_text("%s %s took packets %s (softnet_stat), the others are not asked",
			  cpulist_noun(list), list, when(how));
}

/* the CPUs that the user named, and how that goes with what was counted */
static void take_named(struct rx_cpus *takers, const struct filter *named, enum counted_how how)
{
	char list[256];

	takers->filter.cpus = alloc(named->ncpus, sizeof(*named->cpus));
	memcpy(takers->filter.cpus, named->cpus, named->ncpus * sizeof(*named->cpus));
	cpuset_print(list, sizeof(list), &takers->took);
	if (*list)
		takers->how = print_text("CPUs are asked as named by --cpu; %s %s took packets %s",
					 cpulist_noun(list), list, when(how));
}

static int no_device(const struct collection *collection, const char *dev)
{
	const struct net_counted *counted = &collection->model.counted;
	char *known = NULL;

	for (size_t i = 0; i < counted->ndevices; i++) {
		char *longer = print_text("%s%s%s", known ? known : "", known ? ", " : "",
					  counted->devices[i].dev);

		free(known);
		known = longer;
	}
	failed("%s does not say which CPUs served '%s' (it knows %s); name CPUs by --cpu",
	       collection->name ? collection->name : "this machine", dev,
	       known ? known : "no device");
	free(known);
	return EXIT_FAILED;
}

/**
 * rx_cpus_find() - which CPUs took the packets?
 * @takers: the result, for rx_cpus_free()
 * @collection: of the node
 * @named: names CPUs, or none
 * @taken: which packets
 *
 * Return: an exit status.
 */
int rx_cpus_find(struct rx_cpus *takers, const struct collection *collection,
		 const struct filter *named, const struct taken *taken)
{
	const struct model *model = &collection->model;
	const char *of_device = NULL, *dev = taken->dev;
	enum counted_how how;
	int ret = EXIT_DONE;
	bool all;

	*takers = (struct rx_cpus){ .filter = *named };
	takers->filter.cpus = NULL;
	how = counted_cpus(model, taken->from_ns, taken->to_ns, &takers->took);
	if (named->ncpus) {
		take_named(takers, named, how);
	} else if (dev && !counted_device(model, dev, &takers->cpus, &all, &of_device)) {
		ret = no_device(collection, dev);
	} else if (taken->by_tasks && !dev) {
		takers->how = copy_text("all CPUs are asked, because tasks reply");
	} else {
		counted_steering(model, &takers->took);
		narrow(&takers->cpus, &takers->took);
		takers->how = say_how(&takers->cpus, of_device, how);
		filter_name_cpus(&takers->filter, &takers->cpus);
	}
	return ret;
}

void rx_cpus_free(struct rx_cpus *takers)
{
	free(takers->filter.cpus);
	cpuset_free(&takers->cpus);
	cpuset_free(&takers->took);
	free(takers->how);
}
