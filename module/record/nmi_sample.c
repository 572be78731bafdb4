// SPDX-License-Identifier: GPL-2.0-only
/*
 * Each CPU has one request at a time. The requester claims the state, writes which
 * stall it means and sends the NMI. The NMI's handler gives the state back. Neither
 * waits for the other. An NMI that does not arrive is given up, and the next request
 * goes ahead; the one that was given up may still arrive.
 */
#include <linux/delay.h>
#include <linux/smp.h>
#include <linux/timekeeping.h>

#include "core/classify.h"
#include "core/nmi_budget.h"
#include "record/meanwhile.h"
#include "record/nmi.h"
#include "record/nmi_sample.h"
#include "record/sample.h"
#include "record/trace.h"
#include "record/wake.h"
#include "state/cpu.h"
#include "state/open_stall.h"
#include "state/published.h"

/* bits of tio_nmi_request.state */
#define TIO_NMI_SENDING		1	/* a requester owns the request, and sends */
#define TIO_NMI_PENDING		2	/* no NMI has taken the sample yet */
#define TIO_NMI_TAKING		4	/* an NMI takes the sample */
#define TIO_NMI_GIVING_UP	8	/* somebody looks whether to give the NMI up */
#define TIO_NMI_OWED		16	/* one was given up: it may still arrive */

/* an NMI that takes longer than this is given up */
#define LOST_NS		(NSEC_PER_SEC)

/* when the budget of all CPUs together is full, see tio_budget_take() */
static atomic64_t all_full_ns ____cacheline_aligned_in_smp = ATOMIC64_INIT(0);

/**
 * tio_nmi_sample_reset() - the CPU is about to be watched
 * @cpu: this CPU
 *
 * Context: interrupts off.
 */
void tio_nmi_sample_reset(struct tio_cpu *cpu)
{
	cpu->nmi.credit = false;
	atomic_andnot(TIO_NMI_OWED, &cpu->nmi.state);
}

/*
 * A stall's first sample says more than the next ones, which get only the first half of
 * a budget.
 */
static u64 take_one(u64 full_ns, u64 now_ns, enum tio_knob knob, bool first)
{
	const u32 rate = tio_published_knob(knob);

	return tio_budget_take(full_ns, now_ns, rate, first ? 0 : rate / 2);
}

static bool all_take(u64 now_ns, bool first)
{
	s64 full_ns = atomic64_read(&all_full_ns);
	u64 then_ns;

	do {
		then_ns = take_one(full_ns, now_ns, TIO_KNOB_NMI_RATE, first);
		if (!then_ns)
			return false;
	} while (!atomic64_try_cmpxchg(&all_full_ns, &full_ns, then_ns));
	return true;
}

/* the requester owns @nmi; what the budget of all CPUs refuses costs the CPU nothing */
static bool within_budget(struct tio_nmi_request *nmi, u64 now_ns)
{
	const bool first = nmi->number == 1;
	u64 then_ns = take_one(nmi->full_ns, now_ns, TIO_KNOB_NMI_CPU_RATE, first);

	if (!then_ns || !all_take(now_ns, first))
		return false;
	nmi->full_ns = then_ns;
	return true;
}

static bool overdue(const struct tio_nmi_request *nmi)
{
	u64 sent_ns = READ_ONCE(nmi->sent_ns);
	u64 now_ns = ktime_get_mono_fast_ns();

	return now_ns > sent_ns && now_ns - sent_ns >= LOST_NS;
}

/*
 * Gives up an NMI that should have arrived long ago. It may arrive at this moment: then
 * it takes its sample, or else finds that it is owed (tio_nmi_sample_claim()).
 */
static void give_up(struct tio_cpu *that)
{
	struct tio_nmi_request *nmi = &that->nmi;
	int state = atomic_read(&nmi->state);

	if ((state & ~TIO_NMI_OWED) != TIO_NMI_PENDING || !overdue(nmi) ||
	    !atomic_try_cmpxchg(&nmi->state, &state, state | TIO_NMI_GIVING_UP))
		return;
	/* no requester writes from here on; one may just have sent another NMI */
	if (overdue(nmi)) {
		WRITE_ONCE(nmi->owed_beats, tio_peek(that->counters.beats));
		WRITE_ONCE(nmi->owed_exit, tio_peek(that->handled.exit));
		WRITE_ONCE(nmi->owed_ns, ktime_get_mono_fast_ns());
		state = atomic_read(&nmi->state);
		/* orders the writes before OWED */
		while (state & TIO_NMI_PENDING &&
		       !atomic_try_cmpxchg(&nmi->state, &state,
					   (state & ~TIO_NMI_PENDING) | TIO_NMI_OWED))
			;
		if (state & TIO_NMI_PENDING)
			WRITE_ONCE(nmi->lost, nmi->lost + 1);
	}
	/* all of this comes before the next requester's writes */
	smp_mb__before_atomic();
	atomic_andnot(TIO_NMI_GIVING_UP, &nmi->state);
}

