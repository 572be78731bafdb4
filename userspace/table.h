/* SPDX-License-Identifier: GPL-2.0-only */
/* Columns as wide as what stands in them. */
#ifndef _IRQOFF_TABLE_H
#define _IRQOFF_TABLE_H

#include <stdio.h>

#include "say.h"

struct table {
	unsigned int columns;
	unsigned int numbers;	/* a bit for each column that is flush right */
	char **cells;
	size_t ncells;
};

__printf(2, 3) void table_cell(struct table *table, const char *format, ...);
void table_print(struct table *table, FILE *out);

#endif /* _IRQOFF_TABLE_H */
