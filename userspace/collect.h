/* SPDX-License-Identifier: GPL-2.0-only */
/* Reads records and works out all that is printed of them. */
#ifndef _IRQOFF_COLLECT_H
#define _IRQOFF_COLLECT_H

#include "cgroup.h"
#include "filter.h"
#include "model.h"
#include "symbols.h"

struct collection {
	struct model model;
	struct symbols *symbols;
	struct cgroups *cgroups;
};

struct source;

int collect_from(struct collection *collection, struct source *source,
		 const struct filter *filter, const char *proc);
int collect_records(struct collection *collection, const struct filter *filter);
void collect_judge(struct collection *collection);
void collect_free(struct collection *collection);

#endif /* _IRQOFF_COLLECT_H */
