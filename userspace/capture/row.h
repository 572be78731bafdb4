/* SPDX-License-Identifier: GPL-2.0-only */
/* A row of captures: files that were written one after another, each named by its time. */
#ifndef _IRQOFF_ROW_H
#define _IRQOFF_ROW_H

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

/* paths, the oldest first */
struct row {
	char **names;
	size_t count;
};

int row_read(const char *path, struct row *row);
char *row_name(const char *path, time_t at);
time_t row_time(const char *name);
bool row_same(const char *name, const char *other);
void row_free(struct row *row);

#endif /* _IRQOFF_ROW_H */
