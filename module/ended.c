// SPDX-License-Identifier: GPL-2.0-only
/*
 * A stall that is over is counted, and recorded where it was long enough; what was
 * noted meanwhile of its handlers and packets is forgotten.
 */
#include "asked.h"
#include "cycles.h"
#include "ended.h"
#include "interrupts.h"
#include "recorder.h"

/* a soft stall that goes on is not to tell a hard one's packets again */
static void packets_told(struct tio_cpu *cpu)
{
	bool waited = cpu->net.waited;

	tio_softnet_read(&cpu->net);
	cpu->net.waited = waited && cpu->stall.soft_due_ns;
}

/**
 * tio_ended_hard() - a hard stall is over
 * @cpu: this CPU
 * @out: what its end proved
 * @regs: what the interrupt came in on that showed it; NULL: none did
 * @now_ns: now
 * @handlers_known: all handlers that ran in it have returned
 *
 * Context: interrupts off.
 */
void tio_ended_hard(struct tio_cpu *cpu, const struct tio_outcome *out,
		    struct pt_regs *regs, u64 now_ns, bool handlers_known)
{
	struct tio_handlers handlers = {
		.unseen = tio_unseen_irqs() - cpu->unseen_irqs,
		.known = handlers_known && tio_cycles_steady(),
		.second = cpu->second,
	};

	if (out->count_hard)
		tio_histogram_add(&cpu->hard, out->hard.min_ns);
	if (out->record_hard) {
		if (handlers.known)
			tio_handled_sum(&cpu->handled, out->hard.max_ns,
					&handlers);
		tio_record_hard(cpu, &out->hard, &handlers, regs, now_ns);
	}
	tio_asked_settle(cpu);
	if (out->record_hard || !cpu->stall.soft_due_ns)
		packets_told(cpu);
	cpu->handled.longest = 0;
	tio_handled_forget(&cpu->handled);
}

/**
 * tio_ended_soft() - a soft stall is over
 * @cpu: this CPU
 * @out: what its end proved
 * @regs: as of tio_ended_hard()
 * @now_ns: now
 * @end_by: what showed it
 *
 * Context: interrupts off.
 */
void tio_ended_soft(struct tio_cpu *cpu, const struct tio_outcome *out,
		    struct pt_regs *regs, u64 now_ns,
		    enum trace_irqoff_end end_by)
{
	if (out->count_soft)
		tio_histogram_add(&cpu->soft, out->soft.min_ns);
	if (out->record_soft)
		tio_record_soft(cpu, out, regs, now_ns, end_by);
	tio_forget_soft(cpu);
	tio_packets_before(cpu);
}
