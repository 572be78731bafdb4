// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "base/lower_bound.h"
#include "base/say.h"
#include "base/sequence_set.h"

/* a CPU's numbers are gapless where none was lost: there are few ranges for many of them */
struct range {
	__u64 first;
	__u64 last;
};

struct cpu_numbers {
	__u32 cpu;
	struct range *ranges;	/* ascending, and not adjacent */
	size_t count;
};

static struct cpu_numbers *cpu_of(struct sequence_set *numbers, __u32 cpu)
{
	size_t low = lower_bound(0, numbers->ncpus, i, numbers->cpus[i].cpu < cpu);

	if (low < numbers->ncpus && numbers->cpus[low].cpu == cpu)
		return &numbers->cpus[low];
	numbers->cpus = grow(numbers->cpus, numbers->ncpus, sizeof(*numbers->cpus));
	memmove(&numbers->cpus[low + 1], &numbers->cpus[low],
		(numbers->ncpus++ - low) * sizeof(*numbers->cpus));
	numbers->cpus[low] = (struct cpu_numbers){ .cpu = cpu };
	return &numbers->cpus[low];
}

/* the first range that does not end before @number */
static size_t place_of(const struct cpu_numbers *cpu, __u64 number)
{
	return lower_bound(0, cpu->count, i, cpu->ranges[i].last < number);
}

static void insert(struct cpu_numbers *cpu, size_t at, __u64 number)
{
	cpu->ranges = grow(cpu->ranges, cpu->count, sizeof(*cpu->ranges));
	memmove(&cpu->ranges[at + 1], &cpu->ranges[at], (cpu->count++ - at) * sizeof(*cpu->ranges));
	cpu->ranges[at] = (struct range){ number, number };
}

/* joins a range with the next one where nothing is between them */
static void join(struct cpu_numbers *cpu, size_t at)
{
	if (at + 1 >= cpu->count || cpu->ranges[at].last + 1 != cpu->ranges[at + 1].first)
		return;
	cpu->ranges[at].last = cpu->ranges[at + 1].last;
	memmove(&cpu->ranges[at + 1], &cpu->ranges[at + 2],
		(cpu->count - at - 2) * sizeof(*cpu->ranges));
	cpu->count--;
}

/**
 * sequence_set_add() - add the number of a record
 * @numbers: the numbers
 * @cpu: the record's CPU
 * @number: its number
 *
 * Return: false where it was there already.
 */
bool sequence_set_add(struct sequence_set *numbers, __u32 cpu, __u64 number)
{
	struct cpu_numbers *of = cpu_of(numbers, cpu);
	size_t at = place_of(of, number);

	if (at < of->count && of->ranges[at].first <= number)
		return false;
	numbers->count++;
	if (at && of->ranges[at - 1].last + 1 == number) {
		of->ranges[--at].last = number;
		join(of, at);
	} else if (at < of->count && of->ranges[at].first == number + 1) {
		of->ranges[at].first = number;
	} else {
		insert(of, at, number);
	}
	return true;
}

void sequence_set_free(struct sequence_set *numbers)
{
	for (size_t i = 0; i < numbers->ncpus; i++)
		free(numbers->cpus[i].ranges);
	free(numbers->cpus);
	*numbers = (struct sequence_set){ 0 };
}
