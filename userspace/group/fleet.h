/* SPDX-License-Identifier: GPL-2.0-only */
/* Captures of many nodes, merged: one in memory at a time, and what its records add up to. */
#ifndef _IRQOFF_FLEET_H
#define _IRQOFF_FLEET_H

#include <stddef.h>

#include "collect/inputs.h"
#include "group/summary.h"
#include "judge/window.h"
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

struct fleet {
	struct summary summary;
	struct places places;
	struct window window;
	struct model all;	/* stands for them where a page wants a model; has no records */
	size_t captures;
	__u64 stalls;		/* that passed the filter, each once */
	__u64 records;		/* that were read, each once */
	__u64 lost;		/* that no capture has, because newer ones overwrote them */
	__u64 early;		/* of @stalls, as in struct entry */
	__u64 open_left_out;	/* open stalls of captures that were not the last of their load */
	__u64 first_ns, last_ns;	/* when the captures were saved */
	/* those with a record that stands for a group */
	struct collection **kept;
	size_t nkept;
};

int fleet_read(struct fleet *fleet, const struct inputs *inputs, struct filter *filter,
	       unsigned int by, enum summary_sort sort);
void fleet_free(struct fleet *fleet);

#endif /* _IRQOFF_FLEET_H */
