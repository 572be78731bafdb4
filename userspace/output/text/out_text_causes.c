// SPDX-License-Identifier: GPL-2.0-only
/* Known causes, under the stalls that have them and by themselves. */
#include <stdlib.h>
#include <string.h>

#include "causes/causes.h"
#include "output/out.h"
#include "output/table.h"

/* "estimation_timer, estimate"; to be freed */
static char *list_text(const struct patterns *list)
{
	char *text = copy_text("");

	for (size_t i = 0; i < list->count; i++) {
		char *more = print_text("%s%s%s", text, i ? ", " : "", list->all[i]);

		free(text);
		text = more;
	}
	return text;
}

/*
 * How much of a text is printed: its first sentence, where the page is to keep to one screen. That
 * one says what a remedy may cost.
 */
static int length_of(const struct page *page, const char *text)
{
	const char *end = page->verbose ? NULL : strstr(text, ". ");

	return end ? end + 1 - text : (ssize_t)strlen(text);
}

/* what it is, and what to do about it */
static void print_cause(const struct page *page, const struct cause *cause, const char *possible)
{
	text_line(page, 4, 6, "%scause (%s): %.*s", possible, cause->id,
		  length_of(page, cause->cause), cause->cause);
	text_line(page, 4, 6, "remedy: %.*s", length_of(page, cause->remedy), cause->remedy);
	if (cause->count && page->verbose)
		text_line(page, 4, 6, "count: %s", cause->count);
	if (cause->since) {
		char *commits = list_text(&cause->commits);

		text_line(page, 4, 6, "fixed upstream since %s%s%s%s%s", cause->since,
			  *commits ? " (" : "", commits, *commits ? ")" : "",
			  page->verbose ? "; distributions may have it earlier" : "");
		free(commits);
	}
	if (cause->links.count && page->verbose)
		text_line(page, 4, 6, "see %s", cause->links.all[0]);
}

/**
 * text_cause() - what a known cause is, and what to do about it
 * @page: the page
 * @cause: a row of its causes
 * @group: whose it is; only a possible one where ends alone were seen
 * @told: which ones were printed before; this one is from now on
 */
void text_cause(const struct page *page, const struct cause *cause, const struct group *group,
		struct told *told)
{
	const char *possible = summary_ends_alone(group) ? "possible " : "";
	bool *before = &told->causes[cause - page->causes->rows];

	if (*before)
		text_line(page, 4, 6, "%scause (%s): see above", possible, cause->id);
	else
		print_cause(page, cause, possible);
	*before = true;
}

/* without these samples nobody knows more */
static void tell_refused(const struct page *page)
{
	__u64 refused = 0;

	for (size_t i = 0; i < page->model->ncounters; i++)
		refused += page->model->counters[i].nmi_refused;
	if (refused)
		text_line(page, 4, 6, "nmi_cpu_rate or nmi_rate refused %llu %s; "
			  "higher ones get more.", refused, refused == 1 ? "sample" : "samples");
}

/**
 * text_group_cause() - the known cause of a group or, where none is known, what its class hints at
 * @page: the page
 * @summary: the groups
 * @group: one of them
 * @told: what was printed of this before; NULL where the page has no causes
 */
void text_group_cause(const struct page *page, const struct summary *summary,
		      const struct group *group, struct told *told)
{
	const struct cause *cause = cause_of(page->causes, page->symbols, summary, group);
	const char *hint = cause ? NULL : cause_hint(page->causes, summary, group);
	unsigned int class = 1U << group->best->found.verdict.class;

	if (cause)
		text_cause(page, cause, group, told);
	if (hint && !(told->classes & class)) {
		text_line(page, 4, 6, "%s", hint);
		if (class == 1U << TIO_CLASS_UNKNOWN)
			tell_refused(page);
		told->classes |= class;
	}
}

static const char *text_id(char buf[CELL_LEN], const struct page *page, const void *row)
{
	(void)buf;
	(void)page;
	return ((const struct cause *)row)->id;
}

static const char *text_fixed(char buf[CELL_LEN], const struct page *page, const void *row)
{
	const struct cause *cause = row;

	(void)buf;
	(void)page;
	return cause->since ? cause->since : "-";
}

static const char *text_what(char buf[CELL_LEN], const struct page *page, const void *row)
{
	(void)buf;
	(void)page;
	return ((const struct cause *)row)->cause;
}

static const struct column causes_columns[] = {
	{ "id", "ID", 0, text_id },
	{ "fixed", "FIXED", 0, text_fixed },
	{ "cause", "CAUSE", COLUMN_CUT, text_what },
	{ 0 }
};

/**
 * text_causes() - the known causes as a table
 * @page: the page
 * @causes: the rows
 */
void text_causes(const struct page *page, const struct causes *causes)
{
	struct page whole = *page;
	struct table *table;

	columns_select(&whole.columns, causes_columns, "id,fixed,cause", NULL);
	table = table_open(&whole, false);
	for (size_t i = 0; i < causes->count; i++)
		table_add(table, NULL, &causes->rows[i]);
	if (causes->count)
		table_print(table);
	else
		table_drop(table);
	for (unsigned int i = 0; i < causes->nfiles; i++)
		text_line(page, 0, 2, "from %s", causes->files[i]);
}

/* "culprit: estimation_timer" */
static void whole_patterns(const struct page *page, const char *part,
			   const struct patterns *patterns)
{
	char *text = list_text(patterns);

	if (*text)
		text_line(page, 4, 6, "%s: %s", part, text);
	free(text);
}

static void whole_classes(const struct page *page, unsigned int classes)
{
	char list[CELL_LEN] = "";
	size_t len = 0;

	for (unsigned int i = 0; i < TIO_CLASSES; i++)
		if (classes & 1U << i)
			len += snprintf(list + len, sizeof(list) - len, "%s%s", len ? ", " : "",
					tio_class_name(i));
	if (classes)
		text_line(page, 4, 6, "class: %s", list);
}

/**
 * text_cause_whole() - all of a row
 * @page: the page
 * @causes: the rows
 * @cause: one of them
 */
void text_cause_whole(const struct page *page, const struct causes *causes,
		      const struct cause *cause)
{
	struct page whole = *page;

	whole.verbose = true;
	fprintf(page->out, "%s\n", cause->id);
	print_cause(&whole, cause, "");
	for (size_t i = 1; i < cause->links.count; i++)
		text_line(page, 4, 6, "see %s", cause->links.all[i]);
	whole_patterns(page, "culprit", &cause->culprit);
	whole_patterns(page, "path", &cause->path);
	whole_patterns(page, "module", &cause->module);
	whole_classes(page, cause->classes);
	if (!cause->stall)
		text_line(page, 4, 6, "no stall has this cause");
	text_line(page, 4, 6, "from %s", causes->files[cause->file]);
}
