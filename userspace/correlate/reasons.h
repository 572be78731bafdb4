/* SPDX-License-Identifier: GPL-2.0-only */
/* Why nobody can tell of slow replies: each reason once. */
#ifndef _IRQOFF_REASONS_H
#define _IRQOFF_REASONS_H

#include <stddef.h>

struct lh_table;

struct reason {
	const char *why, *remedy;	/* half sentences */
	size_t count;		/* slow replies */
};

struct reasons {
	struct reason *all;	/* in the order in which they came */
	size_t count;
	struct lh_table *by_why;
};

size_t reasons_add(struct reasons *reasons, const char *why, const char *remedy);
void reasons_free(struct reasons *reasons);

#endif /* _IRQOFF_REASONS_H */
