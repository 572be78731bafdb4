/* SPDX-License-Identifier: GPL-2.0-only */
/* The columns that a screen has, and the choice of them by -o. */
#ifndef _IRQOFF_COLUMNS_H
#define _IRQOFF_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>

#define CELL_LEN	256
#define COLUMNS_MOST	32

struct page;

enum column_flags {
	COLUMN_NUMBER	= 1 << 0,	/* flush right */
	COLUMN_CUT	= 1 << 1,	/* cut where the screen is narrow */
	COLUMN_TREE	= 1 << 2,	/* rows hang under others here */
	COLUMN_CLASS	= 1 << 3,	/* coloured */
	COLUMN_CULPRIT	= 1 << 4,	/* cut no further than to 20 characters */
};

struct column {
	const char *name;	/* for -o */
	const char *heading;
	unsigned int flags;
	/* the text of a row's cell, in @buf or as long-lived as the row */
	const char *(*text)(char buf[CELL_LEN], const struct page *page, const void *row);
};

/* those that are printed; an array of all columns ends with one without a name */
struct columns {
	const struct column *wanted[COLUMNS_MOST];
	unsigned int count;
};

int columns_select(struct columns *columns, const struct column *all, const char *defaults,
		   const char *list);
bool columns_have(const struct columns *columns, const char *name);

#endif /* _IRQOFF_COLUMNS_H */
