// SPDX-License-Identifier: GPL-2.0-only
/*
 * Hard stalls: a beat is due at a known moment. If it runs late, interrupts were
 * off at least from that moment on. They were on when the interrupt of the beat
 * before came in, so they were off at most since then.
 *
 * Soft stalls: a beat that finds softirqs off opens one. It ends when a softirq
 * begins to run, when one ends with none pending, or when a beat finds softirqs
 * on. Softirqs were off at most since the last moment at which they could run.
 */
#include "core/sample_times.h"
#include "core/stall.h"

/**
 * tio_stall_start() - begin to watch a CPU
 * @stall: the CPU's state
 * @now_ns: now, with interrupts on until now
 * @softirqs_on: softirqs could run until now as well
 *
 * Context: any.
 */
void tio_stall_start(struct tio_stall *stall, __u64 now_ns, bool softirqs_on)
{
	*stall = (struct tio_stall) {
		.hard_on_ns = now_ns,
		.soft_on_ns = softirqs_on ? now_ns : 0,
	};
}

/* @known_ns: softirqs were off until then at least; @now_ns: until now at most */
static void soft_end(struct tio_stall *stall, const struct tio_timing *timing,
		     __u64 known_ns, __u64 now_ns, struct tio_outcome *out)
{
	__u64 min_ns = known_ns > stall->soft_due_ns ?
		       known_ns - stall->soft_due_ns : 0;

	out->soft_ended = true;
	out->soft.min_ns = min_ns;
	out->soft.max_ns = now_ns - stall->soft_on_ns;
	out->soft_nested_ns = stall->nested_ns < min_ns ? stall->nested_ns : min_ns;
	out->soft_late_ns = stall->late_ns < min_ns ? stall->late_ns : min_ns;
	/*
	 * Softirqs cannot run while interrupts are off. Hard stalls account for
	 * that time. Only the rest counts towards a softirq stall.
	 */
	out->count_soft = min_ns >= stall->late_ns +
				    TIO_COUNT_PERIODS * timing->period_ns;
	out->record_soft = min_ns >= stall->nested_ns + timing->threshold_ns;

	stall->soft_due_ns = 0;
	stall->soft_on_ns = now_ns;
}

/* is a sample due now, or before the next beat, which would come too late for it? */
static bool sample_due(struct tio_stall *stall, const struct tio_timing *timing,
		       const struct tio_beat *beat)
{
	__u64 elapsed_ns = beat->now_ns - stall->soft_due_ns;

	if (!stall->next_sample_ns)
		stall->next_sample_ns = tio_sample_times_soft_first(timing->threshold_ns);
	if (elapsed_ns < stall->next_sample_ns &&
	    beat->next_ns - stall->soft_due_ns <= stall->next_sample_ns)
		return false;

	do {
		stall->next_sample_ns *= 2;
	} while (stall->next_sample_ns <= elapsed_ns);
	return true;
}

/* adds a hard stall that has ended to the softirq stall that is open around it */
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
 * Opens a hard stall, unless one is open. tio_stall_irq_exit() ends it.
 *
 * Context: any.
 */
void tio_stall_late(struct tio_stall *stall, __u64 due_ns)
{
	if (stall->hard_due_ns)
		return;
	/* the beat may have been due before interrupts were last on: begin there */
	stall->hard_due_ns = due_ns > stall->hard_on_ns ? due_ns : stall->hard_on_ns;
	stall->hard_from_ns = stall->hard_on_ns;
}

/**
 * tio_stall_irq_exit() - the interrupt that late beats ran in is over
 * @stall: the CPU's state, with an open hard stall
 * @timing: settings in force
 * @now_ns: now
 * @out: filled in
 *
 * Interrupts are off until the end of that interrupt, so the stall lasts until then.
 *
 * Context: any.
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
	 * The stall begins now, not when the beat was due: what made the beat
	 * late were interrupts, and that says nothing about softirqs.
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
 * A late beat opens a hard stall. Where the end of the beat's interrupt will be seen
 * (@beat has an entry_ns), the stall stays open and tio_stall_irq_exit() must follow.
 * Otherwise the stall ends with the beat.
 *
 * Context: any.
 */
void tio_stall_beat(struct tio_stall *stall, const struct tio_timing *timing,
		    const struct tio_beat *beat, struct tio_outcome *out)
{
	*out = (struct tio_outcome) { };
	if (beat->now_ns >= beat->due_ns + TIO_COUNT_PERIODS * timing->period_ns)
		tio_stall_late(stall, beat->due_ns);
	/* no softirq runs within one interrupt, so one look at them is enough */
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
 * @stall: the CPU's state; nothing ends where no softirq stall is open
 * @timing: settings in force
 * @now_ns: a softirq began to run now, or ended and none is pending
 * @out: filled in
 *
 * Context: any.
 */
void tio_stall_softirq(struct tio_stall *stall,
		       const struct tio_timing *timing, __u64 now_ns,
		       struct tio_outcome *out)
{
	*out = (struct tio_outcome) { };
	if (stall->soft_due_ns)
		soft_end(stall, timing, now_ns, now_ns, out);
}
