// SPDX-License-Identifier: GPL-2.0-only
/*
 * A stall that has ended is counted, and recorded if it was long enough. What was
 * noted of its handlers and packets is reset then.
 */
#include <linux/smp.h>

#include "arch/beneath.h"
#include "arch/clock.h"
#include "arch/irq_count.h"
#include "core/candidate.h"
#include "core/retention_rank.h"
#include "record/events.h"
#include "record/guard.h"
#include "record/meanwhile.h"
#include "record/nmi_sample.h"
#include "record/recorder.h"
#include "record/sample.h"
#include "record/stack.h"
#include "record/trace.h"
#include "record/wake.h"
#include "state/nmi_time.h"
#include "state/open_stall.h"
#include "state/ring.h"
#include "state/steal.h"

static void fill(struct tio_record *rec, enum trace_irqoff_kind kind,
		 const struct tio_cpu *cpu, const struct tio_bounds *bounds,
		 const struct tio_handlers *handlers, u64 now_ns)
{
	rec->kind = kind;
	rec->cpu = smp_processor_id();
	rec->open = 0;
	rec->min_ns = bounds->min_ns;
	rec->max_ns = bounds->max_ns;
	rec->end_ns = now_ns;
	rec->threshold_ns = cpu->timing.threshold_ns;
	rec->period_ns = cpu->timing.period_ns;
	rec->handler_ns = handlers->ns;
	rec->handlers = handlers->number;
	rec->handler_known = handlers->known;
	rec->untraced_irqs = handlers->untraced;
	rec->smis = 0;
	rec->late_ns = 0;
	rec->beneath = tio_beneath();
	rec->nmi_ns = 0;
	rec->nmi_handler = 0;
	rec->steal = 0;
	tio_candidate_begin(&rec->meanwhile);
	tio_softnet_since(&rec->net, &cpu->net);
}

/* handlers say nothing about softirq stalls */
static const struct tio_handlers no_handlers;

/*
 * Those who follow are told once of a softirq stall that goes on: by the first sample that
 * is taken when readers are shown it, or less than a period before that.
 */
static void tell_open(const struct tio_cpu *cpu, const struct tio_record *rec, u64 now_ns)
{
	u64 shown_ns = cpu->stall.soft_due_ns + cpu->timing.threshold_ns;
	u64 from_ns = shown_ns - cpu->timing.period_ns;

	if (now_ns < from_ns)
		return;
	/* of the samples the newest ones are always kept */
	if (rec->nsamples > 1 && rec->samples[rec->nsamples - 2].at_ns >= from_ns)
		return;
	tio_wake_open(rec->cpu, shown_ns);
	trace_stall_open(rec->cpu, TRACE_IRQOFF_KIND_SOFT, cpu->stall.soft_due_ns);
}

/**
 * tio_recorder_sample_soft() - sample a softirq stall that is going on
 * @cpu: this CPU
 * @regs: what the heartbeat interrupted
 * @now_ns: now
 *
 * A stall that has a sample is shown to readers once it lasts the threshold.
 *
 * Context: the heartbeat.
 */
void tio_recorder_sample_soft(struct tio_cpu *cpu, struct pt_regs *regs, u64 now_ns)
{
	const struct tio_bounds none = { };
	struct tio_sample *sample;
	struct tio_record *rec;
	bool first;

	rec = tio_open_soft_reserve(tio_cpu_open(cpu), cpu->stall.soft_due_ns,
				    cpu->stall.soft_on_ns, &first);
	if (first)
		fill(rec, TRACE_IRQOFF_KIND_SOFT, cpu, &none, &no_handlers, 0);
	rec->nested_ns = cpu->stall.nested_ns;
	rec->late_ns = cpu->stall.late_ns;
	sample = &rec->samples[rec->nsamples - 1];
	tio_sample_take(sample, regs, now_ns, TRACE_IRQOFF_END_BEAT, false);
	if (sample->nframes)
		tio_sample_lock(sample, regs);
	tio_meanwhile_ask(sample);
	tio_open_soft_commit(tio_cpu_open(cpu));
	tell_open(cpu, rec, now_ns);
	WRITE_ONCE(cpu->counters.samples, cpu->counters.samples + 1);
}

/* since the module was loaded, and since records were dropped last */
static void count(struct tio_cpu *cpu, enum trace_irqoff_kind kind, u64 ns)
{
	tio_histogram_add(kind == TRACE_IRQOFF_KIND_SOFT ? &cpu->counters.soft :
							    &cpu->counters.hard, ns);
	tio_ring_count(cpu->ring, kind, ns);
}

static void commit(struct tio_cpu *cpu, const struct tio_record *rec)
{
	struct tio_retention_rank rank;

	tio_retention_rank_of(rec, tio_stack_is_own, &rank);
	tio_ring_commit(cpu->ring, &rank);
	tio_wake_cpu(rec->cpu);
	tio_event_ended(rec);
}

