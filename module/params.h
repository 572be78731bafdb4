/* SPDX-License-Identifier: GPL-2.0-only */
/* The knobs: one table behind module parameters and netlink alike. */
#ifndef _TIO_PARAMS_H
#define _TIO_PARAMS_H

#include <linux/types.h>

#ifdef __KERNEL__
#include <linux/cpumask.h>
#endif

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

enum tio_cpus_mode {
	TIO_CPUS_DEFAULT,	/* all but isolated and nohz_full ones */
	TIO_CPUS_ALL,
	TIO_CPUS_LIST,
};

extern const struct tio_knob_desc tio_knobs[TIO_KNOBS];
extern const char tio_cpus_rule[];

const char *tio_knobs_refuse(const __u32 knobs[TIO_KNOBS]);

#ifdef __KERNEL__
struct tio_settings {
	u32 knobs[TIO_KNOBS];
	enum tio_cpus_mode cpus_mode;
	struct cpumask cpus;	/* of TIO_CPUS_LIST */
};

void tio_settings_default(struct tio_settings *settings);
int tio_cpus_parse(struct tio_settings *settings, const char *text);
int tio_cpus_print(const struct tio_settings *settings, char *buf, size_t size);
#endif

#endif /* _TIO_PARAMS_H */
