// SPDX-License-Identifier: GPL-2.0-only
/*
 * One asking at a time for each CPU. Whoever asks claims the state, writes what
 * it is about and sends the NMI; the NMI's handler gives the state back. Neither
 * ever waits for the other. The looks are kept with the CPU's ring, where that
 * CPU alone touches them: its NMI, and the end of the stall, which an NMI may
 * interrupt but not overlap.
 */
#include <linux/jiffies.h>
#include <linux/smp.h>
#include <linux/timekeeping.h>

#include "asked.h"
#include "classify.h"
#include "cpu.h"
#include "nmi.h"
#include "ring.h"
#include "sample.h"

#define ASKED_SENDING	1	/* somebody is at it to send the NMI */
#define ASKED_PENDING	2	/* no NMI has taken the look yet */

/**
 * tio_ask() - have a CPU that is stuck looked at
 * @cpu: the CPU, not this one
 * @id: its tio_stall_id(), where it is still the same
 * @late: this CPU had been late itself
 *
 * Context: hard interrupt, interrupts off.
 * Return: false when it is not asked: the last asking is not over, the CPU is
 * not watched any more, or this machine has no such NMI.
 */
bool tio_ask(unsigned int cpu, u64 id, bool late)
{
	struct tio_cpu *that = per_cpu_ptr(&tio_cpu, cpu);
	struct tio_asked *asked = &that->asked;

	if (!tio_nmi_able() ||
	    atomic_cmpxchg(&asked->state, 0, ASKED_SENDING))
		return false;
	/* pairs with tio_asked_drain(): that one sees our state or we see this */
	if (!READ_ONCE(that->armed) || tio_stall_id(that) != id) {
		atomic_set(&asked->state, 0);
		return false;
	}
	/* others look at these two before they ask */
	if (asked->id != id)
		WRITE_ONCE(asked->times, 0);
	WRITE_ONCE(asked->id, id);
	WRITE_ONCE(asked->times, asked->times + 1);
	asked->asker_late = late;
	WRITE_ONCE(asked->sent_ns, ktime_get_mono_fast_ns());
	/* all of it is there for the NMI, whosever it is */
	smp_mb__before_atomic();
	atomic_or(ASKED_PENDING, &asked->state);
	tio_nmi_send(cpu);
	atomic_andnot(ASKED_SENDING, &asked->state);
	return true;
}

static void take(struct tio_cpu *cpu, struct pt_regs *regs)
{
	const struct tio_asked *asked = &cpu->asked;
	struct tio_caught *caught = &cpu->ring->caught;
	u64 now_ns = ktime_get_mono_fast_ns();
	u64 delay_ns = now_ns > asked->sent_ns ? now_ns - asked->sent_ns : 0;

	/* the beat may have run, and the stall go on in the same interrupt */
	bool same = caught->id == asked->id ||
		    tio_peek(cpu->stall.hard_due_ns);

	if (READ_ONCE(caught->closed) || (same && caught->n == TIO_SAMPLES))
		return;
	raw_write_seqcount_begin(&caught->seqcount);
	if (!same)
		caught->n = 0;
	caught->id = asked->id;
	tio_sample_asked(&caught->samples[caught->n++], regs, now_ns, delay_ns,
			 asked->asker_late);
	raw_write_seqcount_end(&caught->seqcount);
	WRITE_ONCE(cpu->samples, cpu->samples + 1);
}

/**
 * tio_asked_take() - an NMI has come in: is it, or may it be, the one asked for?
 * @regs: what it interrupted
 *
 * It may be somebody else's NMI, and then ours comes when nobody waits for it.
 *
 * Context: NMI.
 * Return: true when a look had been asked for. It is taken unless the stall that
 * it was about is over.
 */
