// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "base/lower_bound.h"
#include "base/say.h"
#include "source/follow.h"

/* CONFIG_NR_CPUS is 8192 at most; a file that has more is not to cost more */
#define CPUS_MOST	16384

/* the first cursor that is not of a CPU below @cpu */
static size_t place_of(const struct resume *resume, __u32 cpu)
{
	return lower_bound(0, resume->ncursors, i, resume->cursors[i].cpu < cpu);
}

/**
 * resume_seq() - where a CPU's records are wanted from
 * @resume: the cursors
 * @cpu: the CPU
 *
 * Return: the number; 0, its first record, where the CPU has no cursor.
 */
__u64 resume_seq(const struct resume *resume, __u32 cpu)
{
	size_t at = place_of(resume, cpu);

	if (at == resume->ncursors || resume->cursors[at].cpu != cpu)
		return 0;
	return resume->cursors[at].seq;
}

/**
 * resume_raise() - let a CPU's records be wanted from a number on
 * @resume: the cursors
 * @cpu: the CPU; one that no kernel has is passed over
 * @seq: the number; a cursor that is higher stays
 */
void resume_raise(struct resume *resume, __u32 cpu, __u64 seq)
{
	size_t at = place_of(resume, cpu);

	if (cpu >= CPUS_MOST)
		return;
	if (at < resume->ncursors && resume->cursors[at].cpu == cpu) {
		if (resume->cursors[at].seq < seq)
			resume->cursors[at].seq = seq;
		return;
	}
	resume->cursors = grow(resume->cursors, resume->ncursors, sizeof(*resume->cursors));
	memmove(&resume->cursors[at + 1], &resume->cursors[at],
		(resume->ncursors++ - at) * sizeof(*resume->cursors));
	resume->cursors[at] = (struct cursor){ .cpu = cpu, .seq = seq };
}

void resume_free(struct resume *resume)
{
	free(resume->cursors);
	*resume = (struct resume){ 0 };
}
