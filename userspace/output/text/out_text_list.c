// SPDX-License-Identifier: GPL-2.0-only
/* Records, one to a line or whole. */
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "model/labels.h"
#include "output/out.h"
#include "output/table.h"

static const struct tio_sample *task_of(const void *row)
{
	const struct entry *entry = row;

	return entry_deciding_sample(entry);
}

static const char *text_ended(char buf[CELL_LEN], const struct page *page, const void *row)
{
	const struct entry *entry = row;

	return text_clock(buf, page, entry->rec.end_ns, true);
}

static const char *text_record_name(char buf[CELL_LEN], const struct page *page, const void *row)
{
	const struct entry *entry = row;

	(void)page;
	return print_record_name(buf, &entry->rec);
}

static const char *text_kind(char buf[CELL_LEN], const struct page *page, const void *row)
{
	const struct entry *entry = row;

	(void)buf;
	(void)page;
	return kind_word(&entry->rec);
}

static const char *text_class(char buf[CELL_LEN], const struct page *page, const void *row)
{
	const struct entry *entry = row;

	(void)buf;
	(void)page;
	return tio_class_name(entry->found.verdict.class);
}

static const char *text_evidence(char buf[CELL_LEN], const struct page *page, const void *row)
{
	const struct entry *entry = row;

	(void)buf;
	(void)page;
	return tio_evidence_name(entry->found.verdict.evidence);
}

static const char *text_min(char buf[CELL_LEN], const struct page *page, const void *row)
{
	const struct entry *entry = row;

	(void)page;
	return print_ms(buf, entry->rec.min_ns);
}

static const char *text_max(char buf[CELL_LEN], const struct page *page, const void *row)
{
	const struct entry *entry = row;

	(void)page;
	return print_ms(buf, entry->rec.max_ns);
}

static const char *text_bounds(char buf[CELL_LEN], const struct page *page, const void *row)
{
	const struct entry *entry = row;

	(void)buf;
	(void)page;
	return entry->found.verdict.wide ? "wide" : "";
}

static const char *text_culprit_of(char buf[CELL_LEN], const struct page *page, const void *row)
{
	(void)page;
	return text_culprit(buf, row);
}

/* "0:80", or "0:80?" where that is only probable */
static const char *text_waits_for(char buf[CELL_LEN], const struct page *page, const void *row)
{
	const struct entry *entry = row;

	(void)page;
	if (!entry->found.waits_for)
		return "";
	print_record_name(buf, &entry->found.waits_for->rec);
	return entry->found.probable ? strcat(buf, "?") : buf;
}

static const char *text_task(char buf[CELL_LEN], const struct page *page, const void *row)
{
	const struct tio_sample *task = task_of(row);

	(void)page;
	if (!task)
		return "(unknown)";
	snprintf(buf, CELL_LEN, "%s (%u)", task->comm, task->pid);
	return buf;
}

static const char *key(char buf[CELL_LEN], const void *row, enum summary_key key)
{
	return summary_key_text(buf, CELL_LEN, row, key);
}

static const char *text_busy_in(char buf[CELL_LEN], const struct page *page, const void *row)
{
	(void)page;
	return key(buf, row, SUMMARY_BUSY);
}

static const char *text_cgroup(char buf[CELL_LEN], const struct page *page, const void *row)
{
	(void)page;
	return key(buf, row, SUMMARY_CGROUP);
}

static const char *text_pod(char buf[CELL_LEN], const struct page *page, const void *row)
{
	(void)page;
	return key(buf, row, SUMMARY_POD);
}

static const char *text_container(char buf[CELL_LEN], const struct page *page, const void *row)
{
	(void)page;
	return key(buf, row, SUMMARY_CONTAINER);
}

/* the groups of a list, and how regular each one's stalls are */
struct rhythms {
	struct summary summary;
	struct regularity *regular;
};

/* of the stalls that are listed and have the same culprit and class */
static const char *text_regularity(char buf[CELL_LEN], const struct page *page, const void *row)
{
	const struct summary *summary = &page->rhythms->summary;
	const struct group *group = summary_group(summary, row);
	const struct regularity *regularity;

	if (!group)
		return "-";
	regularity = &page->rhythms->regular[group - summary->groups];
	return regularity->period_ns ? regularity_print(buf, regularity) : "-";
}

const struct column list_columns[] = {
	{ "ended", "ENDED", 0, text_ended },
	{ "record", "RECORD", COLUMN_NUMBER, text_record_name },
	{ "kind", "KIND", 0, text_kind },
	{ "class", "CLASS", COLUMN_CLASS, text_class },
	{ "evidence", "EVIDENCE", 0, text_evidence },
	{ "min", "MIN ms", COLUMN_NUMBER, text_min },
	{ "max", "MAX ms", COLUMN_NUMBER, text_max },
	{ "bounds", "BOUNDS", 0, text_bounds },
	{ "waits-for", "WAITS-FOR", 0, text_waits_for },
	{ "culprit", "CULPRIT", COLUMN_CUT | COLUMN_TREE | COLUMN_CULPRIT, text_culprit_of },
	{ "busy", "BUSY IN", COLUMN_CUT, text_busy_in },
	{ "regularity", "REGULARITY", 0, text_regularity },
	{ "task", "TASK (PID)", 0, text_task },
	{ "cgroup", "CGROUP", COLUMN_CUT, text_cgroup },
	{ "pod", "POD", COLUMN_CUT, text_pod },
	{ "container", "CONTAINER", 0, text_container },
	{ 0 }
};

