/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Example stalls for the suites of classes and evidence. All are 40 ms long and end
 * at 1000 ms. Each test has one record, because a record is too big for the stack.
 */
#ifndef _TIO_EXAMPLE_H
#define _TIO_EXAMPLE_H

#include <linux/string.h>

#include "core/classify.h"
#include "suite.h"

#define END	(TRACE_IRQOFF_F_IRQS_ON | TRACE_IRQOFF_F_AT_IRQ_ENABLE)

/* a hard stall that was sampled at its end */
static inline struct tio_record *hard_end(struct kunit *test, u32 flags)
{
	struct tio_record *rec = test->priv;

	memset(rec, 0, sizeof(*rec));
	rec->kind = TRACE_IRQOFF_KIND_HARD;
	rec->min_ns = 40 * MS;
	rec->max_ns = 41 * MS;
	rec->end_ns = 1000 * MS;
	rec->threshold_ns = 10 * MS;
	rec->period_ns = MS;
	rec->handler_known = 1;
	rec->end.flags = flags;
	rec->end.at_ns = rec->end_ns;
	return rec;
}

static inline struct tio_record *soft_sample(struct kunit *test, u32 flags, u32 pending)
{
	struct tio_record *rec = hard_end(test, END);

	rec->kind = TRACE_IRQOFF_KIND_SOFT;
	rec->nsamples = 1;
	rec->samples[0].flags = flags;
	rec->samples[0].pending = pending;
	rec->samples[0].at_ns = 970 * MS;
	return rec;
}

/* a hard stall that another CPU sampled once it was as long as the threshold */
static inline struct tio_record *hard_sample(struct kunit *test, u32 flags)
{
	struct tio_record *rec = hard_end(test, END);

	rec->nsamples = 1;
	rec->samples[0].flags = flags | TRACE_IRQOFF_F_ASKED;
	rec->samples[0].at_ns = 970 * MS;
	rec->samples[0].delay_ns = TIO_PROMPT_NS;
	rec->samples[0].irq.number = TIO_NO_IRQ;
	return rec;
}

static inline struct tio_verdict judged(const struct tio_record *rec)
{
	struct tio_verdict verdict;

	tio_judge(rec, &verdict);
	return verdict;
}

static inline enum tio_class class_of(const struct tio_record *rec)
{
	return judged(rec).class;
}

static inline const char *evidence_of(const struct tio_record *rec)
{
	return tio_evidence_name(judged(rec).evidence);
}

static inline const struct tio_sample *decides(const struct tio_record *rec)
{
	struct tio_verdict verdict = judged(rec);

	return tio_deciding_sample(rec, &verdict);
}

static inline int example_setup(struct kunit *test)
{
	test->priv = kunit_kzalloc(test, sizeof(struct tio_record), GFP_KERNEL);
	return test->priv ? 0 : -ENOMEM;
}

#endif /* _TIO_EXAMPLE_H */
