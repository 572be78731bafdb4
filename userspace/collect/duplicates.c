// SPDX-License-Identifier: GPL-2.0-only
#include "collect/duplicates.h"

/* an open stall has no number: the last capture has it, or the record that it became */
static __u64 mark(struct sequence_set *seen, struct entry **entries, size_t count, bool last)
{
	__u64 open = 0;

	for (size_t i = 0; i < count; i++) {
		const struct tio_record *rec = &entries[i]->rec;

		if (!rec->open)
			entries[i]->view.repeated = !sequence_set_add(seen, rec->cpu, rec->seq);
		else
			entries[i]->view.repeated = !last;
		open += rec->open && entries[i]->view.repeated;
	}
	return open;
}

static void note_briefs(struct sequence_set *seen, const struct briefs *briefs)
{
	for (__u32 cpu = 0; cpu < briefs->ncpus; cpu++)
		for (size_t i = 0; i < briefs->cpus[cpu].count; i++)
			sequence_set_add(seen, cpu, briefs->cpus[cpu].all[i].seq);
}

/**
 * duplicates_mark() - mark the records that count in another capture of the load
 * @seen: records of the captures before
 * @model: the capture's records; they get repeated
 * @last: no later capture of the load follows
 *
 * Return: how many open stalls are left out, because a later capture has them.
 */
__u64 duplicates_mark(struct sequence_set *seen, struct model *model, bool last)
{
	note_briefs(seen, &model->briefs);
	return mark(seen, model->entries, model->nentries, last) +
	       mark(seen, model->dropped, model->ndropped, last);
}
