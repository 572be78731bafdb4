/* SPDX-License-Identifier: GPL-2.0-only */
/* The settings in force, and the one way to change them. */
#ifndef _TIO_CONTROL_H
#define _TIO_CONTROL_H

#include <linux/cpumask.h>
#include "ring_index.h"
#include "settings.h"

int tio_control_init(void);
void tio_control_exit(void);

struct tio_settings *tio_control_begin(void);
int tio_control_end(struct tio_settings *settings, const char **rule);
void tio_control_abort(struct tio_settings *settings);

/* what is in force at one moment */
struct tio_status {
	u32 knobs[TIO_KNOBS];
	u64 now_ns;		/* CLOCK_MONOTONIC */
	u64 enabled_ns;		/* when it was last enabled */
	u64 instance;		/* random, from when the module was loaded */
	size_t ring_bytes;	/* memory for the records of one CPU */
};

void tio_control_status(struct tio_status *status);
u32 tio_control_knob(enum tio_knob knob);
int tio_control_cpus(char *buf, size_t size);
int tio_control_watched(char *buf, size_t size);
bool tio_control_ring(unsigned int cpu, struct tio_ring_index *index);
void tio_control_clear(void);

#endif /* _TIO_CONTROL_H */
