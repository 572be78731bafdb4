// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "base/say.h"
#include "judge/gaps.h"

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

/* of a CPU's records, the newest first: is it older than a gap? */
static bool is_early(struct newer *cpu, __u64 seq)
{
	bool early = cpu->any && seq != cpu->next;

	if (!early)
		cpu->next = seq - 1;
	cpu->any = true;
	return early;
}

static struct newer *newer_of(struct newer *cpus, const struct model *model, __u32 cpu)
{
	const struct newer wanted = { .cpu = cpu };
	struct newer *found = bsearch(&wanted, cpus, model->ncounters, sizeof(*cpus), by_cpu);

	return found && found->lost ? found : NULL;
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
		struct newer *newer = newer_of(cpus, model, entry->rec.cpu);

		entry->view.early = newer && !entry->rec.open && is_early(newer, entry->rec.seq);
	}
	/* these ended before the others */
	for (__u32 cpu = 0; cpu < model->briefs.ncpus; cpu++) {
		const struct brief_cpu *of = &model->briefs.cpus[cpu];
		struct newer *newer = newer_of(cpus, model, cpu);

		for (size_t i = of->count; newer && i; i--)
			of->all[i - 1].early = is_early(newer, of->all[i - 1].seq);
	}
	free(cpus);
}
