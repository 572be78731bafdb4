// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "base/say.h"
#include "base/units.h"
#include "group/comparison.h"

#define SECONDS_PER_HOUR	3600

static const char * const verdicts[] = {
	[VERDICT_SAME]		= "same",
	[VERDICT_WORSE]		= "worse",
	[VERDICT_BETTER]	= "better",
};

static const char * const side_names[SIDES] = { "the baseline", "the compared side" };

const char *comparison_verdict(enum verdict verdict)
{
	return verdicts[verdict];
}

double comparison_per_hour(double per_second)
{
	return per_second * SECONDS_PER_HOUR;
}

static char *too_few(const struct side_read *read, unsigned int side)
{
	if (read->nodes >= RATIO_NODES_LEAST)
		return NULL;
	return print_text("%s has %u %s and needs at least %u; add captures of other nodes",
			  side_names[side], read->nodes, read->nodes == 1 ? "node" : "nodes",
			  RATIO_NODES_LEAST);
}

static char *too_many_left_out(const struct side_read *read, unsigned int side)
{
	size_t left_out = 0;

	for (unsigned int i = 0; i < WATCHED_STATES; i++)
		left_out += read->left_out[i];
	if (left_out <= COMPARISON_LEFT_OUT_MOST * read->captures)
		return NULL;
	return print_text("%zu of %zu captures of %s are left out, more than %.0f %%",
			  left_out, read->captures, side_names[side],
			  100 * COMPARISON_LEFT_OUT_MOST);
}

static char *too_many_lost(const struct side_read *read, unsigned int side)
{
	if (read->lost <= COMPARISON_LOST_MOST * read->records)
		return NULL;
	return print_text("%.1f %% of the records of %s are lost, more than %.0f %%",
			  100.0 * read->lost / read->records, side_names[side],
			  100 * COMPARISON_LOST_MOST);
}

static char *other_periods(const struct comparison *comparison)
{
	char shortest[UNITS_LEN], longest[UNITS_LEN];

	if (comparison->period_ns[0] == comparison->period_ns[1])
		return NULL;
	return print_text("periods range from %s to %s, and a shorter one finds more stalls; "
			  "compare captures of one period",
			  print_duration(shortest, comparison->period_ns[0]),
			  print_duration(longest, comparison->period_ns[1]));
}

static char *find_reason(const struct comparison *comparison)
{
	static char *(*const reasons[])(const struct side_read *read, unsigned int side) = {
		too_many_left_out, too_few, too_many_lost,
	};
	char *reason;

	for (size_t i = 0; i < ARRAY_SIZE(reasons); i++) {
		for (unsigned int side = 0; side < SIDES; side++) {
			reason = reasons[i](&comparison->sides[side], side);
			if (reason)
				return reason;
		}
	}
	return other_periods(comparison);
}

/* a side's nodes that were watched, in a row */
struct row {
	double *events;
	double *seconds;
	size_t nodes;
	size_t *places;		/* of each node in the row */
};

static struct row row_of(const struct side_read *read)
{
	struct row row = {
		.events = alloc(read->nodes, sizeof(*row.events)),
		.seconds = alloc(read->nodes, sizeof(*row.seconds)),
		.places = alloc(read->places.nnodes, sizeof(*row.places)),
	};

	for (unsigned int i = 0; i < read->places.nnodes; i++) {
		row.places[i] = row.nodes;
		if (read->watched_ns[i])
			row.seconds[row.nodes++] = (double)read->watched_ns[i] / NSEC_PER_SEC;
	}
	return row;
}

static void rotation_free(struct row *row)
{
	free(row->events);
	free(row->seconds);
	free(row->places);
}

static struct counted count(struct compared *group, unsigned int side, struct row *row)
{
	memset(row->events, 0, row->nodes * sizeof(*row->events));
	group->seen_on[side] = 0;
	for (size_t i = 0; i < group->nnodes[side]; i++) {
		double *events = &row->events[row->places[group->nodes[side][i].node]];

		group->seen_on[side] += !*events;
		*events += group->nodes[side][i].count;
	}
	return (struct counted){
		.events = row->events, .seconds = row->seconds, .nodes = row->nodes,
	};
}

static void find_ratios(struct comparison *comparison)
{
	struct row rows[SIDES];
	struct ratio **ratios = alloc(comparison->ngroups, sizeof(struct ratio *));

	for (unsigned int side = 0; side < SIDES; side++)
		rows[side] = row_of(&comparison->sides[side]);
	for (size_t i = 0; i < comparison->ngroups; i++) {
		struct compared *group = comparison->groups[i];
		const struct counted before = count(group, BEFORE, &rows[BEFORE]);
		const struct counted after = count(group, AFTER, &rows[AFTER]);

		ratio_find(&before, &after, &group->ratio);
		ratios[i] = &group->ratio;
	}
	ratio_correct(ratios, comparison->ngroups);
	for (unsigned int side = 0; side < SIDES; side++)
		rotation_free(&rows[side]);
	free(ratios);
}

static int by_verdict(const void *a, const void *b)
{
	const struct compared *left = *(struct compared *const *)a;
	const struct compared *right = *(struct compared *const *)b;
	int order = (right->verdict == VERDICT_WORSE) - (left->verdict == VERDICT_WORSE);

	if (!order)
		order = (left->ratio.p > right->ratio.p) - (left->ratio.p < right->ratio.p);
	for (unsigned int side = AFTER + 1; side-- && !order;)
		order = (left->counts[side] < right->counts[side]) -
			(left->counts[side] > right->counts[side]);
	for (unsigned int i = 0; i < SUMMARY_KEYS && !order; i++)
		if (left->texts[i])
			order = strcmp(left->texts[i], right->texts[i]);
	return order;
}

/**
 * comparison_judge() - what got worse, or why nobody can tell
 * @comparison: from comparison_read()
 */
void comparison_judge(struct comparison *comparison)
{
	if (!comparison->cannot_tell)
		comparison->cannot_tell = find_reason(comparison);
	if (comparison->cannot_tell)
		return;
	find_ratios(comparison);
	for (size_t i = 0; i < comparison->ngroups; i++) {
		struct compared *group = comparison->groups[i];

		if (group->ratio.p < RATIO_LEVEL)
			group->verdict = group->ratio.ratio > 1 ? VERDICT_WORSE : VERDICT_BETTER;
		comparison->verdicts[group->verdict]++;
	}
	if (comparison->ngroups)
		qsort(comparison->groups, comparison->ngroups, sizeof(*comparison->groups),
		      by_verdict);
}

static void group_free(struct compared *group)
{
	for (unsigned int i = 0; i < SUMMARY_KEYS; i++)
		free(group->texts[i]);
	for (unsigned int side = 0; side < SIDES; side++)
		free(group->nodes[side]);
	free(group);
}

void comparison_free(struct comparison *comparison)
{
	for (size_t i = 0; i < comparison->ngroups; i++)
		group_free(comparison->groups[i]);
	free(comparison->groups);
	for (unsigned int side = 0; side < SIDES; side++) {
		places_free(&comparison->sides[side].places);
		free(comparison->sides[side].watched_ns);
	}
	free(comparison->cannot_tell);
	*comparison = (struct comparison){ 0 };
}
