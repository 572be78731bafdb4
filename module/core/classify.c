// SPDX-License-Identifier: GPL-2.0-only
/*
 * The class says why interrupts or softirqs did not run. It rests on the interrupted
 * state alone. Names of tasks and functions are no evidence.
 */
#include "core/classify.h"

static const char * const class_names[TIO_CLASSES] = {
	[TIO_CLASS_UNKNOWN]		= "unknown",
	[TIO_CLASS_HARDIRQ_OFF]		= "hardirq-off",
	[TIO_CLASS_SOFTIRQ_OFF]		= "softirq-off",
	[TIO_CLASS_SOFTIRQ_LONG]	= "softirq-long",
	[TIO_CLASS_KSOFTIRQD_WAIT]	= "ksoftirqd-wait",
	[TIO_CLASS_HARDIRQ_LONG]	= "hardirq-long",
	[TIO_CLASS_STOLEN]		= "stolen",
};

/**
 * tio_class_name() - the word for a class
 * @class: a class
 *
 * Context: any.
 * Return: its name in output and filters, "unknown" for a number without a class.
 */
const char *tio_class_name(enum tio_class class)
{
	return class_names[class < TIO_CLASSES ? class : TIO_CLASS_UNKNOWN];
}

/* a storm has at least so many handlers */
#define STORM_HANDLERS	16

/* did handlers that took @ns run for over half of the stall? A hypervisor may have had the rest */
static bool took_half(const struct tio_record *rec, __u64 ns)
{
	__u64 stolen_ns = rec->steal ? rec->steal - 1 : 0;

	return ns > stolen_ns && ns - stolen_ns > rec->min_ns / 2;
}

/* many handlers took over half of the stall together, and no single one did */
static bool storm(const struct tio_record *rec)
{
	return rec->kind == TRACE_IRQOFF_KIND_HARD && rec->handler_known &&
	       rec->handlers >= STORM_HANDLERS && took_half(rec, rec->handler_ns) &&
	       rec->end.handler_ns <= rec->min_ns / 2;
}

/* the kernel counts that a hypervisor had the CPU for over half of the stall */
static bool robbed(const struct tio_record *rec)
{
	return rec->kind == TRACE_IRQOFF_KIND_HARD && rec->steal &&
	       rec->steal - 1 > rec->min_ns / 2;
}

/*
 * The CPU ran for half of the stall at least, and took no interrupt: the kernel counts what a
 * hypervisor takes, or there is none, and no system management interrupt was counted.
 */
static bool surely_ran(const struct tio_record *rec)
{
	if (rec->beneath == TIO_BENEATH_FIRMWARE)
		return rec->smis == 1;
	return rec->steal && !robbed(rec);
}

/*
 * NMI handlers of others took over half of the stall. No interrupt and no NMI of ours gets
 * through to such a CPU, although it runs, so what samples say of it is wrong.
 */
static bool nmi_handlers(const struct tio_record *rec)
{
	return rec->kind == TRACE_IRQOFF_KIND_HARD && !rec->open &&
	       rec->nmi_ns > rec->min_ns / 2;
}

/*
 * Is the idle task sampled, in one of these states (TRACE_IRQOFF_F_IDLE*)? A CPU that runs a
 * handler or a softirq on top of it is not idle.
 */
static bool idle(const struct tio_sample *sample, __u32 states)
{
	const __u32 others = TRACE_IRQOFF_F_HARDIRQ | TRACE_IRQOFF_F_SERVING_SOFTIRQ;

	return sample->flags & states && !(sample->flags & others);
}

/*
 * Classifies a hard stall of which only the end was seen. It is hardirq-off where the late beat
 * interrupted kernel code right behind an instruction that enables interrupts, and handlers do
 * not account for the time. Everything else is unknown: idle and user code do not hold interrupts
 * off for long, and interrupted code says nothing about a handler that ran on top of it.
 */
static enum tio_class classify_task_end(const struct tio_record *rec)
{
	/* the softirq loop enables interrupts, but is not what held them off */
	const __u32 innocent = TRACE_IRQOFF_F_USER | TRACE_IRQOFF_F_HARDIRQ |
			       TRACE_IRQOFF_F_SOFTIRQ_LOOP;

