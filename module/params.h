/* SPDX-License-Identifier: GPL-2.0-only */
/* The knobs: one table behind module parameters and netlink alike. */
#ifndef _TIO_PARAMS_H
#define _TIO_PARAMS_H

#include <linux/types.h>

enum tio_knob {
	TIO_KNOB_ENABLE,
	TIO_KNOB_THRESHOLD_US,
	TIO_KNOB_PERIOD_US,
	TIO_KNOB_RING_RECORDS,
	TIO_KNOBS		/* the numeric ones; "cpus" is a list */
};

struct tio_knob_desc {
	const char *name;
	const char *unit;
	const char *rule;	/* the sentence said when a value is refused */
	__u32 min;
	__u32 max;
	__u32 def;
};

extern const struct tio_knob_desc tio_knobs[TIO_KNOBS];
extern const char tio_cpus_rule[];

const char *tio_knobs_refuse(const __u32 knobs[TIO_KNOBS]);

#endif /* _TIO_PARAMS_H */
