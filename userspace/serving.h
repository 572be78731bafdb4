/* SPDX-License-Identifier: GPL-2.0-only */
/* Which CPUs run the softirqs that take a network device's packets, as it is set up now. */
#ifndef _IRQOFF_SERVING_H
#define _IRQOFF_SERVING_H

#include <stdbool.h>

#include "cpuset.h"

struct serving {
	struct cpuset cpus;
	bool all;		/* any CPU may, so the set says nothing */
	bool steered;		/* by RPS, among others */
	char *how;		/* a sentence without its end: what tells */
};

int serving_find(struct serving *serving, const char *root, const char *dev);
void serving_free(struct serving *serving);

#endif /* _IRQOFF_SERVING_H */
