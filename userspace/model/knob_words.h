/* SPDX-License-Identifier: GPL-2.0-only */
/* Parses KNOB=VALUE words. The module decides which values are allowed. */
#ifndef _IRQOFF_KNOB_WORDS_H
#define _IRQOFF_KNOB_WORDS_H

#include <linux/types.h>
#include <stdbool.h>

#include "core/knobs.h"

/* behind the module's numeric ones */
enum {
	KNOB_CPUS = TIO_KNOBS,
	KNOBS
};

struct knobs {
	bool given[KNOBS];
	__u32 numbers[TIO_KNOBS];
	const char *words[KNOBS];	/* what was typed; NULL: nothing */
	const char *cpus;
	bool free;			/* give the records' memory back */
};

int knobs_parse(struct knobs *knobs, const char *word, const char *next);
bool knob_known(const char *word);
const char *knob_word(unsigned int i);
const char *knob_value(const char *word, unsigned int i);
const char *knob_value_name(enum tio_knob knob, __u32 value);

#endif /* _IRQOFF_KNOB_WORDS_H */