	if (rec->end.flags & innocent ||
	    idle(&rec->end, TRACE_IRQOFF_F_IDLE | TRACE_IRQOFF_F_IDLE_LOOP) ||
	    !(rec->end.flags & TRACE_IRQOFF_F_AT_IRQ_ENABLE))
		return TIO_CLASS_UNKNOWN;
	if (!rec->handler_known || rec->untraced_irqs ||
	    rec->min_ns < rec->handler_ns + rec->threshold_ns)
		return TIO_CLASS_UNKNOWN;
	return TIO_CLASS_HARDIRQ_OFF;
}

static enum tio_class classify_soft_sample(const struct tio_sample *sample)
{
	if (sample->flags & TRACE_IRQOFF_F_HARDIRQ)
		return TIO_CLASS_UNKNOWN;
	if (sample->flags & TRACE_IRQOFF_F_SERVING_SOFTIRQ)
		return TIO_CLASS_SOFTIRQ_LONG;
	if (sample->flags & TRACE_IRQOFF_F_BH_OFF)
		return TIO_CLASS_SOFTIRQ_OFF;
	/* on PREEMPT_RT a task that disabled them may be preempted, or sleep */
	if (sample->pending && sample->flags & TRACE_IRQOFF_F_BH_HELD)
		return TIO_CLASS_SOFTIRQ_OFF;
	/* enabled, pending, and not run as an interrupt ended: the kernel left them to ksoftirqd */
	if (sample->pending)
		return TIO_CLASS_KSOFTIRQD_WAIT;
	return TIO_CLASS_UNKNOWN;
}

/* when a sample was requested: a CPU that takes an NMI late ran no other code since then */
static __u64 requested_ns(const struct tio_sample *sample)
{
	return sample->at_ns - sample->delay_ns;
}

/* from a sample to the next one or the end */
static __u64 span_after(const struct tio_record *rec, unsigned int i)
{
	__u64 to_ns = i + 1 < rec->nsamples ? requested_ns(&rec->samples[i + 1]) :
					      rec->end_ns;

	return to_ns > rec->samples[i].at_ns ? to_ns - rec->samples[i].at_ns : 0;
}

/**
 * tio_sample_offset() - when in a stall a sample was taken
 * @rec: a record
 * @sample: one of its samples
 *
 * Context: any.
 * Return: ns since the stall's latest possible begin; 0 for a sample that came before it.
 */
__u64 tio_sample_offset(const struct tio_record *rec, const struct tio_sample *sample)
{
	__u64 from_ns = rec->end_ns - rec->min_ns;

	return sample->at_ns > from_ns ? sample->at_ns - from_ns : 0;
}

/**
 * tio_sample_share() - the part of a stall that a sample speaks for
 * @rec: a record
 * @i: which of its samples
 *
 * That is the time from its request to the request of the next one. The first sample
 * also speaks for the time before it.
 *
 * Context: any.
 * Return: ns.
 */
__u64 tio_sample_share(const struct tio_record *rec, unsigned int i)
{
	return span_after(rec, i) +
	       (i ? rec->samples[i].delay_ns : tio_sample_offset(rec, &rec->samples[i]));
}

/* a short section that a CPU was stopped in ends sooner than this once it runs again */
#define GOES_ON_NS	1000000

/*
 * Is what follows a sample too short to blame the sampled code? That is up to half of the stall
 * where a handler was about to begin and no handler took half.
 */
static bool ends_soon(const struct tio_record *rec, unsigned int i)
{
	const struct tio_sample *sample = &rec->samples[i];
	bool brief = sample->flags & TRACE_IRQOFF_F_HARDIRQ && !sample->handler_ns &&
		     !(sample->flags & TRACE_IRQOFF_F_IRQS_ON) && rec->handler_known &&
		     !rec->untraced_irqs && rec->end.handler_ns <= rec->min_ns / 2;
	__u64 after_ns = span_after(rec, i);

	return after_ns < GOES_ON_NS || (brief && after_ns < rec->min_ns / 2);
}

