/* SPDX-License-Identifier: GPL-2.0-only */
/* Whom the time of each record is charged to, so that nothing counts twice. */
#ifndef _IRQOFF_CHARGE_H
#define _IRQOFF_CHARGE_H

#include "model/model.h"

/* the true time lies between them */
struct bounds {
	__u64 min_ns;
	__u64 max_ns;
};

/* time of CPUs, each nanosecond of a CPU in one of these */
struct cost {
	struct bounds own;	/* of its own stalls, without nested ones */
	struct bounds proved;	/* of its victims */
	struct bounds probable;	/* of victims whose link is not proved */
};

void cost_add(struct cost *cost, const struct entry *entry);
void cost_merge(struct cost *cost, const struct cost *more);
struct bounds cost_sum(const struct cost *cost);

struct charge {
	struct entry *entry;
	struct entry *to;	/* the stall that it waited for; @entry itself where for none */
	__u64 ns;		/* its own time */
};

static inline bool charge_is_victims(const struct charge *charge)
{
	return charge->to != charge->entry;
}

typedef void charge_call(const struct charge *charge, void *context);

void charges_each(const struct model *model, charge_call *call, void *context);
bool charge_blames(const struct entry *entry);
const char *charge_culprit(const struct entry *entry);

#endif /* _IRQOFF_CHARGE_H */
