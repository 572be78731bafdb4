/* SPDX-License-Identifier: GPL-2.0-only */
/* The file that a recording goes to: one that grows, a row of them, or a stream. */
#ifndef _IRQOFF_RECORDING_FILE_H
#define _IRQOFF_RECORDING_FILE_H

#include <linux/types.h>
#include <stdbool.h>
#include <stdio.h>

#include "source/follow.h"

struct recording_file {
	/* what is wanted */
	const char *path;	/* "-": standard output */
	bool strip;		/* it has what --strip leaves, and no more */
	bool shared;		/* its directory says who may read it */
	__u64 rotate_bytes;	/* begin another file at that size; 0: never */
	unsigned int rotate_count;	/* files that are kept at most */

	FILE *out;		/* NULL: none is open */
	char *buffer;		/* of @out */
	char *name;		/* of the file that is written now */
	bool disk;		/* it can be synced */
	bool appended;		/* it was there before */
	bool foreign;		/* the one that was there is something else */
	bool other;		/* it is a capture of another boot, or load of the module */
	bool mixed;		/* of it and this recording one is stripped */
};

int recording_file_open(struct recording_file *file, __u64 instance, struct resume *resume);
bool recording_file_removed(const struct recording_file *file);
bool recording_file_full(const struct recording_file *file);
int recording_file_next(struct recording_file *file);
bool recording_file_sync(struct recording_file *file);
void recording_file_free(struct recording_file *file);

#endif /* _IRQOFF_RECORDING_FILE_H */
