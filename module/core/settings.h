/* SPDX-License-Identifier: GPL-2.0-only */
/* A value for each knob, the list of CPUs included. */
#ifndef _TIO_SETTINGS_H
#define _TIO_SETTINGS_H

#include <linux/cpumask.h>
#include "core/knobs.h"

enum tio_cpus_mode {
	TIO_CPUS_DEFAULT,	/* all but isolated and nohz_full CPUs */
	TIO_CPUS_ALL,
	TIO_CPUS_LIST,
};

struct tio_settings {
	u32 knobs[TIO_KNOBS];
	enum tio_cpus_mode cpus_mode;
	struct cpumask cpus;	/* of TIO_CPUS_LIST */
};

static inline bool tio_settings_enabled(const struct tio_settings *settings)
{
	return settings->knobs[TIO_KNOB_ENABLE];
}

int tio_knob_parse(enum tio_knob knob, const char *text, u32 *value);
int tio_knob_parse_measure(enum tio_knob knob, const char *text, u32 *value);
int tio_knob_print_measure(enum tio_knob knob, u32 value, char *buf, size_t size);
int tio_cpus_parse(struct tio_settings *settings, const char *text);
int tio_cpus_print(const struct tio_settings *settings, char *buf, size_t size);

#endif /* _TIO_SETTINGS_H */
