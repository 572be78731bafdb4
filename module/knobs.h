/* SPDX-License-Identifier: GPL-2.0-only */
/* The knobs: one table for module parameters and netlink. Pure. */
#ifndef _TIO_KNOBS_H
#define _TIO_KNOBS_H

#include <linux/types.h>

enum tio_knob {
	TIO_KNOB_ENABLE,
	TIO_KNOB_THRESHOLD_US,
	TIO_KNOB_PERIOD_US,
	TIO_KNOB_RING_RECORDS,
	TIO_KNOBS		/* the numeric ones; "cpus" is a list */
};

/*
 * Limits and defaults, in the unit of the knob's name. The shortest period is 20,000
 * timer interrupts a second and CPU, which cost a few percent of a CPU; the shortest
 * threshold is two of those periods.
 */
#define TIO_THRESHOLD_US_MIN		100
#define TIO_THRESHOLD_US_MAX		60000000
#define TIO_THRESHOLD_US_DEFAULT	10000
#define TIO_PERIOD_US_MIN		50
#define TIO_PERIOD_US_MAX		1000000
#define TIO_PERIOD_US_DEFAULT		1000
#define TIO_RING_RECORDS_MIN		2
#define TIO_RING_RECORDS_MAX		4096
#define TIO_RING_RECORDS_DEFAULT	64

/* the defaults: an initializer of an array that is indexed by knob */
#define TIO_KNOBS_DEFAULT {						\
	[TIO_KNOB_THRESHOLD_US] = TIO_THRESHOLD_US_DEFAULT,		\
	[TIO_KNOB_PERIOD_US] = TIO_PERIOD_US_DEFAULT,			\
	[TIO_KNOB_RING_RECORDS] = TIO_RING_RECORDS_DEFAULT,		\
}

struct tio_knob_desc {
	const char *name;
	const char *rule;	/* the error message where a value is refused */
	__u32 min;
	__u32 max;
};

extern const struct tio_knob_desc tio_knobs[TIO_KNOBS];
extern const char tio_cpus_rule[];

const char *tio_knobs_refuse(const __u32 knobs[TIO_KNOBS]);

#endif /* _TIO_KNOBS_H */