static void record_hard(struct tio_cpu *cpu, const struct tio_bounds *bounds,
			const struct tio_handlers *handlers, struct pt_regs *regs,
			u64 now_ns, enum trace_irqoff_end end_by)
{
	struct tio_record *rec = tio_ring_reserve(cpu->ring);
	bool requester_late;

	fill(rec, TRACE_IRQOFF_KIND_HARD, cpu, bounds, handlers, now_ns);
	rec->end_by = end_by;
	rec->nested_ns = 0;
	rec->smis = tio_steal_smis(cpu, rec);
	tio_nmi_time_fill(cpu, rec);
	tio_open_hard_close(tio_cpu_open(cpu), rec);
	/* before the stack is walked, which takes time */
	requester_late = tio_nmi_sample_requester_late(cpu, rec);
	tio_sample_take(&rec->end, regs, now_ns, rec->end_by, handlers->later_irq);
	if (regs)
		tio_sample_end_section(&rec->end);
	if (requester_late)
		rec->end.flags |= TRACE_IRQOFF_F_ASKER_LATE;
	rec->end.handler_ns = handlers->longest_ns;
	if (handlers->irq)
		rec->end.irq = *handlers->irq;
	tio_meanwhile_fill(rec);
	tio_guard_summon(rec);
	commit(cpu, rec);
	tio_steal_await(cpu, rec);
}

/*
 * The hard stall's record has the packets up to now. A softirq stall that goes on
 * must not tell of them again.
 */
static void packets_told(struct tio_cpu *cpu)
{
	bool waited = cpu->net.waited;

	tio_softnet_read(&cpu->net);
	cpu->net.waited = waited && cpu->stall.soft_due_ns;
}

/**
 * tio_recorder_end_hard() - a hard stall has ended
 * @cpu: this CPU
 * @out: what its end proved
 * @regs: what the interrupt that showed the end had interrupted; NULL: no
 *	interrupt did, or it is not known, as in the handlers of some x86 IPIs
 * @now_ns: now
 * @end_by: what showed it
 * @handlers_known: all handlers that ran in it have returned
 *
 * Context: interrupts off.
 */
void tio_recorder_end_hard(struct tio_cpu *cpu, const struct tio_outcome *out,
			   struct pt_regs *regs, u64 now_ns, enum trace_irqoff_end end_by,
			   bool handlers_known)
{
	struct tio_handlers handlers = {
		.untraced = tio_untraced_irqs() - cpu->heartbeat.untraced_irqs,
		.known = handlers_known && tio_clock_steady(),
		.later_irq = cpu->heartbeat.later_irq,
	};

	if (out->record_hard) {
		if (handlers.known)
			tio_handled_sum(&cpu->handled, out->hard.max_ns, &handlers);
		record_hard(cpu, &out->hard, &handlers, regs, now_ns, end_by);
	}
	if (out->count_hard)
		count(cpu, TRACE_IRQOFF_KIND_HARD, out->hard.min_ns);
	tio_nmi_sample_irq(cpu);
	if (out->record_hard || !cpu->stall.soft_due_ns)
		packets_told(cpu);
	cpu->handled.longest = 0;
	tio_handled_forget(&cpu->handled);
}

static void record_soft(struct tio_cpu *cpu, const struct tio_outcome *out,
			struct pt_regs *regs, u64 now_ns,
			enum trace_irqoff_end end_by)
{
	struct tio_record *rec = tio_ring_reserve(cpu->ring);

	fill(rec, TRACE_IRQOFF_KIND_SOFT, cpu, &out->soft, &no_handlers, now_ns);
	rec->end_by = end_by;
	rec->nested_ns = out->soft_nested_ns;
	rec->late_ns = out->soft_late_ns;
	tio_open_soft_copy(tio_cpu_open(cpu), rec);
	tio_sample_take(&rec->end, regs, now_ns, rec->end_by, false);
	tio_meanwhile_fill(rec);
	commit(cpu, rec);
}

/**
 * tio_recorder_end_soft() - a softirq stall has ended
 * @cpu: this CPU
 * @out: what its end proved
 * @regs: what was interrupted at the end; NULL where no interrupt showed it
 * @now_ns: now
 * @end_by: what showed it
 *
 * Context: interrupts off.
 */
void tio_recorder_end_soft(struct tio_cpu *cpu, const struct tio_outcome *out,
			   struct pt_regs *regs, u64 now_ns,
			   enum trace_irqoff_end end_by)
{
	if (out->record_soft)
		record_soft(cpu, out, regs, now_ns, end_by);
	if (out->count_soft)
		count(cpu, TRACE_IRQOFF_KIND_SOFT, out->soft.min_ns);
	tio_open_soft_close(tio_cpu_open(cpu));
	tio_recorder_note_packets(cpu);
}
