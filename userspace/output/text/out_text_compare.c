// SPDX-License-Identifier: GPL-2.0-only
/* Which culprits' rates have changed between two sets of captures. */
#include <math.h>
#include <string.h>

#include "base/units.h"
#include "group/comparison.h"
#include "output/out.h"
#include "output/table.h"

/* what stands in the place of a smaller one */
#define LEAST_P	0.0001

#define NSEC_PER_HOUR	(3600 * NSEC_PER_SEC)

static const char *key(const void *data, enum summary_key key)
{
	const struct compared *group = data;

	return group->texts[key];
}

static const char *text_culprit_of(char buf[CELL_LEN], const struct page *page, const void *data)
{
	(void)buf;
	(void)page;
	return key(data, SUMMARY_CULPRIT);
}

static const char *text_busy_of(char buf[CELL_LEN], const struct page *page, const void *data)
{
	(void)buf;
	(void)page;
	return key(data, SUMMARY_BUSY);
}

static const char *text_class_of(char buf[CELL_LEN], const struct page *page, const void *data)
{
	(void)buf;
	(void)page;
	return key(data, SUMMARY_CLASS);
}

static const char *print_three(char *buf, size_t size, double number)
{
	snprintf(buf, size, number < 1000 ? "%.3g" : "%.0f", number);
	return buf;
}

static const char *text_before(char buf[CELL_LEN], const struct page *page, const void *data)
{
	const struct compared *group = data;

	(void)page;
	return print_three(buf, CELL_LEN, comparison_per_hour(group->ratio.before));
}

static const char *text_after(char buf[CELL_LEN], const struct page *page, const void *data)
{
	const struct compared *group = data;

	(void)page;
	return print_three(buf, CELL_LEN, comparison_per_hour(group->ratio.after));
}

static const char *text_ratio(char buf[CELL_LEN], const struct page *page, const void *data)
{
	const struct compared *group = data;

	(void)page;
	return isinf(group->ratio.ratio) ? "new" : print_three(buf, CELL_LEN, group->ratio.ratio);
}

static const char *text_interval(char buf[CELL_LEN], const struct page *page, const void *data)
{
	const struct compared *group = data;
	char low[32], high[32] = "";

	(void)page;
	if (!isinf(group->ratio.high))
		print_three(high, sizeof(high), group->ratio.high);
	snprintf(buf, CELL_LEN, "%s-%s", print_three(low, sizeof(low), group->ratio.low), high);
	return buf;
}

static const char *text_p(char buf[CELL_LEN], const struct page *page, const void *data)
{
	const struct compared *group = data;

	(void)page;
	if (group->ratio.p < LEAST_P)
		return "<0.0001";
	snprintf(buf, CELL_LEN, "%.4f", group->ratio.p);
	return buf;
}

static const char *text_verdict(char buf[CELL_LEN], const struct page *page, const void *data)
{
	const struct compared *group = data;

	(void)buf;
	(void)page;
	return comparison_verdict(group->verdict);
}

static const struct column compare_columns[] = {
	{ "culprit", "CULPRIT", COLUMN_CUT | COLUMN_CULPRIT, text_culprit_of },
	{ "busy", "BUSY IN", COLUMN_CUT, text_busy_of },
	{ "class", "CLASS", COLUMN_CLASS, text_class_of },
	{ "before", "BEFORE", COLUMN_NUMBER, text_before },
	{ "after", "AFTER", COLUMN_NUMBER, text_after },
	{ "ratio", "RATIO", COLUMN_NUMBER, text_ratio },
	{ "interval", "INTERVAL", COLUMN_NUMBER, text_interval },
	{ "p", "P", COLUMN_NUMBER, text_p },
	{ "verdict", "VERDICT", 0, text_verdict },
	{ 0 }
};

/**
 * compare_select() - the columns of a comparison
 * @columns: the result
 * @by: keys, of which it has culprit, busy and class
 */
