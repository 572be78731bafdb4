// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "base/say.h"
#include "judge/proof.h"

/*
 * The least value of all CPUs but two: the least ones of three CPUs tell it, for the
 * two that are left out cannot be all of them.
 */
struct least {
	struct mark {
		__u64 value;
		__u32 cpu;
	} marks[3];		/* each of another CPU, the least one first */
	size_t count;
};

static void least_add(struct least *least, __u32 cpu, __u64 value)
{
	size_t at = 0, goes;

	for (; at < least->count && least->marks[at].value <= value; at++)
		if (least->marks[at].cpu == cpu)
			return;
	if (at == ARRAY_SIZE(least->marks))
		return;
	/* a CPU has one mark; one of too many CPUs goes as well */
	for (goes = at; goes < least->count && least->marks[goes].cpu != cpu; goes++)
		;
	if (goes == ARRAY_SIZE(least->marks))
		goes--;
	else if (goes == least->count)
		least->count++;
	memmove(&least->marks[at + 1], &least->marks[at], (goes - at) * sizeof(*least->marks));
	least->marks[at] = (struct mark){ .cpu = cpu, .value = value };
}

/* is there a value of @most or less, of a CPU that is neither of these two? */
static bool least_below(const struct least *least, __u64 most, __u32 cpu, __u32 other_cpu)
{
	for (size_t i = 0; i < least->count; i++)
		if (least->marks[i].cpu != cpu && least->marks[i].cpu != other_cpu)
			return least->marks[i].value <= most;
	return false;
}

struct proof {
	const struct model *model;
	/*
	 * [i]: when hard stalls may have begun at the earliest, of the sorted records from
	 * the one at i on
	 */
	struct least *began;
	/* ~ the index of the oldest record, of CPUs that lost records */
	struct least lost;
};

static __u64 earliest_ns(const struct tio_record *rec)
{
	return rec->end_ns > rec->max_ns ? rec->end_ns - rec->max_ns : 0;
}

/* a CPU, and the oldest one among the sorted records behind which none is missing */
struct oldest {
	__u32 cpu;
	bool lost;		/* older ones, or some were cleared */
	size_t entry;		/* the number of all records where it has none */
};

static int by_cpu(const void *a, const void *b)
{
	const struct oldest *left = a, *right = b;

	return (left->cpu > right->cpu) - (left->cpu < right->cpu);
}

/*
 * Of a CPU that lost records none is missing that was made after the oldest one that is
 * not older than a gap.
 */
static void find_lost(struct proof *proof)
{
	const struct model *model = proof->model;
	struct oldest *cpus = alloc(model->ncounters, sizeof(*cpus));

	for (size_t i = 0; i < model->ncounters; i++) {
		const struct cpu_counters *counters = &model->counters[i];

		cpus[i] = (struct oldest){
			.cpu = counters->cpu,
			.lost = counters->lost || counters->cleared,
			.entry = model->nentries,
		};
	}
	qsort(cpus, model->ncounters, sizeof(*cpus), by_cpu);
	for (size_t i = model->nentries; i; i--) {
		const struct oldest wanted = { .cpu = model->entries[i - 1]->rec.cpu };
		struct oldest *found = bsearch(&wanted, cpus, model->ncounters, sizeof(*cpus),
					       by_cpu);

		if (found && !model->entries[i - 1]->view.early)
			found->entry = i - 1;
	}
	for (size_t i = 0; i < model->ncounters; i++)
		if (cpus[i].lost)
			least_add(&proof->lost, cpus[i].cpu, ~(__u64)cpus[i].entry);
	free(cpus);
}

/**
 * proof_new() - get ready for proofs
 * @model: all records, sorted; must stay as it is
 *
 * Return: what proof_no_other() needs.
 */
struct proof *proof_new(const struct model *model)
{
	struct proof *proof = alloc(1, sizeof(*proof));
	struct least least = { 0 };

	proof->model = model;
	proof->began = alloc(model->nentries, sizeof(*proof->began));
	find_lost(proof);
	for (size_t i = model->nentries; i; i--) {
		const struct tio_record *rec = &model->entries[i - 1]->rec;

		if (rec->kind == TRACE_IRQOFF_KIND_HARD)
			least_add(&least, rec->cpu, earliest_ns(rec));
		proof->began[i - 1] = least;
	}
	return proof;
}

void proof_free(struct proof *proof)
{
	free(proof->began);
	free(proof);
}

/* does every CPU but these two have a record of each hard stall that went on then? */
static bool all_known(const struct proof *proof, const struct entry *entry, __u64 ended,
		      __u32 other_cpu)
{
	const struct config *config = &proof->model->config;

	/* a CPU that is behind may not be watched yet, and what is busy may be such a stall */
	return config->enabled && entry_start_ns(entry) >= config->enabled_ns &&
	       !proof->model->nbusy && !model_lacks_records(proof->model) &&
	       !(config->behind && *config->behind) &&
	       config->watched && config->online && !strcmp(config->watched, config->online) &&
	       !least_below(&proof->lost, ~ended, entry->rec.cpu, other_cpu);
}

/**
 * proof_no_other() - is it certain that no third CPU was in a hard stall?
 * @proof: from proof_new()
 * @entry: a record of one CPU
 * @at_ns: a moment in it
 * @other_cpu: the other CPU
 *
 * Return: true when it is.
 */
bool proof_no_other(const struct proof *proof, const struct entry *entry, __u64 at_ns,
		    __u32 other_cpu)
{
	size_t ended = model_ended_from(proof->model, at_ns);

	return all_known(proof, entry, ended, other_cpu) &&
	       (ended == proof->model->nentries ||
		!least_below(&proof->began[ended], at_ns, entry->rec.cpu, other_cpu));
}
