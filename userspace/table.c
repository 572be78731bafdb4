// SPDX-License-Identifier: GPL-2.0-only
#include <libsmartcols.h>
#include <stdlib.h>
#include <string.h>

#include "out.h"
#include "say.h"
#include "table.h"

/* rows that are collected before they are printed; columns may be wider in the next chunk */
#define CHUNK	4096

struct table {
	const struct page *page;
	struct libscols_table *scols;
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
	       (column->flags & COLUMN_CUT ? SCOLS_FL_TRUNC : 0) |
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
	}
	return table;
}

/* prints the rows so far; the next chunk has no heading, and columns no narrower */
static void flush(struct table *table)
{
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
	scols_print_table(table->scols);
	table_drop(table);
}

/* ends a table without printing it */
void table_drop(struct table *table)
{
	scols_unref_table(table->scols);
	free(table);
}
