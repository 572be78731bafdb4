/* SPDX-License-Identifier: GPL-2.0-only */
/* What is in force and what is watched, for readers. It takes no mutex. */
#ifndef _TIO_STATUS_H
#define _TIO_STATUS_H

#include "core/knobs.h"
#include "core/ring_index.h"

struct tio_recent;

/* what is in force at one moment */
struct tio_status {
	u32 knobs[TIO_KNOBS];
	u64 now_ns;		/* CLOCK_MONOTONIC */
	u64 generation;
	u64 enabled_ns;		/* see struct tio_published */
	u64 stopped_ns;
	u64 self_stops;
	enum trace_irqoff_stop stopped_by;
	u64 instance;		/* random, from when the module was loaded */
	size_t ring_bytes;	/* memory for the records of one CPU */
	unsigned int rings;	/* CPUs that have it */
	bool freeing;		/* it is given back once no CPU uses it */
	bool attached;
	bool detaching;
};

void tio_status_init(void);
void tio_status(struct tio_status *status);
int tio_status_cpus(char *buf, size_t size);
int tio_status_watched(char *buf, size_t size);
int tio_status_behind(char *buf, size_t size);
bool tio_status_ring(unsigned int cpu, struct tio_ring_index *index);
u32 tio_status_tracer(unsigned int cpu);
u64 tio_status_recent(unsigned int cpu, struct tio_recent *recent);

#endif /* _TIO_STATUS_H */