/*
 * Does this sample say nothing about most of a stall? It was requested by a CPU that was late
 * itself, so CPUs stalled together. Or it came late, although the kernel counts that the CPU ran
 * for most of the stall. It says only whether the CPU ran since the request. The end says more.
 */
static bool last_moment(const struct tio_record *rec, unsigned int i)
{
	const struct tio_sample *sample = &rec->samples[i];
	bool late = sample->delay_ns > TIO_PROMPT_NS && surely_ran(rec);

	return (sample->flags & TRACE_IRQOFF_F_ASKER_LATE || late) &&
	       sample->delay_ns <= rec->min_ns / 2 && ends_soon(rec, i);
}

/*
 * Is a stall over so soon after a sample that came late that the CPU may have been stopped in a
 * short section?
 */
static bool ends_with_stop(const struct tio_record *rec, unsigned int i)
{
	__u64 after_ns = span_after(rec, i), delay_ns = rec->samples[i].delay_ns;

	return delay_ns > TIO_PROMPT_NS && (after_ns < GOES_ON_NS || after_ns < delay_ns);
}

/*
 * Did the CPU not run in the time that this sample of a hard stall speaks for? A CPU that runs
 * takes an NMI at once even with interrupts off, and takes its beat with interrupts on.
 * Otherwise a hypervisor or firmware had it. The code that it was stopped in is not to blame
 * then, unless it goes on for as long as the stop. A stop of less than half of the time does not
 * tell where the rest went. Without a hypervisor a CPU may also be in one instruction for long,
 * such as a read of a device that hangs. Common firmware has all CPUs at once, the requester
 * included.
 */
static bool stolen(const struct tio_record *rec, unsigned int i)
{
	const struct tio_sample *sample = &rec->samples[i];
	bool by_firmware = rec->smis > 1 && sample->flags & TRACE_IRQOFF_F_ASKER_LATE;
	/* that the requester was late says less than the kernel's count */
	bool ran = sample->delay_ns <= TIO_PROMPT_NS &&
		   (!(sample->flags & TRACE_IRQOFF_F_ASKER_LATE) || surely_ran(rec));
	/* between two interrupts of a storm interrupts are enabled for a moment */
	bool irqs_on = sample->flags & TRACE_IRQOFF_F_IRQS_ON && !storm(rec);

	if (rec->beneath == TIO_BENEATH_FIRMWARE && !by_firmware)
		return false;
	if (ran)
		return irqs_on && span_after(rec, i) > TIO_PROMPT_NS;
	/* a handler took most of the time, and the sampled code ran only after it */
	if (!(sample->flags & TRACE_IRQOFF_F_HARDIRQ) &&
	    rec->end.handler_ns > rec->min_ns / 2)
		return true;
	return irqs_on || (ends_with_stop(rec, i) &&
			   sample->delay_ns > tio_sample_share(rec, i) / 2);
}

/*
 * No hypervisor, and the NMI came late: was the CPU in one instruction meanwhile, for most of
 * the stall?
 */
static bool one_instruction(const struct tio_record *rec, unsigned int i)
{
	const struct tio_sample *sample = &rec->samples[i];

	return rec->beneath == TIO_BENEATH_FIRMWARE && sample->delay_ns > TIO_PROMPT_NS &&
	       sample->delay_ns > rec->min_ns / 2;
}

/*
 * Does this sample of a hard stall say nothing about the cause? A handler may have waited for
 * the stall to end, as the late beat did, unless it has run or goes on for long.
 */
static bool says_nothing(const struct tio_record *rec, unsigned int i)
{
	const struct tio_sample *sample = &rec->samples[i];

	if (rec->kind != TRACE_IRQOFF_KIND_HARD || storm(rec))
		return false;
	if (last_moment(rec, i))
		return true;
	if (stolen(rec, i) || one_instruction(rec, i))
		return false;
	/* interrupts have just been enabled, and the beat is about to run; or it did not run */
	if (sample->flags & TRACE_IRQOFF_F_IRQS_ON)
		return rec->beneath != TIO_BENEATH_FIRMWARE || span_after(rec, i) < GOES_ON_NS;
	if (!(sample->flags & TRACE_IRQOFF_F_HARDIRQ))
		return false;
	return sample->handler_ns ? sample->handler_ns < tio_sample_offset(rec, sample) / 2 :
				    span_after(rec, i) < GOES_ON_NS;
}

