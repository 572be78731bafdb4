/* SPDX-License-Identifier: GPL-2.0-only */
/* A row of captures: files that were written one after another, each named by its time. */
#ifndef _IRQOFF_ROTATION_H
#define _IRQOFF_ROTATION_H

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

/* paths, the oldest first */
struct rotation {
	char **names;
	size_t count;
};

int rotation_read(const char *path, struct rotation *row);
char *rotation_name(const char *path, time_t at);
time_t rotation_time(const char *name);
bool rotation_same(const char *name, const char *other);
void rotation_free(struct rotation *row);

#endif /* _IRQOFF_ROTATION_H */
