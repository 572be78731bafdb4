/* SPDX-License-Identifier: GPL-2.0-only */
/* Reads a capture instead of the module. */
#ifndef _IRQOFF_SOURCE_FILE_H
#define _IRQOFF_SOURCE_FILE_H

#include "capture/capture_read.h"
#include "capture/coverage.h"
#include "model/cgroup.h"
#include "model/model.h"
#include "names/symbols.h"

/* names by the time at which they held */
struct epochs {
	struct symbols **tables;	/* the last one is for the records that come now */
	size_t count;
	__u64 last;
};

/*
 * What is read of a capture may take that much memory, or CAPTURE_MEMORY_TIMES as much as was
 * read of the file where that is more. A half of it again is needed for what is worked out
 * then. A record of which only the end was seen takes 7 bytes of a file, at least, and some 400
 * here.
 */
#define CAPTURE_MEMORY		(320U << 20)
#define CAPTURE_MEMORY_TIMES	64

/* what is read of a capture */
struct captured {
	struct model *model;
	struct cgroups *cgroups;
	struct epochs epochs;
	__u64 since_ns;		/* which records are needed whole, by the wall clock; 0: all */
	__u64 brief_ns;		/* the model's, at most */
	bool packs;		/* records are added packed (model.h) */
	__u32 format;
	bool empty;		/* it has no bytes */
	bool whole;		/* its settings were there, so that it can be shown */
	bool again;		/* it was gone on with, so records may be in it twice */
	struct coverage recorded;
	bool more;		/* another boot or load of the module follows, which is not read */
	char *online;
	__u64 monotonic_ns, realtime_ns;	/* of one moment */
	enum capture_state state;
	int error;		/* errno's number, of a capture that is CAPTURE_UNREADABLE */
	__u64 offset;		/* where the frame begins at which reading stopped */
};

void source_file_read(FILE *in, struct captured *captured);
void source_file_head(FILE *in, struct captured *captured);
void epochs_free(struct epochs *epochs);

#endif /* _IRQOFF_SOURCE_FILE_H */