/* did the CPU that should have sampled this one stall with it? */
static bool requester_late(const struct tio_record *rec)
{
	unsigned int i;

	for (i = 0; i < rec->nsamples; i++)
		if (last_moment(rec, i))
			return true;
	return rec->end.flags & TRACE_IRQOFF_F_ASKER_LATE;
}

static enum tio_class classify_hard_end(const struct tio_record *rec,
					struct tio_verdict *verdict)
{
	/*
	 * The requester was late as well. Either both were stopped from outside, or both had
	 * interrupts off: one that was stopped ends anywhere, but sometimes right there.
	 */
	if (requester_late(rec) && !surely_ran(rec)) {
		verdict->undecided = classify_task_end(rec) == TIO_CLASS_HARDIRQ_OFF;
		if (rec->beneath == TIO_BENEATH_FIRMWARE && !rec->smis)
			return TIO_CLASS_UNKNOWN;
		return verdict->undecided ? TIO_CLASS_UNKNOWN : TIO_CLASS_STOLEN;
	}
	/* tracepoints timed the handlers, so it does not matter what was interrupted */
	if (rec->handler_known && (storm(rec) || took_half(rec, rec->end.handler_ns)))
		return TIO_CLASS_HARDIRQ_LONG;
	return classify_task_end(rec);
}

/* by a sample that another CPU requested while the beat was overdue */
static enum tio_class classify_hard_sample(const struct tio_record *rec,
					   unsigned int i)
{
	const struct tio_sample *sample = &rec->samples[i];

	if (stolen(rec, i))
		return TIO_CLASS_STOLEN;
	if (storm(rec))
		return TIO_CLASS_HARDIRQ_LONG;
	/* interrupts are on and NMIs come at once, but the beat does not: nothing explains that */
	if (rec->beneath == TIO_BENEATH_FIRMWARE && sample->flags & TRACE_IRQOFF_F_IRQS_ON &&
	    sample->delay_ns <= TIO_PROMPT_NS)
		return TIO_CLASS_UNKNOWN;
	/* some idle states are entered with interrupts off */
	if (idle(sample, TRACE_IRQOFF_F_IDLE))
		return TIO_CLASS_UNKNOWN;
	/*
	 * Before and between its sleeps the idle task runs the code of others, such as calls of
	 * other CPUs. Only a prompt sample says so: a virtual CPU that polls for work there,
	 * and is taken, looks alike.
	 */
	if (idle(sample, TRACE_IRQOFF_F_IDLE_LOOP) && sample->delay_ns > TIO_PROMPT_NS &&
	    rec->beneath != TIO_BENEATH_FIRMWARE)
		return TIO_CLASS_UNKNOWN;
	return sample->flags & TRACE_IRQOFF_F_HARDIRQ ? TIO_CLASS_HARDIRQ_LONG :
							TIO_CLASS_HARDIRQ_OFF;
}

/*
 * The sample that speaks for the longest part of the stall; TIO_END where no sample
 * says anything.
 */
static unsigned int deciding(const struct tio_record *rec)
{
	unsigned int best = TIO_END;
	__u64 longest = 0;
	unsigned int i;

	for (i = 0; i < rec->nsamples; i++) {
		__u64 share = tio_sample_share(rec, i);

		if (!says_nothing(rec, i) &&
		    (best == TIO_END || share > longest)) {
			best = i;
			longest = share;
		}
	}
	return best;
}

static enum tio_evidence evidence_of(const struct tio_record *rec,
				     unsigned int sample)
{
	if (sample != TIO_END)
		return TIO_EVIDENCE_SAMPLE;
	return rec->open ? TIO_EVIDENCE_NONE : TIO_EVIDENCE_END;
}

