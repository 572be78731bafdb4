// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "gaps.h"
#include "say.h"

/* a CPU, and the number that its next older record must have if there is no gap */
struct newer {
	__u32 cpu;
	bool lost;
	bool any;
	__u64 next;
};

static int by_cpu(const void *a, const void *b)
{
	const struct newer *left = a, *right = b;

	return (left->cpu > right->cpu) - (left->cpu < right->cpu);
}

static struct newer *of_all_cpus(const struct model *model)
{
	struct newer *cpus = alloc(model->ncounters, sizeof(*cpus));

	/* where the reader lacks records a gap may be its own, and there are no rates to spoil */
	for (size_t i = 0; i < model->ncounters; i++)
		cpus[i] = (struct newer){
			.cpu = model->counters[i].cpu,
			.lost = model->counters[i].lost && !model_lacks_records(model),
		};
	qsort(cpus, model->ncounters, sizeof(*cpus), by_cpu);
	return cpus;
}

/**
 * gaps_find() - mark the records that are older than a gap
 * @model: sorted records and counters; the records get early
 *
 * A full ring keeps, besides the newest records, the longest ones and rare ones. Between
 * those and the newest others are missing, so they say nothing about how often stalls
 * come.
 */
void gaps_find(struct model *model)
{
	struct newer *cpus = of_all_cpus(model);

	for (size_t i = model->nentries; i; i--) {
		struct entry *entry = model->entries[i - 1];
		const struct newer wanted = { .cpu = entry->rec.cpu };
		struct newer *cpu = bsearch(&wanted, cpus, model->ncounters, sizeof(*cpus), by_cpu);

		entry->early = false;
		if (!cpu || !cpu->lost || entry->rec.open)
			continue;
		entry->early = cpu->any && entry->rec.seq != cpu->next;
		if (!entry->early)
			cpu->next = entry->rec.seq - 1;
		cpu->any = true;
	}
	free(cpus);
}
