/* SPDX-License-Identifier: GPL-2.0-only */
/* The knobs: one table for module parameters, netlink and the reader. Pure. */
#ifndef _TIO_KNOBS_H
#define _TIO_KNOBS_H

#include <linux/types.h>
#ifndef __KERNEL__
#include <stdbool.h>
#endif

#include "uapi/linux/trace_irqoff.h"

enum tio_knob {
	TIO_KNOB_ENABLE,
	TIO_KNOB_THRESHOLD_US,
	TIO_KNOB_PERIOD_US,
	TIO_KNOB_RING_RECORDS,
	TIO_KNOB_NMI,		/* enum trace_irqoff_nmi */
	TIO_KNOB_NMI_CPU_RATE,
	TIO_KNOB_NMI_RATE,
	TIO_KNOB_GUARD,		/* enum trace_irqoff_guard */
	TIO_KNOB_MAX_COST_PPM,
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
/* two stalls of eight thresholds a second and CPU, half a second apart, have all samples */
#define TIO_NMI_CPU_RATE_MIN		1
#define TIO_NMI_CPU_RATE_MAX		1000
#define TIO_NMI_CPU_RATE_DEFAULT	8
#define TIO_NMI_RATE_MIN		1
#define TIO_NMI_RATE_MAX		100000
#define TIO_NMI_RATE_DEFAULT		64
/* the finest period costs some 4 % of a CPU where its timer interrupts take 2 us */
#define TIO_MAX_COST_PPM_MIN		0
#define TIO_MAX_COST_PPM_MAX		1000000
#define TIO_MAX_COST_PPM_DEFAULT	60000

/* the defaults: an initializer of an array that is indexed by knob */
#define TIO_KNOBS_DEFAULT {						\
	[TIO_KNOB_THRESHOLD_US] = TIO_THRESHOLD_US_DEFAULT,		\
	[TIO_KNOB_PERIOD_US] = TIO_PERIOD_US_DEFAULT,			\
	[TIO_KNOB_RING_RECORDS] = TIO_RING_RECORDS_DEFAULT,		\
	[TIO_KNOB_NMI] = TRACE_IRQOFF_NMI_AUTO,				\
	[TIO_KNOB_NMI_CPU_RATE] = TIO_NMI_CPU_RATE_DEFAULT,		\
	[TIO_KNOB_NMI_RATE] = TIO_NMI_RATE_DEFAULT,			\
	[TIO_KNOB_GUARD] = TRACE_IRQOFF_GUARD_AUTO,			\
	[TIO_KNOB_MAX_COST_PPM] = TIO_MAX_COST_PPM_DEFAULT,		\
}

struct tio_knob_desc {
	const char *name;
	const char *rule;	/* the error message where a value is refused */
	__u32 min;
	__u32 max;
	const char * const *words;	/* what the values are called, or NULL */
	int attr;		/* its netlink attribute, a u32 */
	bool byte;		/* a u8 */
};

extern const struct tio_knob_desc tio_knobs[TIO_KNOBS];
extern const char tio_cpus_rule[];

const char *tio_knobs_refuse(const __u32 knobs[TIO_KNOBS]);

#endif /* _TIO_KNOBS_H */
