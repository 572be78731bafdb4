// SPDX-License-Identifier: GPL-2.0-only
#include <libsmartcols.h>
#include <stdlib.h>
#include <string.h>

#include "base/say.h"
#include "output/out.h"
#include "output/table.h"

/* rows that are collected before they are printed; columns may be wider in the next chunk */
#define CHUNK	4096

/* what is left of a column that is cut: room for a heading, or for most culprits */
#define CUT_LEAST	8
#define CULPRIT_LEAST	20

struct table {
	const struct page *page;
	struct libscols_table *scols;
	size_t widths[COLUMNS_MOST];	/* of the widest cells so far */
	bool tree;
	unsigned int rows;	/* since the last flush */
};

/* classes that blame somebody have a colour */
static const char *class_color(const char *class)
{
	if (!strncmp(class, "hardirq", strlen("hardirq")))
		return "red";
	if (strstr(class, "softirq"))
		return "yellow";
	return NULL;
}

static int column_flags(const struct column *column, bool tree)
{
	return (column->flags & COLUMN_NUMBER ? SCOLS_FL_RIGHT : 0) |
	       (tree && column->flags & COLUMN_TREE ? SCOLS_FL_TREE : 0);
}

/**
 * table_open() - a table without rows
 * @page: where it is printed to, with its columns
 * @tree: rows hang under others
 *
 * Return: the table, which table_print() ends.
 */
struct table *table_open(const struct page *page, bool tree)
{
	struct table *table = alloc(1, sizeof(*table));
	const struct columns *columns = &page->columns;
	const struct screen *screen = &page->screen;

	table->page = page;
	table->tree = tree;
	table->scols = or_exit(scols_new_table());
	scols_table_set_stream(table->scols, page->out);
	scols_table_enable_colors(table->scols, screen->color);
	scols_table_set_termforce(table->scols, screen->width ? SCOLS_TERMFORCE_ALWAYS :
							      SCOLS_TERMFORCE_NEVER);
	if (screen->width)
		scols_table_set_termwidth(table->scols, screen->width);
	for (unsigned int i = 0; i < columns->count; i++) {
		const struct column *column = columns->wanted[i];
		struct libscols_column *to;

		to = or_exit(scols_table_new_column(table->scols, column->heading, 0,
						    column_flags(column, tree)));
		scols_cell_set_color(scols_column_get_header(to), "bold");
		table->widths[i] = strlen(column->heading);
	}
	return table;
}

/* how many columns of the screen a tree's branches take before the row's text */
static size_t indent_of(const struct libscols_line *line)
{
	size_t indent = 0;

	while ((line = scols_line_get_parent(line)))
		indent += strlen("`-");
	return indent;
}

static size_t least_width(const struct column *column)
{
	return column->flags & COLUMN_CULPRIT ? CULPRIT_LEAST : CUT_LEAST;
}

/* the widest column that may be cut further, -1 where none may */
static int widest(const struct table *table, const size_t *widths)
{
	const struct columns *columns = &table->page->columns;
	int found = -1;

	for (unsigned int i = 0; i < columns->count; i++)
		if (columns->wanted[i]->flags & COLUMN_CUT &&
		    widths[i] > least_width(columns->wanted[i]) &&
		    (found < 0 || widths[i] > widths[found]))
			found = i;
	return found;
}

/* the widths that fit the screen, where columns that may be cut can make room */
static void fit_widths(const struct table *table, size_t *widths)
{
	const struct columns *columns = &table->page->columns;
	size_t all = columns->count - 1;
	int i;

	for (unsigned int k = 0; k < columns->count; k++) {
		widths[k] = table->widths[k];
		all += widths[k];
	}
	while (table->page->screen.width && all > table->page->screen.width &&
	       (i = widest(table, widths)) >= 0) {
		widths[i]--;
		all--;
	}
}

/* libsmartcols would cut without a mark */
static void cut_cell(const struct table *table, struct libscols_line *line, unsigned int i,
		     size_t width)
{
	const char *text = scols_cell_get_data(scols_line_get_cell(line, i));
	size_t indent = table->page->columns.wanted[i]->flags & COLUMN_TREE ?
		indent_of(line) : 0;
	char buf[CELL_LEN];

	if (!text || strlen(text) + indent <= width)
		return;
	/* in a deep tree something of each name stays */
	if (width < indent + CUT_LEAST)
		width = indent + CUT_LEAST;
	if (scols_line_set_data(line, i, text_shorten(buf, text, width - indent)))
		exit(failed("out of memory"));
}

static void cut_rows(struct table *table)
{
	const struct columns *columns = &table->page->columns;
	struct libscols_iter *iter = or_exit(scols_new_iter(SCOLS_ITER_FORWARD));
	size_t widths[COLUMNS_MOST];
	struct libscols_line *line;

	fit_widths(table, widths);
	while (!scols_table_next_line(table->scols, iter, &line))
		for (unsigned int i = 0; i < columns->count; i++)
			if (columns->wanted[i]->flags & COLUMN_CUT &&
			    widths[i] < table->widths[i])
				cut_cell(table, line, i, widths[i]);
	scols_free_iter(iter);
}

/* prints the rows so far; the next chunk has no heading, and columns no narrower */
static void flush(struct table *table)
{
	cut_rows(table);
	scols_print_table(table->scols);
	for (unsigned int i = 0; i + 1 < table->page->columns.count; i++) {
		struct libscols_column *column = scols_table_get_column(table->scols, i);

		scols_column_set_whint(column, scols_column_get_width(column));
	}
	scols_table_remove_lines(table->scols);
	scols_table_enable_noheadings(table->scols, 1);
	table->rows = 0;
}

/**
 * table_add() - one more row
 * @table: the table
 * @parent: the row that it hangs under, NULL: none
 * @row: what its cells are made of
 *
 * Return: the row, for others to hang under it.
 */
struct table_row *table_add(struct table *table, struct table_row *parent, const void *row)
{
	const struct columns *columns = &table->page->columns;
	struct libscols_line *line;
	char buf[CELL_LEN];

	/* a tree is printed as a whole: later rows may hang under any of its rows */
	if (!table->tree && table->rows++ == CHUNK)
		flush(table);
	line = or_exit(scols_table_new_line(table->scols, (void *)parent));
	for (unsigned int i = 0; i < columns->count; i++) {
		const struct column *column = columns->wanted[i];
		const char *text = column->text(buf, table->page, row);
		size_t width = strlen(text) + (column->flags & COLUMN_TREE ? indent_of(line) : 0);

		if (width > table->widths[i])
			table->widths[i] = width;
		if (scols_line_set_data(line, i, text))
			exit(failed("out of memory"));
		if (column->flags & COLUMN_CLASS && class_color(text))
			scols_cell_set_color(scols_line_get_cell(line, i), class_color(text));
	}
	return (void *)line;
}

/**
 * table_print() - print a table, and end it
 * @table: the table
 */
void table_print(struct table *table)
{
	cut_rows(table);
	scols_print_table(table->scols);
	table_drop(table);
}

/* ends a table without printing it */
void table_drop(struct table *table)
{
	scols_unref_table(table->scols);
	free(table);
}
