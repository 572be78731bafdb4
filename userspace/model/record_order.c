// SPDX-License-Identifier: GPL-2.0-only
#include <stdbool.h>
#include <stdlib.h>

#include "base/say.h"
#include "model/brief.h"
#include "model/record_order.h"

struct ascent_cpu {
	__u64 next;		/* the lowest number that may come */
	__u64 ended_ns[TRACE_IRQOFF_KIND_SOFT + 1];	/* the last stall of each kind */
};

static bool follows(struct ascent_cpu *cpu, const struct tio_record *rec)
{
	__u64 *ended_ns = &cpu->ended_ns[rec->kind];

	if (rec->seq < cpu->next || rec->seq == ~0ULL || rec->end_ns < *ended_ns)
		return false;
	cpu->next = rec->seq + 1;
	*ended_ns = rec->end_ns;
	return true;
}

/**
 * record_order_add() - one more record
 * @ascent: the records that came before
 * @rec: the record; one that is open does not descend
 */
void record_order_add(struct record_order *ascent, const struct tio_record *rec)
{
	if (rec->open) {
		ascent->count++;
		return;
	}
	if (rec->cpu >= BRIEF_CPUS || rec->kind > TRACE_IRQOFF_KIND_SOFT)
		return;
	while (ascent->ncpus <= rec->cpu) {
		ascent->cpus = grow(ascent->cpus, ascent->ncpus, sizeof(*ascent->cpus));
		ascent->cpus[ascent->ncpus++] = (struct ascent_cpu){ 0 };
	}
	ascent->count += follows(&ascent->cpus[rec->cpu], rec);
}

void record_order_free(struct record_order *ascent)
{
	free(ascent->cpus);
	*ascent = (struct record_order){ 0 };
}
