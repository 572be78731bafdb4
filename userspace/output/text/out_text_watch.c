// SPDX-License-Identifier: GPL-2.0-only
/*
 * A line a stall, printed before the next one is known. So a column has a width of its own,
 * which a longer text goes beyond.
 */
#include <string.h>

#include "output/out.h"

static const struct {
	const char *name;
	int width;
} widths[] = {
	{ "ended", 12 },
	{ "record", 7 },
	{ "class", 14 },
	{ "evidence", 8 },
	{ "min", 8 },
	{ "max", 8 },
	{ "culprit", 16 },
	{ "busy", 26 },
	{ "task", 20 },
	{ "cgroup", 30 },
	{ "pod", 36 },
	{ "container", 12 },
};

/*
 * Of a list; a victim's link comes last, because most stalls have none. The headings have 80
 * columns.
 */
static const char defaults[] = "ended,record,class,min,max,culprit,waits-for";

static int width_of(const struct column *column)
{
	for (size_t i = 0; i < ARRAY_SIZE(widths); i++)
		if (!strcmp(widths[i].name, column->name))
			return widths[i].width;
	return strlen(column->heading);
}

/* a line, and the blanks that are printed once a text follows them */
struct line {
	const struct page *page;
	int blanks;
};

static void put_text(struct line *line, const char *text)
{
	if (!*text)
		return;
	fprintf(line->page->out, "%*s%s", line->blanks, "", text);
	line->blanks = 0;
}

static void put_cell(struct line *line, const struct column *column, const char *text)
{
	int room = width_of(column) - (int)strlen(text);
	int pad = room > 0 ? room : 0;
	bool right = column->flags & COLUMN_NUMBER;

	line->blanks += right ? pad : 0;
	put_text(line, text);
	line->blanks += (right ? 0 : pad) + 1;
}

/**
 * watch_select() - the columns of irqoff watch
 * @columns: the result
 * @list: the value of -o; NULL: there was none
 *
 * Return: EXIT_DONE, or EXIT_USAGE after saying what is wrong.
 */
int watch_select(struct columns *columns, const char *list)
{
	return columns_select(columns, list_columns, defaults, list);
}

/* the headings */
void text_watch_head(const struct page *page)
{
	struct line line = { .page = page };

	for (unsigned int i = 0; i < page->columns.count; i++)
		put_cell(&line, page->columns.wanted[i], page->columns.wanted[i]->heading);
	fputc('\n', page->out);
}

/**
 * text_watch_line() - a stall
 * @page: the page, with its columns
 * @entry: the stall
 */
void text_watch_line(const struct page *page, const struct entry *entry)
{
	struct line line = { .page = page };

	for (unsigned int i = 0; i < page->columns.count; i++) {
		const struct column *column = page->columns.wanted[i];
		char buf[CELL_LEN];

		put_cell(&line, column, column->text(buf, page, entry));
	}
	fputc('\n', page->out);
}
