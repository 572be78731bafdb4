// SPDX-License-Identifier: GPL-2.0-only
#include "model/charge.h"

static void charge(struct entry *entry, charge_call *call, void *context)
{
	const struct charge charge = {
		.entry = entry,
		.to = entry->found.waits_for ? entry->found.waits_for : entry,
		.ns = entry_own_ns(entry),
	};

	call(&charge, context);
}

/**
 * charges_each() - go through what the records of a model add up to
 * @model: sorted records
 * @call: called with each one that counts
 * @context: for @call
 *
 * A filter may have dropped the stall that a victim waited for. A stall that passed has all
 * of its victims, also those that the filter dropped.
 */
void charges_each(const struct model *model, charge_call *call, void *context)
{
	for (size_t i = 0; i < model->nentries; i++)
		if (!model->entries[i]->view.repeated)
			charge(model->entries[i], call, context);
	for (size_t i = 0; i < model->ndropped; i++) {
		struct entry *entry = model->dropped[i];

		if (!entry->view.repeated && entry->found.waits_for &&
		    !entry->found.waits_for->view.dropped)
			charge(entry, call, context);
	}
}

/**
 * charge_culprit() - the name that a stall's time stands under
 * @entry: the stall
 *
 * Return: its culprit; a word in brackets where nobody can be blamed.
 */
const char *charge_culprit(const struct entry *entry)
{
	if (entry->found.verdict.class == TIO_CLASS_STOLEN)
		return "(stolen)";
	return entry->found.culprit ? entry->found.culprit : "(unknown)";
}
