// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "base/lower_bound.h"
#include "base/say.h"
#include "core/record.h"
#include "model/brief.h"

/**
 * brief_of() - what a brief has of a record
 * @rec: the record
 *
 * Return: that; without what its bounds and its place among others say.
 */
struct brief brief_of(const struct tio_record *rec)
{
	return (struct brief){
		.seq = rec->seq,
		.min_ns = rec->min_ns,
		.end_ns = rec->end_ns,
		.kind = rec->kind,
	};
}

/**
 * briefs_add() - one more record
 * @briefs: those of a model
 * @cpu: its CPU, below BRIEF_CPUS
 * @brief: the record
 */
void briefs_add(struct briefs *briefs, __u32 cpu, const struct brief *brief)
{
	struct brief_cpu *of;

	while (briefs->ncpus <= cpu) {
		briefs->cpus = grow(briefs->cpus, briefs->ncpus, sizeof(*briefs->cpus));
		briefs->cpus[briefs->ncpus++] = (struct brief_cpu){ 0 };
	}
	of = &briefs->cpus[cpu];
	of->all = grow(of->all, of->count, sizeof(*of->all));
	of->all[of->count++] = *brief;
	briefs->count++;
}

static int compare(__u64 a, __u64 b)
{
	return (a > b) - (a < b);
}

static int by_number(const void *a, const void *b)
{
	const struct brief *left = a, *right = b;
	int order = compare(left->seq, right->seq);

	return order ? order : compare(left->read, right->read);
}

static int by_end(const void *a, const void *b)
{
	const struct brief *left = a, *right = b;
	int order = compare(left->end_ns, right->end_ns);

	return order ? order : compare(left->seq, right->seq);
}

/* a ring mostly gives them in order, and sorting takes as much memory again */
static void sort(struct brief_cpu *cpu, int (*order)(const void *a, const void *b))
{
	size_t i = 1;

	while (i < cpu->count && order(&cpu->all[i - 1], &cpu->all[i]) <= 0)
		i++;
	if (i < cpu->count)
		qsort(cpu->all, cpu->count, sizeof(*cpu->all), order);
}

/**
 * briefs_keep() - keep the first records of a CPU
 * @briefs: the records
 * @cpu: the CPU
 * @count: how many are kept
 */
void briefs_keep(struct briefs *briefs, __u32 cpu, size_t count)
{
	briefs->count -= briefs->cpus[cpu].count - count;
	briefs->cpus[cpu].count = count;
}

/**
 * briefs_drop_again() - drop the records that have again
 * @briefs: the records
 *
 * Return: how many were dropped.
 */
size_t briefs_drop_again(struct briefs *briefs)
{
	size_t before = briefs->count;

	for (size_t i = 0; i < briefs->ncpus; i++) {
		struct brief_cpu *cpu = &briefs->cpus[i];
		size_t kept = 0;

		for (size_t k = 0; k < cpu->count; k++)
			if (!cpu->all[k].again)
				cpu->all[kept++] = cpu->all[k];
		briefs_keep(briefs, i, kept);
	}
	return before - briefs->count;
}

/**
 * briefs_drop_older() - of records that were read several times, keep what was read last
 * @briefs: the records; they are sorted by number
 *
 * Return: how many were dropped.
 */
size_t briefs_drop_older(struct briefs *briefs)
{
	for (size_t i = 0; i < briefs->ncpus; i++) {
		struct brief_cpu *cpu = &briefs->cpus[i];

		sort(cpu, by_number);
		for (size_t k = 0; k + 1 < cpu->count; k++)
			cpu->all[k].again = cpu->all[k].seq == cpu->all[k + 1].seq;
	}
	return briefs_drop_again(briefs);
}

/**
 * briefs_numbered() - the record of a number
 * @briefs: after briefs_drop_older()
 * @cpu: its CPU
 * @seq: the number
 *
 * Return: the record, or NULL.
 */
struct brief *briefs_numbered(const struct briefs *briefs, __u32 cpu, __u64 seq)
{
	const struct brief_cpu *of = cpu < briefs->ncpus ? &briefs->cpus[cpu] : NULL;
	size_t at = of ? lower_bound(0, of->count, i, of->all[i].seq < seq) : 0;

	return of && at < of->count && of->all[at].seq == seq ? &of->all[at] : NULL;
}

/**
 * briefs_sort() - put the records of each CPU into the order of their ends
 * @briefs: the records
 */
void briefs_sort(struct briefs *briefs)
{
	for (size_t i = 0; i < briefs->ncpus; i++)
		sort(&briefs->cpus[i], by_end);
}

/* from one clock to another */
void briefs_rebase(struct briefs *briefs, __u64 by_ns)
{
	for (size_t i = 0; i < briefs->ncpus; i++)
		for (size_t k = 0; k < briefs->cpus[i].count; k++)
			briefs->cpus[i].all[k].end_ns += by_ns;
}

void briefs_free(struct briefs *briefs)
{
	for (size_t i = 0; i < briefs->ncpus; i++)
		free(briefs->cpus[i].all);
	free(briefs->cpus);
	*briefs = (struct briefs){ 0 };
}
