/* SPDX-License-Identifier: GPL-2.0-only */
/* The nodes that captures come from, each with the kernels that it ran. */
#ifndef _IRQOFF_PLACES_H
#define _IRQOFF_PLACES_H

#include <stddef.h>

#include "model/cpuset.h"
#include "model/machine.h"

struct lh_table;

/* a place is a node under one kernel */
struct place {
	unsigned int node;
	unsigned int release;
};

struct places {
	struct place *all;
	size_t count;
	char **releases;
	unsigned int nreleases;
	char **nodes;
	unsigned int nnodes;
	struct lh_table *index;	/* names of nodes, and of places, to numbers */
};

unsigned int place_of(struct places *places, const struct machine *machine);
unsigned int places_nodes(const struct places *places, const struct cpuset *set);
unsigned int places_under(const struct places *places, const struct cpuset *set,
			  unsigned int release);
void places_free(struct places *places);

#endif /* _IRQOFF_PLACES_H */
