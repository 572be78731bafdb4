// SPDX-License-Identifier: GPL-2.0-only
#include <linux/smp.h>

#include "asked.h"
#include "recorder.h"
#include "ring.h"
#include "sample.h"
#include "softnet.h"

static void fill_common(struct tio_record *rec, enum trace_irqoff_kind kind,
			const struct tio_cpu *cpu,
			const struct tio_bounds *bounds,
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
	rec->unseen_irqs = handlers->unseen;
	tio_softnet_since(&rec->net, &cpu->net);
}

/* softirq stalls say nothing of them */
static const struct tio_handlers no_handlers;

/**
 * tio_record_hard() - keep a hard stall of which the end was seen
 * @cpu: this CPU
 * @bounds: its length
 * @handlers: interrupt handlers since the beat before
 * @regs: what was interrupted, NULL where nobody says it: some x86 IPIs' handlers
 * @now_ns: its end
 *
 * Context: the heartbeat.
 */
void tio_record_hard(struct tio_cpu *cpu, const struct tio_bounds *bounds,
		     const struct tio_handlers *handlers, struct pt_regs *regs,
		     u64 now_ns)
{
	struct tio_record *rec = tio_ring_reserve(cpu->ring);
	bool asker_late;

	fill_common(rec, TRACE_IRQOFF_KIND_HARD, cpu, bounds, handlers, now_ns);
	rec->end_by = cpu->armed ? TRACE_IRQOFF_END_BEAT :
				   TRACE_IRQOFF_END_STOP;
	rec->nested_ns = 0;
	asker_late = tio_asked_record(cpu, rec);
	tio_sample_take(&rec->end, regs, now_ns, rec->end_by, handlers->second);
	if (asker_late)
		rec->end.flags |= TRACE_IRQOFF_F_ASKER_LATE;
	rec->end.handler_ns = handlers->longest_ns;
	if (handlers->irq)
		rec->end.irq = *handlers->irq;
	tio_ring_commit(cpu->ring);
}

/**
 * tio_sample_soft() - look at a softirq stall that is going on
 * @cpu: this CPU
 * @regs: what the heartbeat interrupted
 * @now_ns: now
 *
 * The first sample makes the stall visible to readers.
 *
 * Context: the heartbeat.
 */
void tio_sample_soft(struct tio_cpu *cpu, struct pt_regs *regs, u64 now_ns)
{
	struct tio_open_stall *open = &cpu->ring->open;
	struct tio_record *rec = &open->rec;

	if (open->valid && rec->nsamples == TIO_SAMPLES)
		return;

	raw_write_seqcount_begin(&open->seqcount);
	if (!open->valid) {
		const struct tio_bounds none = { };

		fill_common(rec, TRACE_IRQOFF_KIND_SOFT, cpu, &none,
			    &no_handlers, 0);
		rec->nsamples = 0;
		open->due_ns = cpu->stall.soft_due_ns;
		open->on_ns = cpu->stall.soft_on_ns;
		open->valid = true;
	}
	rec->nested_ns = cpu->stall.nested_ns;
	tio_sample_take(&rec->samples[rec->nsamples++], regs, now_ns,
			TRACE_IRQOFF_END_BEAT, false);
	raw_write_seqcount_end(&open->seqcount);
	WRITE_ONCE(cpu->samples, cpu->samples + 1);
}

/**
 * tio_forget_soft() - the sampled stall is over
 * @cpu: this CPU
 *
 * Context: interrupts off.
 */
void tio_forget_soft(struct tio_cpu *cpu)
{
	struct tio_open_stall *open = &cpu->ring->open;

	if (!open->valid)
		return;
	raw_write_seqcount_begin(&open->seqcount);
	open->valid = false;
	raw_write_seqcount_end(&open->seqcount);
}

/**
 * tio_record_soft() - keep a softirq stall that ended
 * @cpu: this CPU
 * @out: its length
 * @regs: what was interrupted at the end, NULL when no interrupt showed it
 * @now_ns: its end
 * @end_by: what showed it
 *
 * Takes the samples along; tio_forget_soft() must follow.
 *
 * Context: interrupts off.
 */
void tio_record_soft(struct tio_cpu *cpu, const struct tio_outcome *out,
		     struct pt_regs *regs, u64 now_ns,
		     enum trace_irqoff_end end_by)
{
	struct tio_record *rec = tio_ring_reserve(cpu->ring);
	const struct tio_open_stall *open = &cpu->ring->open;
	unsigned int n = open->valid ? open->rec.nsamples : 0;

	fill_common(rec, TRACE_IRQOFF_KIND_SOFT, cpu, &out->soft, &no_handlers,
		    now_ns);
	rec->end_by = end_by;
	rec->nested_ns = out->soft_nested_ns;
	rec->nsamples = n;
	memcpy(rec->samples, open->rec.samples, n * sizeof(rec->samples[0]));
	tio_sample_take(&rec->end, regs, now_ns, rec->end_by, false);
	tio_ring_commit(cpu->ring);
}
