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
 * charge_blames() - is a stall somebody's doing that a CPU ran?
 * @entry: the stall
 *
 * Return: false of the classes stolen and unknown, and of a stall that waited for a lock while it
 * is not known who had that.
 */
bool charge_blames(const struct entry *entry)
{
	return tio_class_blames(entry->found.verdict.class) && !entry->found.lock;
}

/**
 * charge_culprit() - the name that a stall's time stands under
 * @entry: the stall
 *
 * Return: its culprit; words in brackets where nobody can be blamed.
 */
const char *charge_culprit(const struct entry *entry)
{
	if (entry->found.verdict.class == TIO_CLASS_STOLEN)
		return "(stolen)";
	if (entry->found.lock)
		return entry->found.lock;
	return entry->found.culprit ? entry->found.culprit : "(unknown)";
}

/*
 * nested_ns adds up the lower bounds of the stalls nested in this one. Each of them has
 * lasted the threshold, but for one that began before this one, and may have been longer
 * by as much as bounds are apart.
 */
static struct bounds own_bounds(const struct tio_record *rec)
{
	__u64 nested_ns = rec->nested_ns;
	struct bounds bounds = {
		.max_ns = rec->max_ns > nested_ns ? rec->max_ns - nested_ns : 0,
	};

	if (nested_ns && rec->threshold_ns)
		nested_ns += (nested_ns / rec->threshold_ns + 1) *
			     (rec->period_ns + TIO_BOUNDS_SLACK_NS);
	bounds.min_ns = rec->min_ns > nested_ns ? rec->min_ns - nested_ns : 0;
	return bounds;
}

static void add(struct bounds *sum, const struct bounds *bounds)
{
	sum->min_ns += bounds->min_ns;
	/* where it is not known when softirqs were last on, it is the time since boot */
	if (__builtin_add_overflow(sum->max_ns, bounds->max_ns, &sum->max_ns))
		sum->max_ns = ~0ULL;
}

/**
 * cost_add() - add a record's time
 * @cost: of the record's culprit; of a victim, of the culprit of the stall it waited for
 * @entry: the record
 */
void cost_add(struct cost *cost, const struct entry *entry)
{
	struct tio_record room;
	const struct bounds bounds = own_bounds(entry_record(&room, entry));

	if (!entry->found.waits_for)
		add(&cost->own, &bounds);
	else if (entry->found.probable)
		add(&cost->probable, &bounds);
	else
		add(&cost->proved, &bounds);
}

void cost_merge(struct cost *cost, const struct cost *more)
{
	add(&cost->own, &more->own);
	add(&cost->proved, &more->proved);
	add(&cost->probable, &more->probable);
}

/* all of it */
struct bounds cost_sum(const struct cost *cost)
{
	struct bounds sum = cost->own;

	add(&sum, &cost->proved);
	add(&sum, &cost->probable);
	return sum;
}
