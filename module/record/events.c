// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events for tracers, beside the records: what happened before and during a stall is in the
 * same buffer then. While nobody listens an event costs a branch that is never taken.
 */
#include "record/events.h"

#define CREATE_TRACE_POINTS
#include "record/trace.h"

/**
 * tio_event_ended() - tell tracers of a stall that has ended
 * @rec: its record, complete but for its steal
 *
 * Context: interrupts off.
 */
void tio_event_ended(const struct tio_record *rec)
{
	struct tio_verdict verdict;

	if (!trace_stall_enabled())
		return;
	tio_judge(rec, &verdict);
	trace_stall(rec, verdict.suspected ?: verdict.class, tio_deciding_sample(rec, &verdict));
}
