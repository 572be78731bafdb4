/* SPDX-License-Identifier: GPL-2.0-only */
/* A file that is there whole or not at all. */
#ifndef _IRQOFF_NEW_FILE_H
#define _IRQOFF_NEW_FILE_H

#include <stdbool.h>
#include <stdio.h>

struct new_file {
	const char *path;	/* NULL: standard output */
	char *temporary;
	bool force;
	FILE *out;
};

bool new_file_is_terminal(const char *path);
int new_file_open(struct new_file *file, const char *path, bool force);
int new_file_close(struct new_file *file, bool whole);

#endif /* _IRQOFF_NEW_FILE_H */
