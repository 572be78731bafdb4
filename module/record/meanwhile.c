// SPDX-License-Identifier: GPL-2.0-only
/*
 * Who holds a lock with interrupts on has no stall, and no record. It takes its beats, though.
 * So a sample of a CPU that waits for a lock asks all other CPUs, and each one's next slow beat
 * notes what it interrupted. That costs the holder no NMI. The record takes the note of the CPU
 * that is most likely to be the holder: a spinlock or a rwlock is held with preemption off.
 */
#include <linux/percpu.h>
#include <linux/seqlock.h>
#include <asm/irq_regs.h>

#include "core/candidate.h"
#include "core/seq_read.h"
#include "record/meanwhile.h"
#include "record/sample.h"
#include "state/cpu.h"

/* at most eight times a second for the whole machine */
#define ASK_NS	(NSEC_PER_SEC / 8)

struct note {
	seqcount_t seqcount;
	struct tio_meanwhile meanwhile;
};

static struct note __percpu *notes;

/* when the last question was asked */
u64 tio_meanwhile_asked_ns __read_mostly;

/**
 * tio_meanwhile_init() - allocate memory for the notes
 *
 * Context: module init.
 * Return: 0 or -ENOMEM.
 */
int tio_meanwhile_init(void)
{
	unsigned int cpu;

	notes = alloc_percpu(struct note);
	if (!notes)
		return -ENOMEM;
	for_each_possible_cpu(cpu)
		seqcount_init(&per_cpu_ptr(notes, cpu)->seqcount);
	return 0;
}

/**
 * tio_meanwhile_exit() - free it
 *
 * Context: task, may sleep; no CPU is watched.
 */
void tio_meanwhile_exit(void)
{
	free_percpu(notes);
}

/**
 * tio_meanwhile_ask() - ask the other CPUs what they do, where a sample waits for a lock
 * @sample: just taken
 *
 * Context: interrupts off, or an NMI.
 */
void tio_meanwhile_ask(const struct tio_sample *sample)
{
	u64 last_ns = READ_ONCE(tio_meanwhile_asked_ns);

	if (likely(sample->lock_kind == TRACE_IRQOFF_LOCK_NONE))
		return;
	/* one that is lost to another CPU that asks just now is asked by that one */
	if (sample->at_ns > last_ns && sample->at_ns - last_ns > ASK_NS)
		cmpxchg(&tio_meanwhile_asked_ns, last_ns, sample->at_ns);
}

/**
 * tio_meanwhile_answer() - somebody has asked what this CPU does
 * @cpu: this CPU
 * @now_ns: now
 *
 * Context: the heartbeat, on its slow path.
 */
void tio_meanwhile_answer(struct tio_cpu *cpu, u64 now_ns)
{
	struct note *note = this_cpu_ptr(notes);
	u64 asked_ns = READ_ONCE(tio_meanwhile_asked_ns);

	cpu->heartbeat.answered_ns = asked_ns;
	/* too late: whoever waited does so no more. It may have been asked since @now_ns */
	if (now_ns > asked_ns && now_ns - asked_ns > cpu->timing.threshold_ns)
		return;
	raw_write_seqcount_begin(&note->seqcount);
	tio_sample_meanwhile(&note->meanwhile, get_irq_regs(), now_ns);
	raw_write_seqcount_end(&note->seqcount);
}

static bool waits_for_lock(const struct tio_record *rec)
{
	unsigned int i;

	for (i = 0; i < rec->nsamples; i++)
		if (rec->samples[i].lock_kind != TRACE_IRQOFF_LOCK_NONE)
			return true;
	return false;
}

static bool in_stall(const struct tio_record *rec, u64 at_ns)
{
	return at_ns > rec->end_ns - rec->min_ns && at_ns < rec->end_ns;
}

/* copies the note of a CPU; false where it was written meanwhile, or not in the stall */
static bool copy_note(const struct note *note, const struct tio_record *rec,
		      struct tio_meanwhile *copy)
{
	unsigned int count = raw_read_seqcount(&note->seqcount);

	/* most CPUs idle, and have an old one: interrupts are off */
	if (count & 1 || !in_stall(rec, tio_peek(note->meanwhile.at_ns)))
		return false;
	/* what was torn is tried no more */
	data_race(*copy = note->meanwhile);
	return !read_seqcount_retry(&note->seqcount, count) && in_stall(rec, copy->at_ns);
}

/**
 * tio_meanwhile_fill() - who may have held the lock that a stall waited for?
 * @rec: the record of a stall that has ended, with its samples
 *
 * Context: interrupts off.
 */
void tio_meanwhile_fill(struct tio_record *rec)
{
	struct tio_meanwhile other;
	unsigned int cpu;

	tio_candidate_begin(&rec->meanwhile);
	if (!waits_for_lock(rec))
		return;
	for_each_online_cpu(cpu)
		if (cpu != rec->cpu && copy_note(per_cpu_ptr(notes, cpu), rec, &other))
			tio_candidate_add(&rec->meanwhile, &other);
}

/**
 * tio_meanwhile_sample() - what another CPU did, as if it were a sample
 * @rec: a record
 * @sample: filled in, where the record has such a CPU
 *
 * Context: any.
 */
void tio_meanwhile_sample(const struct tio_record *rec, struct tio_sample *sample)
{
	const struct tio_meanwhile *meanwhile = &rec->meanwhile;

	if (rec->open || !meanwhile->cpu)
		return;
	memset(sample, 0, offsetof(struct tio_sample, frames));
	sample->at_ns = meanwhile->at_ns;
	sample->flags = meanwhile->flags;
	sample->preempt_count = meanwhile->preempt_count;
	sample->pid = meanwhile->pid;
	sample->tgid = meanwhile->tgid;
	sample->nframes = meanwhile->nframes;
	sample->irq.number = TIO_NO_IRQ;
	memcpy(sample->comm, meanwhile->comm, sizeof(sample->comm));
	memcpy(sample->frames, meanwhile->frames,
	       meanwhile->nframes * sizeof(*meanwhile->frames));
}
