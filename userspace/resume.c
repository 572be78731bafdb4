// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "follow.h"
#include "say.h"

/**
 * resume_at() - where a CPU's records are wanted from
 * @resume: the cursors
 * @cpu: the CPU
 *
 * Return: the number; 0 where the CPU has no cursor.
 */
__u64 resume_at(const struct resume *resume, __u32 cpu)
{
	for (size_t i = 0; i < resume->ncursors; i++)
		if (resume->cursors[i].cpu == cpu)
			return resume->cursors[i].seq;
	return 0;
}

/**
 * resume_raise() - let a CPU's records be wanted from a number on
 * @resume: the cursors
 * @cpu: the CPU
 * @seq: the number; a cursor that is higher stays
 */
void resume_raise(struct resume *resume, __u32 cpu, __u64 seq)
{
	for (size_t i = 0; i < resume->ncursors; i++) {
		if (resume->cursors[i].cpu != cpu)
			continue;
		if (resume->cursors[i].seq < seq)
			resume->cursors[i].seq = seq;
		return;
	}
	resume->cursors = grow(resume->cursors, resume->ncursors, sizeof(*resume->cursors));
	resume->cursors[resume->ncursors++] = (struct cursor){ .cpu = cpu, .seq = seq };
}

void resume_free(struct resume *resume)
{
	free(resume->cursors);
	*resume = (struct resume){ 0 };
}
