// SPDX-License-Identifier: GPL-2.0-only
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "say.h"
#include "table.h"

/**
 * table_cell() - fill the next cell, row by row
 * @table: the table
 * @format: its text
 */
void table_cell(struct table *table, const char *format, ...)
{
	va_list args;
	char *text;
	int len;

	va_start(args, format);
	len = vasprintf(&text, format, args);
	va_end(args);
	if (len < 0)
		exit(failed("out of memory"));
	table->cells = grow(table->cells, table->ncells, sizeof(*table->cells));
	table->cells[table->ncells++] = text;
}

static int width(const struct table *table, unsigned int column)
{
	size_t widest = 0;

	for (size_t i = column; i < table->ncells; i += table->columns) {
		size_t len = strlen(table->cells[i]);

		if (len > widest)
			widest = len;
	}
	return widest;
}

static void print_cell(const struct table *table, size_t i, const int *widths, FILE *out)
{
	unsigned int column = i % table->columns;

	if (column)
		fputs("  ", out);
	if (table->numbers & 1U << column)
		fprintf(out, "%*s", widths[column], table->cells[i]);
	else if (column + 1 < table->columns)
		fprintf(out, "%-*s", widths[column], table->cells[i]);
	else
		fputs(table->cells[i], out);
	if (column + 1 == table->columns)
		fputc('\n', out);
}

/**
 * table_print() - print a table, and empty it
 * @table: the table
 * @out: where to
 */
void table_print(struct table *table, FILE *out)
{
	int *widths = alloc(table->columns, sizeof(*widths));

	for (unsigned int i = 0; i < table->columns; i++)
		widths[i] = width(table, i);
	for (size_t i = 0; i < table->ncells; i++)
		print_cell(table, i, widths, out);
	for (size_t i = 0; i < table->ncells; i++)
		free(table->cells[i]);
	free(table->cells);
	free(widths);
	table->cells = NULL;
	table->ncells = 0;
}
