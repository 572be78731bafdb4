// SPDX-License-Identifier: GPL-2.0-only
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/topology.h>

#include "core/ring_memory.h"
#include "core/sample_times.h"
#include "core/seq_read.h"
#include "state/open_stall.h"

/**
 * tio_open_create() - room for a CPU's open stalls
 * @cpu: the CPU that will write it; the memory is of its node
 *
 * Context: may sleep.
 * Return: the room, without any stall, to be freed by kvfree(); NULL without memory.
 */
struct tio_open *tio_open_create(unsigned int cpu)
{
	struct tio_open *open;

	open = kvzalloc_node(sizeof(*open), TIO_GFP, cpu_to_node(cpu));
	if (!open)
		return NULL;
	seqcount_init(&open->soft.seqcount);
	seqcount_init(&open->hard.seqcount);
	return open;
}

/**
 * tio_open_hard_reserve() - begin to add a sample to the open hard stall
 * @open: this CPU's
 * @id: the stall's tio_stall_id()
 * @same: the stall of the samples before goes on, whatever its id is now
 *
 * Samples of an earlier stall are dropped, and one of this stall where there is no more
 * room. tio_open_hard_commit() must follow unless the answer is NULL.
 *
 * Context: NMI.
 * Return: the sample to fill in; NULL where the NMI interrupted tio_open_hard_close().
 */
struct tio_sample *tio_open_hard_reserve(struct tio_open *open, u64 id, bool same)
{
	struct tio_open_hard *hard = &open->hard;

	same = same || hard->id == id;
	if (READ_ONCE(hard->closed))
		return NULL;
	raw_write_seqcount_begin(&hard->seqcount);
	hard->n = same ? tio_sample_times_room(hard->samples, hard->n) : 0;
	hard->id = id;
	return &hard->samples[hard->n++];
}

/**
 * tio_open_hard_commit() - show readers the sample
 * @open: this CPU's
 *
 * Context: as tio_open_hard_reserve().
 */
void tio_open_hard_commit(struct tio_open *open)
{
	raw_write_seqcount_end(&open->hard.seqcount);
}

/**
 * tio_open_hard_close() - give the record of a hard stall its samples
 * @open: this CPU's
 * @rec: the record; its bounds and its end are set
 *
 * The samples are those that lie within the stall's upper bound. None is kept here.
 *
 * Context: interrupts off; an NMI may come in.
 */
void tio_open_hard_close(struct tio_open *open, struct tio_record *rec)
{
	struct tio_open_hard *hard = &open->hard;
	unsigned int i;

	rec->nsamples = 0;
	WRITE_ONCE(hard->closed, true);
	barrier();
	for (i = 0; i < hard->n; i++) {
		const struct tio_sample *sample = &hard->samples[i];

		if (sample->at_ns > rec->end_ns - rec->max_ns &&
		    sample->at_ns <= rec->end_ns)
			rec->samples[rec->nsamples++] = *sample;
	}
	WRITE_ONCE(hard->n, 0);
	barrier();
	WRITE_ONCE(hard->closed, false);
}

/**
 * tio_open_copy_hard() - copy the samples that a hard stall has so far
 * @open: any CPU's
 * @id: the stall's tio_stall_id()
 * @rec: its samples are filled in
 *
 * Without patience for an NMI that is stopped in the midst of a sample none is copied.
 *
 * Context: any but NMI.
 */
void tio_open_copy_hard(const struct tio_open *open, u64 id, struct tio_record *rec)
{
	const struct tio_open_hard *hard = &open->hard;
	unsigned int count, n = 0;
	u64 end_ns = 0;

	do {
		if (!tio_read_begin(&hard->seqcount, &count, &end_ns)) {
			n = 0;
			break;
		}
		n = READ_ONCE(hard->id) == id ? READ_ONCE(hard->n) : 0;
		memcpy(rec->samples, hard->samples, n * sizeof(rec->samples[0]));
	} while (read_seqcount_retry(&hard->seqcount, count));
	rec->nsamples = n;
}

static void clear(struct tio_record *rec, enum trace_irqoff_kind kind, u64 now_ns)
{
	memset(rec, 0, offsetof(struct tio_record, samples));
	rec->kind = kind;
	rec->open = 1;
	rec->end_ns = now_ns;
}

/**
 * tio_open_read_hard() - copy the hard stall that has not ended
 * @open: any CPU's
 * @beat: that CPU's heartbeat
 * @now_ns: now; the stall's end so far
 * @rec: filled in but for its CPU
 *
 * A CPU whose beat is late by the threshold is in a hard stall, or does not run at
 * all. It cannot say so itself.
 *
 * Context: any but NMI.
 * Return: false when there is none.
 */