/*
 * There is no hypervisor, and the stall is not stolen: may firmware have had the CPU all the
 * same? It interrupts any code, with interrupts on as well, and has the requester, too. Where
 * it was counted, an end does not tell it from what it interrupted.
 */
static bool maybe_firmware(const struct tio_record *rec, const struct tio_verdict *verdict)
{
	const struct tio_sample *sample;
	__u64 after_ns;

	if (rec->smis == 1)
		return false;
	if (verdict->evidence != TIO_EVIDENCE_SAMPLE)
		return rec->smis;
	sample = &rec->samples[verdict->sample];
	if (sample->flags & TRACE_IRQOFF_F_IRQS_ON && !verdict->storm)
		return true;
	after_ns = span_after(rec, verdict->sample);
	return sample->flags & TRACE_IRQOFF_F_ASKER_LATE &&
	       (after_ns < GOES_ON_NS || after_ns < sample->delay_ns);
}

/* was the CPU sampled as it ran, with interrupts off? */
static bool seen_running(const struct tio_sample *sample)
{
	return sample->delay_ns <= TIO_PROMPT_NS && !(sample->flags & TRACE_IRQOFF_F_IRQS_ON);
}

/* did the CPU run between this sample and another one, with interrupts off at the later one? */
static bool ran_between(const struct tio_record *rec, unsigned int i)
{
	const struct tio_sample *sample = &rec->samples[i];
	unsigned int j;

	for (j = 0; j < rec->nsamples; j++) {
		const struct tio_sample *other = &rec->samples[j];
		const struct tio_sample *later = j > i ? other : sample;

		if (j != i && sample->regs && other->regs && sample->regs != other->regs &&
		    !(later->flags & TRACE_IRQOFF_F_IRQS_ON))
			return true;
	}
	return false;
}

/*
 * For at most this part of a stall that blames somebody a hypervisor may have had the CPU: of a
 * hard one by late NMIs and by steal, of a soft one by late beats. docs/accuracy.md has what that
 * spares on a busy host.
 */
#define TAKEN_PART	8
#define LATE_PART	4

/* for how long of a hard stall NMIs were late, all together */
static __u64 nmis_late_ns(const struct tio_record *rec)
{
	__u64 ns = 0;
	unsigned int i;

	for (i = 0; i < rec->nsamples; i++)
		if (rec->samples[i].delay_ns > TIO_PROMPT_NS)
			ns += rec->samples[i].delay_ns;
	return ns;
}

/*
 * A soft stall is what the CPU itself saw in its beats, as far as these came in time. Where that
 * is two stalls long it may be half of it.
 */
static bool soft_proved(const struct tio_record *rec)
{
	if (rec->late_ns <= rec->min_ns / LATE_PART)
		return true;
	return rec->late_ns <= rec->min_ns / 2 &&
	       rec->min_ns - rec->late_ns >= 2 * rec->threshold_ns;
}

/*
 * A hypervisor may take the CPU anywhere, in a handler as well, and where it leaves for the
 * hypervisor most of all. Where the kernel does not know how much it took, an end says what the
 * CPU was about to do, not what took the time. The kernel's count covers some time before and
 * behind the stall as well (steal.c), so a sample of a CPU that runs says more. A count of over
 * half of the stall has been judged before (robbed()).
 */
static bool hard_proved(const struct tio_record *rec, const struct tio_verdict *verdict)
{
	__u64 part_ns = rec->min_ns / TAKEN_PART;
	bool sampled = verdict->evidence == TIO_EVIDENCE_SAMPLE;

	if (nmis_late_ns(rec) > part_ns)
		return false;
	if (sampled && seen_running(&rec->samples[verdict->sample]))
		return true;
	if (rec->steal)
		return rec->steal - 1 <= part_ns;
	return sampled && ran_between(rec, verdict->sample);
}

