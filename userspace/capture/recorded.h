/* SPDX-License-Identifier: GPL-2.0-only */
/* What a recording has, and what it should have. No input and no output. */
#ifndef _IRQOFF_RECORDED_H
#define _IRQOFF_RECORDED_H

#include "source/follow.h"

/* the numbers of its records, by CPU */
struct recorded {
	bool known;		/* it is a recording */
	bool ended;		/* it was written to its end */
	struct cpu_histograms *first;	/* as it began */
	size_t nfirst;
	struct resume from;
	struct resume to;	/* as it was ended last */
};

void recorded_begin(struct recorded *recorded, struct model *model);
void recorded_drop_open(struct model *model);
void recorded_count(struct model *model, const struct recorded *recorded);
void recorded_settle(struct model *model, const struct recorded *recorded);
void recorded_free(struct recorded *recorded);

#endif /* _IRQOFF_RECORDED_H */