bool tio_open_read_hard(const struct tio_open *open, const struct tio_overdue *beat,
			u64 now_ns, struct tio_record *rec)
{
	if (now_ns < beat->due_ns + beat->threshold_ns)
		return false;
	clear(rec, TRACE_IRQOFF_KIND_HARD, now_ns);
	rec->min_ns = now_ns - beat->due_ns;
	rec->max_ns = now_ns - min(beat->on_ns, beat->due_ns);
	rec->threshold_ns = beat->threshold_ns;
	rec->period_ns = beat->period_ns;
	tio_open_copy_hard(open, beat->due_ns, rec);
	return true;
}

/**
 * tio_open_soft_reserve() - begin to add a sample to the open softirq stall
 * @open: this CPU's
 * @due_ns: when a beat first found softirqs off
 * @on_ns: when softirqs could run before that; 0: not known
 * @first: set to whether this is the stall's first sample: the caller fills in the
 *	rest of the record as well
 *
 * One of the samples is dropped where there is no more room. tio_open_soft_commit() must
 * follow.
 *
 * Context: interrupts off.
 * Return: the record; samples[nsamples - 1] is to be filled in.
 */
struct tio_record *tio_open_soft_reserve(struct tio_open *open, u64 due_ns, u64 on_ns,
					 bool *first)
{
	struct tio_open_soft *soft = &open->soft;
	struct tio_record *rec = &soft->rec;

	*first = !soft->valid;
	raw_write_seqcount_begin(&soft->seqcount);
	rec->nsamples = *first ? 0 : tio_sample_times_room(rec->samples, rec->nsamples);
	if (*first) {
		soft->due_ns = due_ns;
		soft->on_ns = on_ns;
		soft->valid = true;
	}
	rec->nsamples++;
	return rec;
}

/**
 * tio_open_soft_commit() - show readers the sample
 * @open: this CPU's
 *
 * Context: as tio_open_soft_reserve().
 */
void tio_open_soft_commit(struct tio_open *open)
{
	raw_write_seqcount_end(&open->soft.seqcount);
}

/**
 * tio_open_soft_copy() - give the record of a softirq stall its samples
 * @open: this CPU's
 * @rec: the record
 *
 * Context: interrupts off. tio_open_soft_close() follows.
 */
void tio_open_soft_copy(const struct tio_open *open, struct tio_record *rec)
{
	const struct tio_open_soft *soft = &open->soft;

	rec->nsamples = soft->valid ? soft->rec.nsamples : 0;
	memcpy(rec->samples, soft->rec.samples,
	       rec->nsamples * sizeof(rec->samples[0]));
}

/**
 * tio_open_soft_close() - the softirq stall has ended
 * @open: this CPU's
 *
 * Context: interrupts off.
 */
void tio_open_soft_close(struct tio_open *open)
{
	struct tio_open_soft *soft = &open->soft;

	if (!soft->valid)
		return;
	raw_write_seqcount_begin(&soft->seqcount);
	soft->valid = false;
	raw_write_seqcount_end(&soft->seqcount);
}

/**
 * tio_open_read_soft() - copy the softirq stall that has not ended
 * @open: any CPU's
 * @now_ns: now; the stall's end so far
 * @rec: filled in; where the CPU has not finished writing for TIO_SEQ_READ_NS it is
 *	busy, and has a kind only
 *
 * Context: any but NMI.
 * Return: false when there is none, or it is shorter than the threshold at @now_ns.
 */
bool tio_open_read_soft(const struct tio_open *open, u64 now_ns, struct tio_record *rec)
{
	const struct tio_open_soft *soft = &open->soft;
	unsigned int count;
	u64 due_ns, on_ns, end_ns = 0;
	bool valid;

	do {
		if (!tio_read_begin(&soft->seqcount, &count, &end_ns)) {
			clear(rec, TRACE_IRQOFF_KIND_SOFT, now_ns);
			rec->busy = 1;
			return true;
		}
		valid = soft->valid;
		due_ns = soft->due_ns;
		on_ns = soft->on_ns;
		*rec = soft->rec;
	} while (read_seqcount_retry(&soft->seqcount, count));

	if (!valid || now_ns < due_ns + rec->threshold_ns)
		return false;
	rec->open = 1;
	rec->end_ns = now_ns;
	rec->min_ns = now_ns - due_ns;
	rec->max_ns = now_ns - on_ns;
	return true;
}
