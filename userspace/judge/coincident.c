// SPDX-License-Identifier: GPL-2.0-only
/*
 * CPUs that stall together cannot sample one another. Either they had interrupts off, or a
 * hypervisor stopped them all. Where the kernel does not count what a hypervisor takes, a
 * record of its own does not say which, even if it ends right behind the instruction that
 * enables interrupts: a CPU may be stopped in a short section. Two CPUs are hardly stopped in
 * the same one.
 */
#include <stdlib.h>
#include <string.h>

#include "judge/coincident.h"
#include "judge/culprit.h"
#include "names/stack_functions.h"

/* whose section the end of a stall closes; NULL: no section of kernel code */
static const struct function *closed_by(const struct symbols *symbols, const struct entry *entry)
{
	const struct tio_sample *end = entry_sample(entry, TIO_END);
	const __u32 elsewhere = TRACE_IRQOFF_F_USER | TRACE_IRQOFF_F_HARDIRQ;

	if (end->flags & elsewhere || !(end->flags & TRACE_IRQOFF_F_AT_IRQ_ENABLE))
		return NULL;
	for (unsigned int i = 0; i < end->nframes; i++) {
		const struct function *function;
		bool gone;

		function = trace_frame(symbols, entry, end, i, &gone);
		if (!function->helper)
			return function->unnamed ? NULL : function;
	}
	return NULL;
}

/* records of a capture may have names of their own, so that one function is there twice */
static bool same_function(const struct function *one, const struct function *other)
{
	return one && other && !strcmp(one->name, other->name) &&
	       !strcmp(one->module, other->module);
}

/* the first record that may have ended together with this one */
static size_t first_near(const struct model *model, const struct entry *entry)
{
	return model_ended_from(model, entry->rec.end_ns - entry_slack_ns(entry));
}

/* of the records behind that one: has this one ended together with @entry, or before? */
static bool still_near(const struct model *model, size_t i, const struct entry *entry)
{
	return i < model->nentries && !model->entries[i]->rec.open &&
	       model->entries[i]->rec.end_ns <= entry->rec.end_ns + entry_slack_ns(entry);
}

static bool hard_elsewhere(const struct entry *entry, const struct entry *other)
{
	return other->rec.cpu != entry->rec.cpu && other->rec.kind == TRACE_IRQOFF_KIND_HARD;
}

/*
 * Did another CPU's section end within a period, give or take what bounds may be wrong by,
 * and in the same function? Or did all that ended then end in the release of a lock, which
 * one of them held and the others waited for?
 */
static bool has_company(const struct symbols *symbols, const struct model *model,
			const struct entry *entry)
{
	const struct function *owner = closed_by(symbols, entry);
	bool any = false, unlock = entry->found.unlocks;

	if (!owner)
		return false;
	for (size_t i = first_near(model, entry); still_near(model, i, entry); i++) {
		const struct entry *other = model->entries[i];
		bool ran = other->found.verdict.class != TIO_CLASS_STOLEN;

		if (!hard_elsewhere(entry, other))
			continue;
		any = true;
		unlock = unlock && ran && other->found.unlocks;
		if (ran && same_function(owner, closed_by(symbols, other)))
			return true;
	}
	return any && unlock;
}

/*
 * Did another CPU stall for half of the time at least, until the end, of which no sample says
 * that it ran? Then both may have been stopped.
 */
static bool together(const struct model *model, const struct entry *entry)
{
	const __u64 half_ns = entry_start_ns(entry) + entry->rec.min_ns / 2;

	for (size_t i = first_near(model, entry); still_near(model, i, entry); i++) {
		const struct entry *other = model->entries[i];
		bool ran = other->found.verdict.evidence == TIO_EVIDENCE_SAMPLE &&
			   other->found.verdict.class != TIO_CLASS_STOLEN;

		if (hard_elsewhere(entry, other) && !ran && entry_start_ns(other) <= half_ns)
			return true;
	}
	return false;
}

/* a section by its end alone, where nobody counted whether the CPU ran */
static bool by_end(const struct entry *entry)
{
	const struct tio_record *rec;
	struct tio_record room;

	if (entry->rec.kind != TRACE_IRQOFF_KIND_HARD ||
	    entry->found.verdict.class != TIO_CLASS_HARDIRQ_OFF ||
	    entry->found.verdict.evidence != TIO_EVIDENCE_END)
		return false;
	rec = entry_record(&room, entry);
	return !rec->steal && rec->smis != 1;
}

/**
 * coincident_find() - look at what other CPUs did where a record alone does not decide
 * @symbols: names
 * @model: all records, sorted, with their verdicts; those that stalled together with another CPU
 *	and have no company get alone
 */
void coincident_find(const struct symbols *symbols, struct model *model)
{
	for (size_t i = 0; i < model->nentries; i++) {
		struct entry *entry = model->entries[i];
		bool asked = entry->found.verdict.undecided ||
			     (by_end(entry) && together(model, entry));

		entry->found.alone = asked && !has_company(symbols, model, entry);
	}
}
