/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Evidence -> class, evidence grade, bounds. Pure: compiled unchanged by the
 * module, the reader and the unit tests.
 */
#ifndef _TIO_CLASSIFY_H
#define _TIO_CLASSIFY_H

#ifdef __KERNEL__
#include <linux/types.h>
#else
#include <stdbool.h>
#include <stddef.h>
#endif

#include "record.h"

/* how far apart the bounds of a stall may be besides one period */
#define TIO_BOUNDS_SLACK_NS	200000

/* an NMI that a running CPU asks for arrives within microseconds */
#define TIO_PROMPT_NS		100000

enum tio_class {
	TIO_CLASS_UNKNOWN,
	TIO_CLASS_HARDIRQ_OFF,
	TIO_CLASS_SOFTIRQ_OFF,
	TIO_CLASS_SOFTIRQ_LONG,
	TIO_CLASS_KSOFTIRQD_WAIT,
	TIO_CLASS_HARDIRQ_LONG,
	TIO_CLASS_STOLEN,
	TIO_CLASSES
};

/* bits, so that of several records they add up */
enum tio_evidence {
	TIO_EVIDENCE_NONE	= 0,
	TIO_EVIDENCE_END	= 1 << 0,
	TIO_EVIDENCE_SAMPLE	= 1 << 1,
};

enum tio_class tio_classify(const struct tio_record *rec);
const struct tio_sample *tio_deciding_sample(const struct tio_record *rec);
bool tio_storm(const struct tio_record *rec);
const char *tio_class_name(enum tio_class class);
enum tio_evidence tio_evidence(const struct tio_record *rec);
const char *tio_evidence_name(const struct tio_record *rec);
bool tio_bounds_wide(__u64 min_ns, __u64 max_ns, __u64 period_ns);

#endif /* _TIO_CLASSIFY_H */