/* a CPU that is stuck as watching stops does not know of it yet, but is not sampled */
static bool is_watched(unsigned int cpu)
{
	bool watched;

	rcu_read_lock();
	watched = cpumask_test_cpu(cpu, &tio_published()->watched);
	rcu_read_unlock();
	return watched && tio_is_watched(per_cpu_ptr(&tio_cpu, cpu));
}

static void release(struct tio_nmi_request *nmi)
{
	/* the owner's writes come before the next one's */
	smp_mb__before_atomic();
	atomic_andnot(TIO_NMI_SENDING, &nmi->state);
}

/**
 * tio_nmi_sample_request() - have a CPU that is stuck sampled
 * @cpu: the CPU, not this one
 * @id: its tio_stall_id(); nothing is sent if that has changed
 * @sent: how many were requested about that stall; nothing is sent if another requester
 *	came first
 * @late: this CPU was late itself just before
 *
 * Nothing is sent, and the request may be repeated, where the last one is not over, the
 * CPU is not watched any more, or no NMI can come to it now. Where the budget refuses it, the
 * stall goes without this sample.
 *
 * Context: hard interrupt, interrupts off.
 */
void tio_nmi_sample_request(unsigned int cpu, u64 id, unsigned int sent, bool late)
{
	struct tio_cpu *that = per_cpu_ptr(&tio_cpu, cpu);
	struct tio_nmi_request *nmi = &that->nmi;
	bool first;
	int state;

	if (!tio_nmi_able())
		return;
	give_up(that);
	state = atomic_read(&nmi->state) & TIO_NMI_OWED;
	if (!atomic_try_cmpxchg(&nmi->state, &state, state | TIO_NMI_SENDING))
		return;
	/* pairs with none_under_way(): it sees our state or we see its "armed" */
	if (!is_watched(cpu) || tio_stall_id(that) != id ||
	    (nmi->id == id ? nmi->number : 0) != sent) {
		release(nmi);
		return;
	}
	/* other requesters read id and number before they claim the state */
	if (nmi->id != id)
		WRITE_ONCE(nmi->number, 0);
	WRITE_ONCE(nmi->id, id);
	WRITE_ONCE(nmi->number, nmi->number + 1);
	if (!within_budget(nmi, ktime_get_mono_fast_ns())) {
		WRITE_ONCE(nmi->refused, nmi->refused + 1);
		release(nmi);
		return;
	}
	nmi->requester_late = late;
	WRITE_ONCE(nmi->sent_ns, ktime_get_mono_fast_ns());
	/* the writes come before PENDING: any NMI may take the sample from then on */
	smp_mb__before_atomic();
	atomic_or(TIO_NMI_PENDING, &nmi->state);
	tio_nmi_send(cpu);
	first = nmi->number == 1;
	release(nmi);
	/* told from here, as that CPU cannot; a handler on top of an idle one is never shown */
	if (!first || tio_is_paused(that))
		return;
	tio_wake_open(cpu, id + tio_peek(that->timing.threshold_ns));
	trace_stall_open(cpu, TRACE_IRQOFF_KIND_HARD, id);
}

static void take(struct tio_cpu *cpu, struct pt_regs *regs)
{
	const struct tio_nmi_request *nmi = &cpu->nmi;
	u64 now_ns = ktime_get_mono_fast_ns();
	u64 delay_ns = now_ns > nmi->sent_ns ? now_ns - nmi->sent_ns : 0;
	struct tio_sample *sample;

	/* the beat may have run, and the stall go on in the same interrupt */
	sample = tio_open_hard_reserve(tio_cpu_open(cpu), nmi->id,
				       tio_peek(cpu->stall.hard_due_ns));
	if (!sample)
		return;
	tio_sample_nmi(sample, regs, now_ns, delay_ns, nmi->requester_late);
	tio_meanwhile_ask(sample);
	tio_open_hard_commit(tio_cpu_open(cpu));
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
	int state = atomic_read(&nmi->state);

	/* whoever gives the NMI up at this moment either comes first or not at all */
	do {
		if (!(state & TIO_NMI_PENDING))
			return false;
	} while (!atomic_try_cmpxchg(&nmi->state, &state,
				     (state & ~TIO_NMI_PENDING) | TIO_NMI_TAKING));
	if (tio_is_watched(cpu) && tio_stall_id(cpu) == nmi->id)
		take(cpu, regs);
	nmi->credit = true;
	WRITE_ONCE(nmi->taken_ns, ktime_get_mono_fast_ns());
	/* all of this comes before the next requester's writes */
	smp_mb__before_atomic();
	atomic_andnot(TIO_NMI_TAKING, &nmi->state);
	return true;
}

