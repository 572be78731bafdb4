/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From a record to its verdict. Pure: compiled unchanged by the module, the
 * reader and the unit tests.
 */
#ifndef _TIO_CLASSIFY_H
#define _TIO_CLASSIFY_H

#ifdef __KERNEL__
#include <linux/types.h>
#else
#include <stdbool.h>
#include <stddef.h>
#endif

#include "core/record.h"

/* bounds that differ by more than one period and this are wide */
#define TIO_BOUNDS_SLACK_NS	200000

/* a CPU that runs takes an NMI within microseconds, behind the instruction that it is in */
#define TIO_PROMPT_NS		100000

enum tio_class {
	TIO_CLASS_UNKNOWN		= TRACE_IRQOFF_CLASS_UNKNOWN,
	TIO_CLASS_HARDIRQ_OFF		= TRACE_IRQOFF_CLASS_HARDIRQ_OFF,
	TIO_CLASS_SOFTIRQ_OFF		= TRACE_IRQOFF_CLASS_SOFTIRQ_OFF,
	TIO_CLASS_SOFTIRQ_LONG		= TRACE_IRQOFF_CLASS_SOFTIRQ_LONG,
	TIO_CLASS_KSOFTIRQD_WAIT	= TRACE_IRQOFF_CLASS_KSOFTIRQD_WAIT,
	TIO_CLASS_HARDIRQ_LONG		= TRACE_IRQOFF_CLASS_HARDIRQ_LONG,
	TIO_CLASS_STOLEN		= TRACE_IRQOFF_CLASS_STOLEN,
	TIO_CLASSES
};

/* does a stall of this class have somebody to blame, where the evidence names one? */
static inline bool tio_class_blames(enum tio_class class)
{
	return class != TIO_CLASS_UNKNOWN && class != TIO_CLASS_STOLEN;
}

/* bits: the evidence of several records is their OR */
enum tio_evidence {
	TIO_EVIDENCE_NONE	= 0,
	TIO_EVIDENCE_END	= 1 << 0,
	TIO_EVIDENCE_SAMPLE	= 1 << 1,
};

/* tio_verdict.sample: the end decides */
#define TIO_END		TIO_SAMPLES

/* what the evidence of a record says */
struct tio_verdict {
	enum tio_class class;
	/* what an unknown class is unless a hypervisor or firmware had the CPU; or unknown */
	enum tio_class suspected;
	enum tio_evidence evidence;	/* what class and culprit rest on */
	unsigned int sample;	/* which of the record's samples that is, or TIO_END */
	bool storm;		/* many interrupt handlers took the time */
	bool nmi;		/* NMI handlers of others did */
	bool undecided;		/* a section if another CPU's ended likewise */
	bool wide;		/* the bounds miss the promised precision */
};

void tio_judge(const struct tio_record *rec, struct tio_verdict *verdict);
const struct tio_sample *tio_deciding_sample(const struct tio_record *rec,
					     const struct tio_verdict *verdict);
__u64 tio_sample_offset(const struct tio_record *rec, const struct tio_sample *sample);
__u64 tio_sample_share(const struct tio_record *rec, unsigned int i);
const char *tio_class_name(enum tio_class class);
const char *tio_evidence_name(enum tio_evidence evidence);
bool tio_bounds_wide(__u64 min_ns, __u64 max_ns, __u64 period_ns);

#endif /* _TIO_CLASSIFY_H */