/**
 * list_select() - the columns of a list
 * @columns: the result
 * @model: its records decide whether bounds and waits-for are shown; NULL: not read yet
 * @list: the value of -o; NULL: there was none
 *
 * Return: EXIT_DONE, or EXIT_USAGE after saying what is wrong.
 */
int list_select(struct columns *columns, const struct model *model, const char *list)
{
	bool any_wide = false, any_waits = false;
	char defaults[96];

	for (size_t i = 0; model && i < model->nentries; i++) {
		any_wide |= model->entries[i]->found.verdict.wide;
		any_waits |= !!model->entries[i]->found.waits_for;
	}
	snprintf(defaults, sizeof(defaults), "ended,record,class,min,max%s%s,culprit",
		 any_wide ? ",bounds" : "", any_waits ? ",waits-for" : "");
	return columns_select(columns, list_columns, defaults, list);
}

/* the row of a stall, which victims may hang under; sorted by the entry's address */
struct hook {
	const struct entry *entry;
	struct table_row *row;
	bool begun;
};

struct tree {
	struct table *table;
	struct hook *hooks;
	size_t count;
};

static int by_entry(const void *a, const void *b)
{
	const struct hook *left = a, *right = b;

	return (left->entry > right->entry) - (left->entry < right->entry);
}

/* a victim hangs under its stall, unless that is not in the list */
static bool hangs(const struct entry *entry)
{
	return entry->found.waits_for && !entry->found.waits_for->view.dropped;
}

/* adds a stall below the one that it waited for, which may be a victim itself */
static struct table_row *add_hanging(struct tree *tree, const struct entry *entry)
{
	const struct hook wanted = { .entry = entry };
	struct hook *hook = bsearch(&wanted, tree->hooks, tree->count, sizeof(*hook), by_entry);

	/* where stalls wait in a circle, one of them hangs nowhere */
	if (hook->begun)
		return hook->row;
	hook->begun = true;
	hook->row = table_add(tree->table, hangs(entry) ?
			      add_hanging(tree, entry->found.waits_for) : NULL, entry);
	return hook->row;
}

static void add_tree(struct table *table, const struct model *model)
{
	struct tree tree = {
		.table = table,
		.hooks = alloc(model->nentries, sizeof(*tree.hooks)),
		.count = model->nentries,
	};

	for (size_t i = 0; i < model->nentries; i++)
		tree.hooks[i].entry = model->entries[i];
	qsort(tree.hooks, tree.count, sizeof(*tree.hooks), by_entry);
	for (size_t i = 0; i < model->nentries; i++)
		if (!hangs(model->entries[i]))
			add_hanging(&tree, model->entries[i]);
	for (size_t i = 0; i < model->nentries; i++)
		add_hanging(&tree, model->entries[i]);
	free(tree.hooks);
}

static void list_rows(const struct page *page)
{
	const struct model *model = page->model;
	struct table *table;

	text_head(page);
	fputc('\n', page->out);
	table = table_open(page, page->tree);
	if (page->tree)
		add_tree(table, model);
	for (size_t i = 0; i < model->nentries && !page->tree; i++)
		table_add(table, NULL, model->entries[i]);
	table_print(table);
}

static void list_with_rhythms(const struct page *page)
{
	struct rhythms rhythms;
	struct page whole = *page;

	summary_begin(&rhythms.summary, SUMMARY_BY_DEFAULT);
	summary_add(&rhythms.summary, page->model, 0);
	rhythms.regular = alloc(rhythms.summary.ngroups, sizeof(*rhythms.regular));
	for (size_t i = 0; i < rhythms.summary.ngroups; i++)
		summary_regularity(&rhythms.summary.groups[i], &rhythms.regular[i]);
	whole.rhythms = &rhythms;
	list_rows(&whole);
	free(rhythms.regular);
	summary_free(&rhythms.summary);
}

static void list_blocks(const struct page *page)
{
	for (size_t i = 0; i < page->model->nentries; i++) {
		if (i)
			fputc('\n', page->out);
		text_record(page, page->model->entries[i]);
	}
}

static void list_lost(const struct page *page)
{
	struct cpu_counters sum = model_counters_sum(page->model);
	__u64 lost = counters_overwritten(&sum);
	char losses[CELL_LEN];

	if (model_lacks_records(page->model)) {
		fputc('\n', page->out);
		text_line(page, 0, 0, "Of all CPUs: %s.", text_losses(losses, page->model));
		return;
	}
	if (!lost)
		return;
	fputc('\n', page->out);
	text_line(page, 0, 0, "%llu %s overwritten by newer ones (all CPUs).", lost,
		  lost == 1 ? "record was" : "records were");
}

static void list_busy(const struct page *page)
{
	if (!page->model->nbusy)
		return;
	fputc('\n', page->out);
	text_busy(page);
}

/* records that come later are missing */
static void list_stopped(const struct page *page)
{
	char state[CELL_LEN];

	if (page->model->config.enabled)
		return;
	fputc('\n', page->out);
	text_line(page, 0, 0, "%s %s.", text_then(page->model), text_state(state, page->model));
}

/**
 * text_list() - each record
 * @page: the page
 * @verbose: with all evidence
 */
void text_list(const struct page *page, bool verbose)
{
	if (!page->model->nentries) {
		text_nothing(page);
		return;
	}
	if (verbose)
		list_blocks(page);
	else if (columns_have(&page->columns, "regularity"))
		list_with_rhythms(page);
	else
		list_rows(page);
	list_lost(page);
	list_busy(page);
	list_stopped(page);
}
