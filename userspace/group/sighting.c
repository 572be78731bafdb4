// SPDX-License-Identifier: GPL-2.0-only
#include "group/sighting.h"

void sighting_add(struct sighting *sighting, const struct entry *entry)
{
	bool first = !sighting->count++;

	if (first || entry_start_ns(entry) < sighting->first_ns)
		sighting->first_ns = entry_start_ns(entry);
	if (first || entry->rec.end_ns > sighting->last_ns)
		sighting->last_ns = entry->rec.end_ns;
	if (entry->rec.min_ns > sighting->longest_ns)
		sighting->longest_ns = entry->rec.min_ns;
	cpuset_add(&sighting->cpus, entry->rec.cpu);
}

void sighting_free(struct sighting *sighting)
{
	cpuset_free(&sighting->cpus);
	*sighting = (struct sighting){ 0 };
}