/* is it known that the CPU ran? */
static bool proved(const struct tio_record *rec, const struct tio_verdict *verdict)
{
	bool hard = rec->kind == TRACE_IRQOFF_KIND_HARD;
	bool sampled = verdict->evidence == TIO_EVIDENCE_SAMPLE;

	if (rec->beneath == TIO_BENEATH_UNKNOWN)
		return !hard || !sampled || !ends_with_stop(rec, verdict->sample);
	if (rec->beneath == TIO_BENEATH_FIRMWARE)
		return !hard || !maybe_firmware(rec, verdict);
	return hard ? hard_proved(rec, verdict) : soft_proved(rec);
}

static enum tio_class classify(const struct tio_record *rec,
			       struct tio_verdict *verdict)
{
	bool hard = rec->kind == TRACE_IRQOFF_KIND_HARD;

	if (robbed(rec))
		return TIO_CLASS_STOLEN;
	if (verdict->nmi)
		return TIO_CLASS_HARDIRQ_LONG;
	switch (verdict->evidence) {
	case TIO_EVIDENCE_SAMPLE:
		return hard ? classify_hard_sample(rec, verdict->sample) :
			      classify_soft_sample(&rec->samples[verdict->sample]);
	case TIO_EVIDENCE_END:
		return hard ? classify_hard_end(rec, verdict) : TIO_CLASS_UNKNOWN;
	default:
		return TIO_CLASS_UNKNOWN;
	}
}

/**
 * tio_judge() - what the evidence of a record says
 * @rec: a record, ended or open
 * @verdict: the result
 *
 * The class says why interrupts or softirqs did not run. It is TIO_CLASS_UNKNOWN where the
 * evidence does not say, or does not prove that the CPU ran; in the second case what it would
 * say otherwise is suspected. The evidence is a sample where one was taken during the stall
 * and says something, and otherwise the end. Where NMI handlers of others took the time it is
 * the end, which has the one that took longest. An open stall without such a sample has none.
 *
 * Context: any.
 */
void tio_judge(const struct tio_record *rec, struct tio_verdict *verdict)
{
	verdict->nmi = nmi_handlers(rec) && !robbed(rec);
	verdict->sample = verdict->nmi ? TIO_END : deciding(rec);
	verdict->evidence = evidence_of(rec, verdict->sample);
	verdict->storm = !verdict->nmi && storm(rec) && !robbed(rec);
	verdict->undecided = false;
	verdict->wide = tio_bounds_wide(rec->min_ns, rec->max_ns, rec->period_ns);
	verdict->class = classify(rec, verdict);
	verdict->suspected = TIO_CLASS_UNKNOWN;
	if (verdict->class != TIO_CLASS_STOLEN && !proved(rec, verdict)) {
		verdict->suspected = verdict->class;
		verdict->class = TIO_CLASS_UNKNOWN;
	}
}

/**
 * tio_deciding_sample() - the sample that class and culprit rest on
 * @rec: a record
 * @verdict: its verdict
 *
 * Context: any.
 * Return: one of the record's samples or its end, NULL where there is no evidence.
 */
const struct tio_sample *tio_deciding_sample(const struct tio_record *rec,
					     const struct tio_verdict *verdict)
{
	if (verdict->evidence == TIO_EVIDENCE_NONE)
		return NULL;
	return verdict->sample == TIO_END ? &rec->end : &rec->samples[verdict->sample];
}

/**
 * tio_evidence_name() - the word for a kind of evidence
 * @evidence: a kind of evidence
 *
 * Context: any.
 * Return: "sample", "end" or "none".
 */
const char *tio_evidence_name(enum tio_evidence evidence)
{
	static const char * const names[] = {
		[TIO_EVIDENCE_NONE]	= "none",
		[TIO_EVIDENCE_END]	= "end",
		[TIO_EVIDENCE_SAMPLE]	= "sample",
	};

	return names[evidence];
}

/**
 * tio_bounds_wide() - do the bounds miss the promised precision?
 * @min_ns: lower bound
 * @max_ns: upper bound
 * @period_ns: the heartbeat's period then
 *
 * Context: any.
 * Return: true when they are further apart than a period and 200 us.
 */
bool tio_bounds_wide(__u64 min_ns, __u64 max_ns, __u64 period_ns)
{
	return max_ns > min_ns &&
	       max_ns - min_ns > period_ns + TIO_BOUNDS_SLACK_NS;
}
