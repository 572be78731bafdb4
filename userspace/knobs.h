/* SPDX-License-Identifier: GPL-2.0-only */
/* Parses KNOB=VALUE words. The module decides which values are allowed. */
#ifndef _IRQOFF_KNOBS_H
#define _IRQOFF_KNOBS_H

#include <linux/types.h>
#include <stdbool.h>

enum knob {
	KNOB_ENABLE,
	KNOB_THRESHOLD_US,
	KNOB_PERIOD_US,
	KNOB_RING_RECORDS,
	KNOB_CPUS,
	KNOBS
};

struct knobs {
	bool given[KNOBS];
	__u32 numbers[KNOBS];
	const char *words[KNOBS];	/* what was typed; NULL: nothing */
	const char *cpus;
};

int knobs_parse(struct knobs *knobs, const char *word, const char *next);
const char *knob_word(unsigned int i);

#endif /* _IRQOFF_KNOBS_H */
