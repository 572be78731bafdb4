/* SPDX-License-Identifier: GPL-2.0-only */
/* What a recording has, and what it should have. No input and no output. */
#ifndef _IRQOFF_COVERAGE_H
#define _IRQOFF_COVERAGE_H

#include "source/follow.h"

/* the numbers of its records, by CPU */
struct coverage {
	bool known;		/* it is a recording */
	bool ended;		/* it was written to its end */
	struct cpu_histograms *first;	/* as it began */
	size_t nfirst;
	struct resume from;
	struct resume to;	/* as it was ended last */
};

void coverage_begin(struct coverage *recorded, struct model *model);
void coverage_drop_open(struct model *model);
void coverage_count(struct model *model, const struct coverage *recorded);
void coverage_settle(struct model *model, const struct coverage *recorded);
void coverage_free(struct coverage *recorded);

#endif /* _IRQOFF_COVERAGE_H */