/*
 * How long after a sample an NMI is claimed. Until the CPU has handled an interrupt
 * it may not have run at all. From then on the NMI arrives as fast as the hardware
 * delivers it.
 */
#define CLAIM_NS		(NSEC_PER_SEC)
#define CLAIM_ARRIVED_NS	(10 * NSEC_PER_MSEC)

/*
 * May the NMI that was given up still arrive? It comes before any interrupt, so not once
 * the CPU has handled one since: a beat, or another one whose handler has returned. A
 * CPU that is not watched notices neither.
 */
static bool owed(const struct tio_cpu *cpu)
{
	const struct tio_nmi_request *nmi = &cpu->nmi;

	if (!tio_is_watched(cpu) &&
	    ktime_get_mono_fast_ns() - READ_ONCE(nmi->owed_ns) >= CLAIM_NS)
		return false;
	return READ_ONCE(cpu->counters.beats) == READ_ONCE(nmi->owed_beats) &&
	       READ_ONCE(cpu->handled.exit) == READ_ONCE(nmi->owed_exit);
}

/**
 * tio_nmi_sample_claim() - is an NMI that no handler knows the one we sent?
 *
 * Context: NMI.
 * Return: true where our NMI may still arrive: the sample was taken by another one, or
 * ours was given up.
 */
bool tio_nmi_sample_claim(void)
{
	struct tio_cpu *cpu = this_cpu_ptr(&tio_cpu);
	struct tio_nmi_request *nmi = &cpu->nmi;
	u64 since_ns = ktime_get_mono_fast_ns() - nmi->taken_ns;
	bool arrived = READ_ONCE(nmi->arrived_ns) == nmi->taken_ns;
	bool credit = nmi->credit;

	nmi->credit = false;
	if (credit && since_ns < (arrived ? CLAIM_ARRIVED_NS : CLAIM_NS))
		return true;
	/* what it is judged by is written before the bit */
	if (!(atomic_read_acquire(&nmi->state) & TIO_NMI_OWED))
		return false;
	credit = owed(cpu);
	atomic_andnot(TIO_NMI_OWED, &nmi->state);
	return credit;
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

	if (unlikely(nmi->arrived_ns != taken_ns) &&
	    !(atomic_read_acquire(&nmi->state) & ~TIO_NMI_OWED))
		WRITE_ONCE(nmi->arrived_ns, taken_ns);
	give_up(cpu);
}

/**
 * tio_nmi_sample_requester_late() - was the requester stopped while it sent the NMI?
 * @cpu: this CPU
 * @rec: the record of the stall that ended, with its bounds
 *
 * A CPU that runs sends within microseconds. One that needs longer was stopped.
 *
 * Context: interrupts off.
 * Return: true when a CPU began to send during the stall, and was still at it when
 * the stall ended, TIO_PROMPT_NS later or more.
 */
bool tio_nmi_sample_requester_late(const struct tio_cpu *cpu,
				   const struct tio_record *rec)
{
	const struct tio_nmi_request *nmi = &cpu->nmi;

	return (atomic_read_acquire(&nmi->state) & ~TIO_NMI_OWED) ==
		       (TIO_NMI_SENDING | TIO_NMI_PENDING) &&
	       READ_ONCE(nmi->sent_ns) > rec->end_ns - rec->max_ns &&
	       READ_ONCE(nmi->sent_ns) + TIO_PROMPT_NS < rec->end_ns;
}

/*
 * Is no NMI on its way to a CPU that is not watched any more? One that has not arrived
 * for a second is given up here, so that the answer is soon true.
 */
static bool none_under_way(struct tio_cpu *cpu)
{
	/* pairs with tio_nmi_sample_request() */
	smp_mb();
	give_up(cpu);
	return !(atomic_read_acquire(&cpu->nmi.state) & ~TIO_NMI_OWED);
}

/**
 * tio_nmi_sample_drain() - wait, asleep, until no NMI is on its way to a CPU
 * @cpu: a CPU that is not watched any more
 *
 * Context: task, may sleep.
 */
void tio_nmi_sample_drain(unsigned int cpu)
{
	while (!none_under_way(per_cpu_ptr(&tio_cpu, cpu)))
		usleep_range(1000, 2000);
}
