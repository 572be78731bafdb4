/* SPDX-License-Identifier: GPL-2.0-only */
/* Which CPUs run the softirqs that take a network device's packets, as it is set up now. */
#ifndef _IRQOFF_SERVING_H
#define _IRQOFF_SERVING_H

#include <stdbool.h>
#include <stddef.h>

#include "model/cpuset.h"

/* what tells; captures have these numbers, which stay */
enum serving_why {
	SERVING_INTERRUPTS,	/* of the device, or of those below it */
	SERVING_STEERED,	/* likewise, and RPS */
	/* any CPU may serve it, because it, or a device below it, ... */
	SERVING_NO_INTERRUPTS,	/* has none */
	SERVING_THREADS,	/* is polled by threads */
	SERVING_DEEP,		/* has too many devices below it */
	SERVING_WHYS
};

/* when somebody looked */
enum serving_when {
	SERVING_NOW,
	SERVING_THEN,
	SERVING_CHANGED,	/* several times, and it was not always the same */
};

struct serving {
	struct cpuset cpus;	/* says nothing where any CPU may */
	enum serving_why why;
	char *lower;		/* the device whose reason it is that any CPU may, or NULL */
	char *how;		/* a sentence without its end: what tells */
};

typedef void serving_call(void *context, const char *dev, const struct serving *serving);

static inline bool serving_any(enum serving_why why)
{
	return why >= SERVING_NO_INTERRUPTS;
}

int serving_find(struct serving *serving, const char *root, const char *dev);
void serving_each(const char *root, size_t most, serving_call *call, void *context);
char *serving_how(const char *dev, enum serving_why why, const char *lower,
		  enum serving_when when);
void serving_free(struct serving *serving);

#endif /* _IRQOFF_SERVING_H */
