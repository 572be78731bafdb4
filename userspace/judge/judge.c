// SPDX-License-Identifier: GPL-2.0-only
#include "judge/coincident.h"
#include "judge/culprit.h"
#include "judge/gaps.h"
#include "judge/judge.h"
#include "judge/lock_wait.h"
#include "judge/on_behalf.h"
#include "judge/victim.h"

/* by what the record has itself */
static void judge_alone(const struct symbols *symbols, struct model *model, struct entry *packed)
{
	struct entry room, *entry = entry_open(&room, packed);

	tio_judge(&entry->rec, &entry->found.verdict);
	culprit_find(symbols, entry);
	entry_share_names(entry, model->pool);
	victim_look(symbols, entry);
	entry_close(packed, entry);
}

/* company is no proof that a CPU ran which a hypervisor may have taken */
static void confirm(const struct symbols *symbols, struct entry *packed)
{
	struct entry room, *entry = entry_open(&room, packed);
	struct tio_verdict *verdict = &entry->found.verdict;

	if (entry->rec.beneath == TIO_BENEATH_HYPERVISOR && !entry->rec.steal)
		verdict->suspected = TIO_CLASS_HARDIRQ_OFF;
	else
		verdict->class = TIO_CLASS_HARDIRQ_OFF;
	culprit_find(symbols, entry);
	entry_close(packed, entry);
}

/*
 * By what other CPUs did then. A stall that is undecided and has company is a section. One that
 * looks like a section by its end, and stalled together with another CPU, but has no company, is
 * unknown.
 */
static void judge_together(const struct symbols *symbols, struct entry *entry)
{
	struct tio_verdict *verdict = &entry->found.verdict;

	if (verdict->undecided && !entry->found.alone) {
		confirm(symbols, entry);
	} else if (entry->found.alone && verdict->class == TIO_CLASS_HARDIRQ_OFF) {
		verdict->class = TIO_CLASS_UNKNOWN;
		culprit_forget(entry);
	}
}

/**
 * judge_records() - work out verdicts, culprits and victims, and sort the records
 * @symbols: names
 * @model: all records
 */
void judge_records(const struct symbols *symbols, struct model *model)
{
	model_sort(model);
	gaps_find(model);
	for (size_t i = 0; i < model->nentries; i++)
		judge_alone(symbols, model, model->entries[i]);
	coincident_find(symbols, model);
	for (size_t i = 0; i < model->nentries; i++)
		judge_together(symbols, model->entries[i]);
	victim_link(model);
	for (size_t i = 0; i < model->nentries; i++) {
		lock_wait_find(symbols, model, model->entries[i]);
		behalf_find(symbols, model->entries[i]);
	}
}
