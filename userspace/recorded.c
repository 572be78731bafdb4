// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "recorded.h"
#include "say.h"

/* a CPU's records that a recording has */
struct there {
	__u32 cpu;
	__u64 from;
	__u64 to;		/* behind the last one that it has, or should have */
	__u64 kept;
	__u64 counted;		/* of kept, those from @from on */
};

static int by_cpu(const void *a, const void *b)
{
	const struct there *left = a, *right = b;

	return (left->cpu > right->cpu) - (left->cpu < right->cpu);
}

static struct there *of_all_cpus(const struct model *model, const struct recorded *recorded)
{
	struct there *cpus = alloc(model->ncounters, sizeof(*cpus));

	for (size_t i = 0; i < model->ncounters; i++) {
		__u32 cpu = model->counters[i].cpu;

		cpus[i] = (struct there){
			.cpu = cpu,
			.from = resume_at(&recorded->from, cpu),
			.to = resume_at(&recorded->to, cpu),
		};
	}
	qsort(cpus, model->ncounters, sizeof(*cpus), by_cpu);
	return cpus;
}

static struct there *there_of(struct there *cpus, const struct model *model, __u32 cpu)
{
	const struct there wanted = { .cpu = cpu };

	return bsearch(&wanted, cpus, model->ncounters, sizeof(*cpus), by_cpu);
}

/* a recorder that was killed has records of after it wrote settings and counters last */
static void reach(struct config *config, __u64 end_ns)
{
	if (end_ns <= config->now_ns)
		return;
	config->realtime_ns += end_ns - config->now_ns;
	config->now_ns = end_ns;
}

/**
 * recorded_count() - count what a recording has, and what is missing of it
 * @model: records, each once, settings and counters; kept, lost and cleared are those of the
 *	recording then, not those of the module's ring
 * @recorded: where it begins and ends
 */
void recorded_count(struct model *model, const struct recorded *recorded)
{
	struct there *cpus;

	if (!recorded->known)
		return;
	model->recorded_ns = model->begin.known ? model->begin.now_ns : model->config.now_ns;
	cpus = of_all_cpus(model, recorded);
	for (size_t i = 0; i < model->nentries; i++) {
		const struct tio_record *rec = &model->entries[i]->rec;
		struct there *there = there_of(cpus, model, rec->cpu);

		if (rec->open || !there)
			continue;
		there->kept++;
		there->counted += rec->seq >= there->from;
		if (there->to <= rec->seq)
			there->to = rec->seq + 1;
		if (!recorded->ended)
			reach(&model->config, rec->end_ns);
	}
	for (size_t i = 0; i < model->ncounters; i++) {
		struct cpu_counters *counters = &model->counters[i];
		const struct there *there = there_of(cpus, model, counters->cpu);

		counters->kept = there->kept;
		counters->cleared = 0;
		counters->lost = there->to > there->from + there->counted ?
				 there->to - there->from - there->counted : 0;
	}
	free(cpus);
}

static bool same_stall(const struct tio_record *open, const struct tio_record *other)
{
	__u64 start_ns = open->end_ns - open->min_ns;

	if (open->cpu != other->cpu || open->kind != other->kind)
		return false;
	/* what a CPU's stall of the kind ended after that one began, was that one or a later one */
	return other->open ? other->end_ns > open->end_ns : other->end_ns >= start_ns;
}

/**
 * recorded_drop_open() - drop the open stalls that went on, or that ended later
 * @model: records, in the order in which they were written
 */
void recorded_drop_open(struct model *model)
{
	size_t kept = 0;

	for (size_t i = 0; i < model->nentries; i++) {
		struct entry *entry = model->entries[i];
		bool later = false;

		for (size_t k = i + 1; entry->rec.open && !later && k < model->nentries; k++)
			later = same_stall(&entry->rec, &model->entries[k]->rec);
		if (later)
			entry_free(entry);
		else
			model->entries[kept++] = entry;
	}
	model->nentries = kept;
}

void recorded_free(struct recorded *recorded)
{
	resume_free(&recorded->from);
	resume_free(&recorded->to);
}
