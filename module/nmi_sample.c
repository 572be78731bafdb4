// SPDX-License-Identifier: GPL-2.0-only
/*
 * Each CPU has one request at a time. The requester claims the state, writes which
 * stall it means and sends the NMI. The NMI's handler gives the state back. Neither
 * waits for the other.
 */
#include <linux/jiffies.h>
#include <linux/smp.h>
#include <linux/timekeeping.h>

#include "classify.h"
#include "cpu.h"
#include "nmi.h"
#include "nmi_sample.h"
#include "open.h"
#include "sample.h"

#define TIO_NMI_SENDING	1	/* the requester is sending the NMI */
#define TIO_NMI_PENDING	2	/* no NMI has taken the sample yet */

/**
 * tio_nmi_sample_reset() - the CPU is about to be watched
 * @cpu: this CPU
 *
 * Context: interrupts off.
 */
void tio_nmi_sample_reset(struct tio_cpu *cpu)
{
	cpu->nmi.credit = false;
}

/**
 * tio_nmi_sample_request() - have a CPU that is stuck sampled
 * @cpu: the CPU, not this one
 * @id: its tio_stall_id(); nothing is sent if that has changed
 * @late: this CPU was late itself just before
 *
 * Context: hard interrupt, interrupts off.
 * Return: false when nothing is sent: the last request is not over, the CPU is not
 * watched any more, or this machine has no such NMI.
 */
bool tio_nmi_sample_request(unsigned int cpu, u64 id, bool late)
{
	struct tio_cpu *that = per_cpu_ptr(&tio_cpu, cpu);
	struct tio_nmi_request *nmi = &that->nmi;

	if (!tio_nmi_able() || atomic_cmpxchg(&nmi->state, 0, TIO_NMI_SENDING))
		return false;
	/* pairs with tio_nmi_sample_drain(): it sees our state or we see its "armed" */
	if (!READ_ONCE(that->beat.armed) || tio_stall_id(that) != id) {
		atomic_set(&nmi->state, 0);
		return false;
	}
	/* other requesters read id and number before they claim the state */
	if (nmi->id != id)
		WRITE_ONCE(nmi->number, 0);
	WRITE_ONCE(nmi->id, id);
	WRITE_ONCE(nmi->number, nmi->number + 1);
	nmi->requester_late = late;
	WRITE_ONCE(nmi->sent_ns, ktime_get_mono_fast_ns());
	/* the writes come before PENDING: any NMI may take the sample from then on */
	smp_mb__before_atomic();
	atomic_or(TIO_NMI_PENDING, &nmi->state);
	tio_nmi_send(cpu);
	atomic_andnot(TIO_NMI_SENDING, &nmi->state);
	return true;
}

static void take(struct tio_cpu *cpu, struct pt_regs *regs)
{
	const struct tio_nmi_request *nmi = &cpu->nmi;
	u64 now_ns = ktime_get_mono_fast_ns();
	u64 delay_ns = now_ns > nmi->sent_ns ? now_ns - nmi->sent_ns : 0;
	struct tio_sample *sample;

	/* the beat may have run, and the stall go on in the same interrupt */
	sample = tio_open_hard_reserve(cpu->open, nmi->id,
				       tio_peek(cpu->stall.hard_due_ns));
	if (!sample)
		return;
	tio_sample_nmi(sample, regs, now_ns, delay_ns, nmi->requester_late);
	tio_open_hard_commit(cpu->open);
	WRITE_ONCE(cpu->counters.samples, cpu->counters.samples + 1);
}

/**
 * tio_nmi_sample_take() - an NMI came in; take the sample that was requested
 * @regs: what it interrupted
 *
 * The NMI may be another one than ours. Ours comes later then, when no sample is wanted.
 * Nothing is sampled if the stall is over.
 *
 * Context: NMI.
 * Return: true when a sample had been requested.
 */
