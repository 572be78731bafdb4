/* SPDX-License-Identifier: GPL-2.0-only */
/* Rows and columns on a screen, by libsmartcols. */
#ifndef _IRQOFF_TABLE_H
#define _IRQOFF_TABLE_H

#include <stdbool.h>

struct page;
struct table;
struct table_row;

struct table *table_open(const struct page *page, bool tree);
struct table_row *table_add(struct table *table, struct table_row *parent, const void *row);
void table_print(struct table *table);
void table_drop(struct table *table);

#endif /* _IRQOFF_TABLE_H */
