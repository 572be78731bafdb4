/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Guard time: while it lasts, a CPU that is awake alone makes one that sleeps its guard.
 * The rules are pure.
 */
#ifndef _TIO_GUARD_H
#define _TIO_GUARD_H

#include <linux/types.h>

#include "core/classify.h"
#include "core/record.h"

/* how long guards are posted after a stall that nobody sampled; docs/design/sampling.md names it */
#define TIO_GUARD_SECONDS	60

/* the end of guard time, which all CPUs read, is moved once a second at most */
#define TIO_GUARD_STEP_SECONDS	1

#define TIO_GUARD_NS		(TIO_GUARD_SECONDS * 1000000000ULL)
#define TIO_GUARD_STEP_NS	(TIO_GUARD_STEP_SECONDS * 1000000000ULL)

/*
 * Would a guard have helped? It would where code of this system held off interrupts and
 * nobody sampled it. A CPU that did not run is no reason to wake another one, nor is a
 * stall that says nothing.
 */
static inline bool tio_guard_helps(const struct tio_record *rec)
{
	struct tio_verdict verdict;
	enum tio_class class;

	if (rec->kind != TRACE_IRQOFF_KIND_HARD || rec->open || rec->nsamples)
		return false;
	tio_judge(rec, &verdict);
	/* no sample gets through to a CPU in an NMI */
	if (verdict.nmi)
		return false;
	/* a sample would also prove what is suspected */
	class = verdict.suspected ?: verdict.class;
	return class == TIO_CLASS_HARDIRQ_OFF || class == TIO_CLASS_HARDIRQ_LONG;
}

/* the end of guard time after a stall that ended at @end_ns; it was @until_ns before */
static inline u64 tio_guard_until(u64 until_ns, u64 end_ns)
{
	if (until_ns >= end_ns + TIO_GUARD_NS)
		return until_ns;
	return end_ns + TIO_GUARD_NS + TIO_GUARD_STEP_NS;
}

/* is it guard time? @knob: enum trace_irqoff_guard */
static inline bool tio_guard_now(u32 knob, u64 until_ns, u64 now_ns)
{
	if (knob == TRACE_IRQOFF_GUARD_AUTO)
		return now_ns < until_ns;
	return knob == TRACE_IRQOFF_GUARD_ALWAYS;
}

void tio_guard_summon(const struct tio_record *rec);
bool tio_guard_time(u64 now_ns);

#endif /* _TIO_GUARD_H */
