/* SPDX-License-Identifier: GPL-2.0-only */
/* Known causes of stalls, and what to do about each (irqoff-causes(5)). */
#ifndef _IRQOFF_CAUSES_H
#define _IRQOFF_CAUSES_H

#include <stdbool.h>
#include <stddef.h>

#include "group/summary.h"
#include "model/model.h"
#include "names/symbols.h"

/* patterns, as fnmatch() has them */
struct patterns {
	char **all;
	size_t count;
};

/* a row */
struct cause {
	char *id;
	bool stall;		/* it has a signature, so stalls can be told by it */
	struct patterns culprit;
	struct patterns path;
	struct patterns module;
	unsigned int classes;	/* bits of enum tio_class; 0: any */
	char *cause;
	char *remedy;
	char *count;		/* a command that counts what was walked, never run; may be NULL */
	char *since;		/* the release that has it fixed; NULL: none has */
	struct patterns commits;	/* that fix it */
	struct patterns links;
	unsigned int file;	/* which one it is of */
};

struct causes {
	struct cause *rows;
	size_t count;
	char *hints[TIO_CLASSES];	/* what to do where no cause is known; may be NULL */
	char **files;		/* that were read, in their order */
	unsigned int nfiles;
	unsigned int refused;	/* files that are left out */
};

/* causes_read.c */
char *causes_add(struct causes *causes, const char *file, const char *text);

/* causes_open.c */
void causes_open(struct causes *causes);
char *causes_missing(void);
char *causes_lacking(const struct causes *causes);

/* causes.c */
const struct cause *cause_find(const struct causes *causes, const struct symbols *symbols,
			       const struct entry *entry);
const struct cause *cause_of(const struct causes *causes, const struct symbols *symbols,
			     const struct summary *summary, const struct group *group);
const char *cause_hint(const struct causes *causes, const struct summary *summary,
		       const struct group *group);
const struct cause *cause_by_id(const struct causes *causes, const char *id);
void patterns_free(struct patterns *patterns);
void cause_free(struct cause *cause);
void causes_free(struct causes *causes);

#endif /* _IRQOFF_CAUSES_H */
