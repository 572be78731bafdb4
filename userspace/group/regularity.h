/* SPDX-License-Identifier: GPL-2.0-only */
/* Whether stalls come at regular times, where chance does not explain it. */
#ifndef _IRQOFF_REGULARITY_H
#define _IRQOFF_REGULARITY_H

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/units.h"

/* the newest stalls of a group that are looked at */
#define REGULARITY_MOST		64

/* fewer do not tell */
#define REGULARITY_LEAST	5

/* when stalls began, in any order */
struct occasions {
	__u64 *at_ns;		/* the last REGULARITY_MOST that were added */
	size_t count;		/* that were added */
};

struct regularity {
	__u64 period_ns;	/* 0: none that chance does not explain */
	bool grid;		/* most stalls are several periods apart */
	unsigned int agree;	/* number of stalls that are periods away from one beside them */
	unsigned int of;	/* number of stalls; those that began together are one */
};

void occasions_add(struct occasions *occasions, __u64 at_ns);
void occasions_merge(struct occasions *all, const struct occasions *one,
		     const struct occasions *other);
void occasions_free(struct occasions *occasions);
void regularity_find(struct regularity *regularity, const struct occasions *occasions);
char *occasions_apart(const struct occasions *occasions);
const char *regularity_print(char buf[UNITS_LEN], const struct regularity *regularity);

#endif /* _IRQOFF_REGULARITY_H */
