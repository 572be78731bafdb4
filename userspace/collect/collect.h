/* SPDX-License-Identifier: GPL-2.0-only */
/* Reads records and works out all that is printed of them. */
#ifndef _IRQOFF_COLLECT_H
#define _IRQOFF_COLLECT_H

#include "capture/source_file.h"
#include "model/cgroup.h"
#include "model/filter.h"
#include "model/model.h"
#include "names/symbols.h"

struct collection {
	const char *name;	/* what messages call a capture; NULL: it is none */
	char *lacks;		/* a sentence: not all of it could be read; NULL: all could */
	struct model model;
	struct symbols *symbols;
	struct cgroups *cgroups;
	struct epochs epochs;	/* of a capture, whose records have their names */
};

struct source;

int collect_from(struct collection *collection, struct source *source,
		 const struct filter *filter, const char *proc, bool kallsyms);
int collect_records(struct collection *collection, const struct filter *filter);
int collect_stream(struct collection *collection, FILE *in, const char *name);
int collect_needed(struct collection *collection, FILE *in, const char *name,
		   const struct filter *filter);
int collect_capture(struct collection *collection, const char *path,
		    const struct filter *filter);
void collect_cgroups(struct cgroups *cgroups, struct entry *entry);
bool collect_is_file(const char *path);
void collect_pass(struct collection *collection, struct filter *filter);
void collect_free(struct collection *collection);

#endif /* _IRQOFF_COLLECT_H */
