// SPDX-License-Identifier: GPL-2.0-only
/*
 * A heartbeat is due at a known moment, so a late one proves that interrupts
 * were off from there until it ran, and the beat before it that they were on
 * until then: the stall's length lies between. Softirqs get their own beat
 * without an interrupt of its own: the heartbeat looks whether they could run
 * at that moment. If so, that beat is done; if not, it waits from then on, and
 * the first softirq to run, or to end with none pending, is its end.
 */
#include "stall.h"

/**
 * tio_stall_start() - begin to watch a CPU
 * @stall: the CPU's state
 * @now_ns: now, with interrupts on until now
 * @softirqs_on: softirqs could run until now as well
 */
void tio_stall_start(struct tio_stall *stall, __u64 now_ns, bool softirqs_on)
{
	*stall = (struct tio_stall) {
		.hard_on_ns = now_ns,
		.soft_on_ns = softirqs_on ? now_ns : 0,
	};
}

static void soft_end(struct tio_stall *stall, const struct tio_timing *timing,
		     __u64 known_ns, __u64 now_ns, struct tio_outcome *out)
{
	__u64 min_ns = known_ns > stall->soft_due_ns ?
		       known_ns - stall->soft_due_ns : 0;

	out->soft_ended = true;
	out->soft.min_ns = min_ns;
	out->soft.max_ns = now_ns - stall->soft_on_ns;
	out->soft_nested_ns = stall->nested_ns < min_ns ? stall->nested_ns : min_ns;
	/*
	 * Interrupts off hold softirqs off as well: that part is the hard
	 * stall's, and only what lies outside of it makes a stall of its own.
	 */
	out->count_soft = min_ns >= stall->late_ns +
				    TIO_COUNT_PERIODS * timing->period_ns;
	out->record_soft = min_ns >= stall->nested_ns + timing->threshold_ns;

	stall->soft_due_ns = 0;
	stall->soft_on_ns = now_ns;
}

/* a sample now, rather than after the next beat, which may come too late */
static bool sample_due(struct tio_stall *stall, const struct tio_timing *timing,
		       const struct tio_beat *beat)
{
	__u64 elapsed_ns = beat->now_ns - stall->soft_due_ns;

	if (!stall->next_sample_ns)
		stall->next_sample_ns = timing->threshold_ns;
	if (elapsed_ns < stall->next_sample_ns &&
	    beat->next_ns - stall->soft_due_ns <= stall->next_sample_ns)
		return false;

	do {
		stall->next_sample_ns *= 2;
	} while (stall->next_sample_ns <= elapsed_ns);
	return true;
}

/* what interrupts off take from a softirq stall that is open meanwhile */
static void nest(struct tio_stall *stall, __u64 now_ns,
		 const struct tio_outcome *out)
{
	__u64 from_ns = stall->hard_due_ns > stall->soft_due_ns ?
			stall->hard_due_ns : stall->soft_due_ns;

	if (!stall->soft_due_ns)
		return;
	if (out->record_hard)
		stall->nested_ns += now_ns - from_ns;
	if (out->count_hard)
		stall->late_ns += now_ns - from_ns;
}

/**
 * tio_stall_late() - a beat that was due has not run in time
 * @stall: the CPU's state
 * @due_ns: when it was due
 *
 * A hard stall goes on from then, or does already; tio_stall_irq_exit() ends it.
 */
void tio_stall_late(struct tio_stall *stall, __u64 due_ns)
{
	if (stall->hard_due_ns)
		return;
	/* it may have fallen due in an interrupt that took long itself */
	stall->hard_due_ns = due_ns > stall->hard_on_ns ? due_ns : stall->hard_on_ns;
	stall->hard_from_ns = stall->hard_on_ns;
}

/**
 * tio_stall_irq_exit() - the interrupt that late beats ran in is over
 * @stall: the CPU's state, with hard_due_ns set
 * @timing: settings in force
 * @now_ns: now
 * @out: filled in
 *
 * Interrupts stay off to the end of an interrupt, whatever it does besides.
 */
void tio_stall_irq_exit(struct tio_stall *stall,
			const struct tio_timing *timing, __u64 now_ns,
			struct tio_outcome *out)
{
	__u64 min_ns = now_ns > stall->hard_due_ns ?
		       now_ns - stall->hard_due_ns : 0;

	*out = (struct tio_outcome) {
		.hard_ended = true,
		.hard.min_ns = min_ns,
		.hard.max_ns = now_ns - stall->hard_from_ns,
		.count_hard = min_ns >= TIO_COUNT_PERIODS * timing->period_ns,
		.record_hard = min_ns >= timing->threshold_ns,
	};
	nest(stall, now_ns, out);
	stall->hard_due_ns = 0;
	stall->hard_on_ns = now_ns;
}

static void look_at_softirqs(struct tio_stall *stall,
			     const struct tio_timing *timing,
			     const struct tio_beat *beat,
			     struct tio_outcome *out)
{
	if (beat->softirqs_on) {
		if (stall->soft_due_ns)
			soft_end(stall, timing, stall->soft_off_ns,
				 beat->now_ns, out);
		else
			stall->soft_on_ns = beat->now_ns;
		return;
	}

	stall->soft_off_ns = beat->now_ns;
	out->nudge = beat->silent;
	if (stall->soft_due_ns) {
		out->sample_soft = sample_due(stall, timing, beat);
		return;
	}
	/*
	 * From now on, not from when the beat was due: if it is late, it is so
	 * for interrupts that were off, and says nothing of softirqs.
	 */
	stall->soft_due_ns = beat->now_ns;
	stall->nested_ns = 0;
	stall->late_ns = 0;
	stall->next_sample_ns = 0;
}

/**
 * tio_stall_beat() - the heartbeat ran
 * @stall: the CPU's state
 * @timing: settings in force
 * @beat: what it found
 * @out: filled in
 *
 * A late beat in an interrupt whose end will be seen leaves hard_due_ns set:
 * then tio_stall_irq_exit() must follow. Otherwise its own time is the end.
 */
void tio_stall_beat(struct tio_stall *stall, const struct tio_timing *timing,
		    const struct tio_beat *beat, struct tio_outcome *out)
{
	*out = (struct tio_outcome) { };
	if (beat->now_ns >= beat->due_ns + TIO_COUNT_PERIODS * timing->period_ns)
		tio_stall_late(stall, beat->due_ns);
	/* nothing about softirqs has changed within one interrupt */
	if (!beat->again)
		look_at_softirqs(stall, timing, beat, out);

	if (stall->hard_due_ns && !beat->entry_ns) {
		struct tio_outcome hard;

		tio_stall_irq_exit(stall, timing, beat->now_ns, &hard);
		out->hard_ended = true;
		out->hard = hard.hard;
		out->count_hard = hard.count_hard;
		out->record_hard = hard.record_hard;
	}
	/* interrupts are off since this one came in */
	if (!stall->hard_due_ns)
		stall->hard_on_ns = beat->entry_ns ?: beat->now_ns;
}

/**
 * tio_stall_softirq() - softirqs can run again
 * @stall: the CPU's state, with a softirq beat waiting
 * @timing: settings in force
 * @now_ns: a softirq began to run now, or ended and none is pending
 * @out: filled in
 */
void tio_stall_softirq(struct tio_stall *stall,
		       const struct tio_timing *timing, __u64 now_ns,
		       struct tio_outcome *out)
{
	*out = (struct tio_outcome) { };
	if (stall->soft_due_ns)
		soft_end(stall, timing, now_ns, now_ns, out);
}