bool tio_asked_take(struct pt_regs *regs)
{
	struct tio_cpu *cpu = this_cpu_ptr(&tio_cpu);
	struct tio_asked *asked = &cpu->asked;

	if (!(atomic_read_acquire(&asked->state) & ASKED_PENDING))
		return false;
	if (READ_ONCE(cpu->armed) && tio_stall_id(cpu) == asked->id)
		take(cpu, regs);
	asked->credit = true;
	WRITE_ONCE(asked->taken_ns, ktime_get_mono_fast_ns());
	/* what is done here comes before whatever the next one asks */
	smp_mb__before_atomic();
	atomic_andnot(ASKED_PENDING, &asked->state);
	return true;
}

/*
 * How long after the look an NMI may be claimed: while the CPU has not handled an
 * interrupt since, it may not have run; afterwards it arrives as fast as the
 * hardware delivers it.
 */
#define CLAIM_NS		(NSEC_PER_SEC)
#define CLAIM_SETTLED_NS	(10 * NSEC_PER_MSEC)

/**
 * tio_asked_claim() - an NMI that nobody knows: is it ours, come too late?
 *
 * Context: NMI.
 */
bool tio_asked_claim(void)
{
	struct tio_asked *asked = this_cpu_ptr(&tio_cpu.asked);
	u64 since_ns = ktime_get_mono_fast_ns() - asked->taken_ns;
	bool settled = READ_ONCE(asked->settled_ns) == asked->taken_ns;
	bool credit = asked->credit;

	asked->credit = false;
	return credit && since_ns < (settled ? CLAIM_SETTLED_NS : CLAIM_NS);
}

/**
 * tio_asked_settle() - the NMI that was on its way to this CPU should be here
 * @cpu: this CPU
 *
 * In an interrupt: an NMI that had arrived would have come before it. One that
 * takes a look right here makes another moment of it, which is not settled.
 *
 * Context: hard interrupt.
 */
void tio_asked_settle(struct tio_cpu *cpu)
{
	struct tio_asked *asked = &cpu->asked;
	u64 taken_ns = READ_ONCE(asked->taken_ns);

	if (unlikely(asked->settled_ns != taken_ns) &&
	    !atomic_read_acquire(&asked->state))
		WRITE_ONCE(asked->settled_ns, taken_ns);
}

/**
 * tio_asked_record() - give a stall's record the looks that were taken
 * @cpu: this CPU
 * @rec: its record, with its bounds
 *
 * Context: interrupts off; an NMI may come in.
 * Return: whether another CPU has been at it for long to send an NMI, which takes
 * one that runs no time at all.
 */
bool tio_asked_record(struct tio_cpu *cpu, struct tio_record *rec)
{
	const struct tio_asked *asked = &cpu->asked;
	struct tio_caught *caught = &cpu->ring->caught;
	unsigned int i;

	rec->nsamples = 0;
	WRITE_ONCE(caught->closed, true);
	barrier();
	for (i = 0; i < caught->n; i++) {
		const struct tio_sample *sample = &caught->samples[i];

		if (sample->at_ns > rec->end_ns - rec->max_ns &&
		    sample->at_ns <= rec->end_ns)
			rec->samples[rec->nsamples++] = *sample;
	}
	WRITE_ONCE(caught->n, 0);
	barrier();
	WRITE_ONCE(caught->closed, false);

	return atomic_read_acquire(&asked->state) ==
		       (ASKED_SENDING | ASKED_PENDING) &&
	       READ_ONCE(asked->sent_ns) > rec->end_ns - rec->max_ns &&
	       READ_ONCE(asked->sent_ns) + TIO_PROMPT_NS < rec->end_ns;
}

/* an NMI that takes longer than this is not coming */
#define DRAIN_JIFFIES	HZ

/**
 * tio_asked_drain() - wait until no NMI is on its way to a CPU
 * @cpu: a CPU whose watching was stopped
 *
 * Context: task, interrupts on.
 */
void tio_asked_drain(unsigned int cpu)
{
	struct tio_asked *asked = per_cpu_ptr(&tio_cpu.asked, cpu);
	unsigned long end = jiffies + DRAIN_JIFFIES;

	/* pairs with tio_ask() */
	smp_mb();
	while (atomic_read(&asked->state) && time_before(jiffies, end))
		cpu_relax();
	atomic_set(&asked->state, 0);
}
