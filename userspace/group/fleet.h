/* SPDX-License-Identifier: GPL-2.0-only */
/* Captures of many nodes, merged: one in memory at a time, and what its records add up to. */
#ifndef _IRQOFF_FLEET_H
#define _IRQOFF_FLEET_H

#include "collect/inputs.h"
#include "group/places.h"
#include "group/summary.h"
#include "judge/window.h"

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