void compare_select(struct columns *columns, unsigned int by)
{
	*columns = (struct columns){ 0 };
	for (const struct column *column = compare_columns; column->name; column++) {
		bool wanted = true;

		for (unsigned int i = 0; i < SUMMARY_KEYS; i++)
			if (!strcmp(column->name, summary_key_name(i)))
				wanted = by & 1U << i;
		if (wanted)
			columns->wanted[columns->count++] = column;
	}
}

/* "Baseline: 12 captures of 12 nodes, 640 stalls in 288 CPU-hours" */
static void print_side(const struct page *page, const char *name, const struct side_read *read)
{
	static const char * const why[WATCHED_STATES] = {
		[WATCHED_UNKNOWN] = "it is not known for how long CPUs were watched",
		[WATCHED_CLEARED] = "records were cleared, and there is none since",
		[WATCHED_DAMAGED] = "not all that there was could be read",
	};
	char lost[64] = "", hours[32];

	if (read->lost)
		snprintf(lost, sizeof(lost), "; %llu records are lost", read->lost);
	text_line(page, 0, 2, "%s: %zu %s of %u %s, %llu %s in %s CPU-hours%s", name,
		  read->captures, read->captures == 1 ? "capture" : "captures", read->nodes,
		  read->nodes == 1 ? "node" : "nodes", read->stalls,
		  read->stalls == 1 ? "stall" : "stalls",
		  print_three(hours, sizeof(hours), (double)read->all_ns / NSEC_PER_HOUR), lost);
	for (unsigned int i = 0; i < WATCHED_STATES; i++)
		if (read->left_out[i])
			text_line(page, 2, 4, "%zu %s left out: %s.", read->left_out[i],
				  read->left_out[i] == 1 ? "capture is" : "captures are", why[i]);
}

static void print_blameless(const struct page *page, const struct comparison *comparison)
{
	__u64 before = comparison->sides[BEFORE].blameless;
	__u64 after = comparison->sides[AFTER].blameless;

	if (before || after)
		text_line(page, 0, 2, "%s are not compared: %llu before, %llu after.",
			  "Stalls that blame nobody (stolen, unknown)", before, after);
}

static void print_verdict(const struct page *page, const struct comparison *comparison)
{
	bool culprits = comparison->by & 1U << SUMMARY_CULPRIT;
	size_t worse = comparison->verdicts[VERDICT_WORSE];
	size_t better = comparison->verdicts[VERDICT_BETTER];
	const char *one = culprits ? "culprit" : "group";

	if (worse)
		text_line(page, 0, 2, "%zu of %zu %s%s got worse.", worse, comparison->ngroups,
			  one, comparison->ngroups == 1 ? "" : "s");
	else
		text_line(page, 0, 2, "No %s got worse beyond what chance explains.", one);
	if (better)
		text_line(page, 0, 2, "%zu got better.", better);
}

/**
 * text_compare() - which culprits' rates have changed
 * @page: the page
 * @comparison: what was read, judged
 */
void text_compare(const struct page *page, const struct comparison *comparison)
{
	char threshold[UNITS_LEN];

	print_side(page, "Baseline", &comparison->sides[BEFORE]);
	print_side(page, "Compared", &comparison->sides[AFTER]);
	if (comparison->threshold_ns)
		text_line(page, 0, 2, "Stalls of at least %s count; rates are per CPU-hour.",
			  print_duration(threshold, comparison->threshold_ns));
	fputc('\n', page->out);
	if (comparison->cannot_tell) {
		text_line(page, 0, 2, "Cannot tell: %s.", comparison->cannot_tell);
		return;
	}
	if (comparison->ngroups) {
		struct table *table = table_open(page, false);

		for (size_t i = 0; i < comparison->ngroups; i++)
			table_add(table, NULL, comparison->groups[i]);
		table_print(table);
		fputc('\n', page->out);
	}
	print_blameless(page, comparison);
	print_verdict(page, comparison);
}
