// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "alibi/alibi_why.h"
#include "model/cpuset.h"
#include "output/out.h"

static void print_stalls(const struct page *page, const struct alibi *alibi)
{
	struct page lines = *page;

	watch_select(&lines.columns, NULL);
	text_watch_head(&lines);
	for (size_t i = 0; i < alibi->nstalls; i++)
		text_watch_line(&lines, alibi->stalls[i]);
}

static void print_gap(const struct page *page, const struct alibi *alibi, const char *about)
{
	char *why = alibi_why(page->model, alibi), *remedy = alibi_remedy(alibi);

	text_line(page, 0, 2, "cannot tell%s: %s", about, why);
	text_line(page, 0, 2, "remedy: %s", remedy);
	free(why);
	free(remedy);
}

/**
 * text_alibi() - a verdict, and what it rests on
 * @page: the page
 * @alibi: the verdict
 */
void text_alibi(const struct page *page, const struct alibi *alibi)
{
	char from[UNITS_LEN], to[UNITS_LEN], over[UNITS_LEN];
	char *about;

	text_head(page);
	print_duration(over, alibi->over_ns);
	about = print_text("%s%s%s%s%s%s%s, from %s to %s", alibi->over_ns ? " of " : "",
			   alibi->over_ns ? over : "", alibi->over_ns ? " or longer" : "",
			   *alibi->asked ? " on " : "",
			   *alibi->asked ? cpulist_noun(alibi->asked) : "",
			   *alibi->asked ? " " : "", alibi->asked,
			   alibi_clock(from, page->model, alibi->from_ns),
			   alibi_clock(to, page->model, alibi->to_ns));
	if (alibi->verdict == ALIBI_NO_STALL) {
		text_line(page, 0, 2, "no stall%s", about);
		text_line(page, 0, 2, "These CPUs were watched for all of that time; "
			  "no record of it is missing; "
			  "irqoff(8), BLIND SPOTS, lists what never has one.");
	} else if (alibi->verdict == ALIBI_STALLED) {
		text_line(page, 0, 2, "%zu %s%s", alibi->nstalls,
			  alibi->nstalls == 1 ? "stall" : "stalls", about);
		print_stalls(page, alibi);
	}
	if (alibi->dev)
		text_line(page, 0, 2, "%s.", alibi->dev_how);
	if (alibi->verdict == ALIBI_CANNOT_TELL) {
		char *whether = print_text(" whether there was a stall%s", about);

		print_gap(page, alibi, whether);
		free(whether);
	} else if (alibi->gap != ALIBI_NO_GAP) {
		print_gap(page, alibi, " whether there were more");
	}
	free(about);
}