bool tio_nmi_sample_take(struct pt_regs *regs)
{
	struct tio_cpu *cpu = this_cpu_ptr(&tio_cpu);
	struct tio_nmi_request *nmi = &cpu->nmi;

	if (!(atomic_read_acquire(&nmi->state) & TIO_NMI_PENDING))
		return false;
	if (READ_ONCE(cpu->beat.armed) && tio_stall_id(cpu) == nmi->id)
		take(cpu, regs);
	nmi->credit = true;
	WRITE_ONCE(nmi->taken_ns, ktime_get_mono_fast_ns());
	/* all of this comes before the next requester's writes */
	smp_mb__before_atomic();
	atomic_andnot(TIO_NMI_PENDING, &nmi->state);
	return true;
}

/*
 * How long after a sample an NMI is claimed. Until the CPU has handled an interrupt
 * it may not have run at all. From then on the NMI arrives as fast as the hardware
 * delivers it.
 */
#define CLAIM_NS		(NSEC_PER_SEC)
#define CLAIM_ARRIVED_NS	(10 * NSEC_PER_MSEC)

/**
 * tio_nmi_sample_claim() - is an NMI that no handler knows the one we sent?
 *
 * Context: NMI.
 * Return: true where our NMI may still arrive because the sample was taken by
 * another one.
 */
bool tio_nmi_sample_claim(void)
{
	struct tio_nmi_request *nmi = this_cpu_ptr(&tio_cpu.nmi);
	u64 since_ns = ktime_get_mono_fast_ns() - nmi->taken_ns;
	bool arrived = READ_ONCE(nmi->arrived_ns) == nmi->taken_ns;
	bool credit = nmi->credit;

	nmi->credit = false;
	return credit && since_ns < (arrived ? CLAIM_ARRIVED_NS : CLAIM_NS);
}

/**
 * tio_nmi_sample_irq() - this CPU handles an interrupt
 * @cpu: this CPU
 *
 * An NMI that was on its way comes before any interrupt, so it has arrived by now,
 * unless it is being sent. One that takes a sample right here changes taken_ns,
 * and arrived_ns does not match it.
 *
 * Context: hard interrupt.
 */
void tio_nmi_sample_irq(struct tio_cpu *cpu)
{
	struct tio_nmi_request *nmi = &cpu->nmi;
	u64 taken_ns = READ_ONCE(nmi->taken_ns);

	if (unlikely(nmi->arrived_ns != taken_ns) && !atomic_read_acquire(&nmi->state))
		WRITE_ONCE(nmi->arrived_ns, taken_ns);
}

/**
 * tio_nmi_sample_requester_late() - was the requester stopped while it sent the NMI?
 * @cpu: this CPU
 * @rec: the record of the stall that ended, with its bounds
 *
 * Sending takes a CPU that runs no time at all.
 *
 * Context: interrupts off.
 * Return: true when a CPU began to send during the stall, and was still at it when
 * the stall ended, TIO_PROMPT_NS later or more.
 */
bool tio_nmi_sample_requester_late(const struct tio_cpu *cpu,
				   const struct tio_record *rec)
{
	const struct tio_nmi_request *nmi = &cpu->nmi;

	return atomic_read_acquire(&nmi->state) == (TIO_NMI_SENDING | TIO_NMI_PENDING) &&
	       READ_ONCE(nmi->sent_ns) > rec->end_ns - rec->max_ns &&
	       READ_ONCE(nmi->sent_ns) + TIO_PROMPT_NS < rec->end_ns;
}

/* an NMI that takes longer than this is not coming */
#define DRAIN_JIFFIES	HZ

/**
 * tio_nmi_sample_drain() - wait until no NMI is on its way to a CPU
 * @cpu: a CPU that is not watched any more
 *
 * Context: task, interrupts on.
 */
void tio_nmi_sample_drain(unsigned int cpu)
{
	struct tio_nmi_request *nmi = per_cpu_ptr(&tio_cpu.nmi, cpu);
	unsigned long end = jiffies + DRAIN_JIFFIES;

	/* pairs with tio_nmi_sample_request() */
	smp_mb();
	while (atomic_read(&nmi->state) && time_before(jiffies, end))
		cpu_relax();
	atomic_set(&nmi->state, 0);
}
