/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is in force, as all CPUs and all readers see it. A state is never changed once
 * it is published: the next one replaces it (RCU). control.c alone publishes.
 */
#ifndef _TIO_PUBLISHED_H
#define _TIO_PUBLISHED_H

#include <linux/rcupdate.h>

#include "core/settings.h"
#include "core/stall.h"

struct tio_published {
	u64 generation;		/* grows by one with each state */
	u64 enabled_ns;		/* since when @watched are watched, or the last ones were */
	u64 stopped_ns;		/* when watching stopped; 0: it goes on, or never began */
	u64 self_stops;		/* how often it stopped by itself */
	enum trace_irqoff_stop stopped_by;
	bool free;		/* the memory of the records is to be given back */
	struct tio_timing timing;
	struct cpumask watched;	/* CPUs to watch, possible ones; none where it is stopped */
	struct tio_settings settings;
	struct rcu_head rcu;
};

const struct tio_published *tio_published(void);
u64 tio_published_generation(void);
u32 tio_published_knob(enum tio_knob knob);

void tio_published_start(const struct tio_published *state);
struct tio_published *tio_published_copy(void);
void tio_published_replace(struct tio_published *next);
void tio_published_free(struct tio_published *state);
void tio_published_exit(void);

#endif /* _TIO_PUBLISHED_H */
