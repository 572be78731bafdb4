// SPDX-License-Identifier: GPL-2.0-only
/*
 * Behind the fields of an entry that a packed record has lie: a pointer to the shared sample of
 * its end and of each of its samples, the other fields of the record, and what its end and each of
 * its samples have of their own. All but the pointers are words, most of which are zero.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "model/entry.h"

#define WORDS(type)	(sizeof(type) / sizeof(__u32))

/* what a packed record has as it is */
#define KEPT		offsetof(struct entry, rec.handlers)

/* the fields between that and the end */
struct rest {
	__u32 words[(offsetof(struct tio_record, end) - offsetof(struct tio_record, handlers)) /
		    sizeof(__u32)];
};

/* what a sample has of its own */
struct own {
	__u64 before_ns;	/* the stall ended so much later; modulo 2^64 */
	__u64 delay_ns;
	__u64 handler_ns;
	__u64 regs;
};

/* a number has up to 5 bytes; one says before each which words are not zero */
#define MOST(type)	(5 * (1 + WORDS(type)))
#define OWN_MOST	(sizeof(struct tio_sample *) + MOST(struct own))
#define REST_MOST	MOST(struct rest)
#define BYTES_MOST	(REST_MOST + OWN_MOST * (1 + TIO_SAMPLES))

static_assert(KEPT + BYTES_MOST <= sizeof(struct entry), "a whole one has room for it");

static unsigned char *put_number(unsigned char *at, __u32 number)
{
	/* seven bits each; the highest bit says that more follow */
	for (; number >> 7; number >>= 7)
		*at++ = number | 0x80;
	*at++ = number;
	return at;
}

static const unsigned char *take_number(const unsigned char *at, __u32 *number)
{
	unsigned int shift = 0;

	for (*number = 0; *at & 0x80; shift += 7)
		*number |= (__u32)(*at++ & 0x7f) << shift;
	*number |= (__u32)*at++ << shift;
	return at;
}

static unsigned char *put_words(unsigned char *at, const void *from, unsigned int count)
{
	__u32 words[WORDS(struct rest)], mask = 0;

	memcpy(words, from, count * sizeof(*words));
	for (unsigned int i = 0; i < count; i++)
		mask |= (__u32)!!words[i] << i;
	at = put_number(at, mask);
	for (unsigned int i = 0; i < count; i++)
		if (words[i])
			at = put_number(at, words[i]);
	return at;
}

static const unsigned char *take_words(const unsigned char *at, void *to, unsigned int count)
{
	__u32 words[WORDS(struct rest)] = { 0 }, mask;

	for (at = take_number(at, &mask); mask; mask &= mask - 1)
		at = take_number(at, &words[__builtin_ctz(mask)]);
	memcpy(to, words, count * sizeof(*words));
	return at;
}

static unsigned int place_of(unsigned int sample)
{
	return sample == TIO_END ? 0 : sample + 1;
}

static const unsigned char *packed_at(const struct entry *entry)
{
	return (const unsigned char *)entry + KEPT;
}

static const struct tio_sample *shared_of(const struct entry *entry, unsigned int i)
{
	const struct tio_sample *sample;

	memcpy(&sample, packed_at(entry) + place_of(i) * sizeof(sample), sizeof(sample));
	return sample;
}

static unsigned char *put_shared(unsigned char *at, struct pool *pool,
				 const struct tio_sample *sample)
{
	struct tio_sample shared;
	const void *kept;

	/* with what lies between its fields, which is zero */
	memcpy(&shared, sample, sizeof(shared));
	shared.at_ns = 0;
	shared.delay_ns = 0;
	shared.handler_ns = 0;
	shared.regs = 0;
	kept = pool_keep(pool, &shared, sizeof(shared));
	return memcpy(at, &kept, sizeof(kept)) + sizeof(kept);
}

static unsigned char *put_own(unsigned char *at, const struct tio_record *rec,
			      const struct tio_sample *sample)
{
	const struct own own = {
		.before_ns = rec->end_ns - sample->at_ns,
		.delay_ns = sample->delay_ns,
		.handler_ns = sample->handler_ns,
		.regs = sample->regs,
	};

	return put_words(at, &own, WORDS(own));
}

/* the record but its end and samples; returns where what these have of their own lies */
static const unsigned char *take_record(struct tio_record *rec, const struct entry *entry)
{
	const unsigned int stacks = 1 + entry->rec.nsamples;

	memcpy(rec, &entry->rec, KEPT - offsetof(struct entry, rec));
	return take_words(packed_at(entry) + stacks * sizeof(struct tio_sample *), &rec->handlers,
			  WORDS(struct rest));
}

static const unsigned char *take_sample(const unsigned char *at, struct tio_sample *sample,
					const struct entry *entry, unsigned int i)
{
	struct own own;

	at = take_words(at, &own, WORDS(own));
	*sample = *shared_of(entry, i);
	sample->at_ns = entry->rec.end_ns - own.before_ns;
	sample->delay_ns = own.delay_ns;
	sample->handler_ns = own.handler_ns;
	sample->regs = own.regs;
	return at;
}

/**
 * entry_pack() - a record in little memory
 * @packed: room
 * @whole: the record
 * @pool: that of its model, which gets its samples
 *
 * Return: how many bytes it takes.
 */
size_t entry_pack(struct entry *packed, const struct entry *whole, struct pool *pool)
{
	const struct tio_record *rec = &whole->rec;
	unsigned char *at = (unsigned char *)packed + KEPT;

	memcpy(packed, whole, KEPT);
	packed->packed = true;
	at = put_shared(at, pool, &rec->end);
	for (unsigned int i = 0; i < rec->nsamples; i++)
		at = put_shared(at, pool, &rec->samples[i]);
	at = put_words(at, &rec->handlers, WORDS(struct rest));
	at = put_own(at, rec, &rec->end);
	for (unsigned int i = 0; i < rec->nsamples; i++)
		at = put_own(at, rec, &rec->samples[i]);
	return at - (unsigned char *)packed;
}

/**
 * entry_open() - a record with its samples
 * @room: room for it
 * @entry: the record
 *
 * Return: the record itself where it is not packed, else @room.
 */
struct entry *entry_open(struct entry *room, struct entry *entry)
{
	struct tio_record *rec = &room->rec;
	const unsigned char *at;

	if (!entry->packed)
		return entry;
	memcpy(room, entry, offsetof(struct entry, rec));
	room->packed = false;
	at = take_sample(take_record(rec, entry), &rec->end, entry, TIO_END);
	for (unsigned int i = 0; i < rec->nsamples; i++)
		at = take_sample(at, &rec->samples[i], entry, i);
	return room;
}

/**
 * entry_close() - keep what was found out about a record
 * @entry: the record
 * @whole: what entry_open() returned for it
 */
void entry_close(struct entry *entry, const struct entry *whole)
{
	if (entry == whole)
		return;
	memcpy(entry, whole, offsetof(struct entry, rec));
	entry->packed = true;
}

/**
 * entry_record() - a record of which end and samples are not asked for
 * @room: room for it
 * @entry: the record
 *
 * Return: the record itself where it is not packed, else @room.
 */
const struct tio_record *entry_record(struct tio_record *room, const struct entry *entry)
{
	if (!entry->packed)
		return &entry->rec;
	take_record(room, entry);
	return room;
}

/**
 * entry_sample() - a sample of a record, of which times and regs are not asked for
 * @entry: the record
 * @i: which one; TIO_END: its end
 */
const struct tio_sample *entry_sample(const struct entry *entry, unsigned int i)
{
	if (entry->packed)
		return shared_of(entry, i);
	return i == TIO_END ? &entry->rec.end : &entry->rec.samples[i];
}

/* when a sample was taken */
__u64 entry_sampled_ns(const struct entry *entry, unsigned int i)
{
	struct tio_record room;
	const unsigned char *at;
	struct own own;

	if (!entry->packed)
		return entry_sample(entry, i)->at_ns;
	at = take_record(&room, entry);
	for (unsigned int k = 0; k <= place_of(i); k++)
		at = take_words(at, &own, WORDS(own));
	return entry->rec.end_ns - own.before_ns;
}

void entry_free(struct entry *entry)
{
	free(entry->names);
	entry_forget_names(entry);
	free(entry);
}

/**
 * entry_class() - why a stall was one, or may have been
 * @entry: a record, judged
 *
 * Return: its class; of one that is unknown, the class that is suspected, if any.
 */
enum tio_class entry_class(const struct entry *entry)
{
	const struct tio_verdict *verdict = &entry->found.verdict;

	return verdict->suspected ? verdict->suspected : verdict->class;
}

/**
 * entry_deciding_sample() - the sample that class and culprit rest on
 * @entry: a record, judged
 *
 * Return: one of the record's samples or its end; NULL where there is no evidence.
 */
const struct tio_sample *entry_deciding_sample(const struct entry *entry)
{
	if (entry->found.verdict.evidence == TIO_EVIDENCE_NONE)
		return NULL;
	return entry_sample(entry, entry->found.verdict.sample);
}

/**
 * entry_waiting_sample() - the sample that tells which lock a stall waited for
 * @entry: a record, after lock_wait_find(), that waited for one
 *
 * Return: the deciding sample, unless the end decides.
 */
const struct tio_sample *entry_waiting_sample(const struct entry *entry)
{
	return entry->found.lock_by ? entry_sample(entry, entry->found.lock_by - 1) :
				      entry_deciding_sample(entry);
}

/**
 * entry_naming_sample() - the sample whose stack shows the culprit
 * @entry: a record, after culprit_find()
 *
 * Return: the deciding sample, unless that one is silent and another one is not.
 */
const struct tio_sample *entry_naming_sample(const struct entry *entry)
{
	return entry->found.named_by ? entry_sample(entry, entry->found.named_by - 1) :
				 entry_deciding_sample(entry);
}

/**
 * sample_cgroup() - the interrupted task's cgroup
 * @sample: a sample of a record, or its end; NULL where there is no evidence
 *
 * Return: the cgroup, NULL where it is not known.
 */
const struct cgroup *sample_cgroup(const struct tio_sample *sample)
{
	return sample ? sample->cgroup : NULL;
}

static char *shared(struct pool *pool, char *name)
{
	const char *kept = name ? pool_keep(pool, name, strlen(name) + 1) : NULL;

	free(name);
	return (char *)kept;
}

/**
 * entry_share_names() - keep the names that culprit_find() and others found once for all records
 * @entry: a record
 * @pool: that of its model
 */
void entry_share_names(struct entry *entry, struct pool *pool)
{
	if (entry->found.shared)
		return;
	entry->found.culprit = shared(pool, entry->found.culprit);
	entry->found.suspect = shared(pool, entry->found.suspect);
	entry->found.busy_in = shared(pool, entry->found.busy_in);
	entry->found.met_in = shared(pool, entry->found.met_in);
	entry->found.lock = shared(pool, entry->found.lock);
	entry->found.waiter = shared(pool, entry->found.waiter);
	entry->found.candidate = shared(pool, entry->found.candidate);
	entry->found.shared = true;
}

/* culprit_find() may give it others */
void entry_forget_names(struct entry *entry)
{
	if (!entry->found.shared) {
		free(entry->found.culprit);
		free(entry->found.suspect);
		free(entry->found.busy_in);
		free(entry->found.met_in);
		free(entry->found.lock);
		free(entry->found.waiter);
		free(entry->found.candidate);
	}
	entry->found.culprit = NULL;
	entry->found.suspect = NULL;
	entry->found.busy_in = NULL;
	entry->found.met_in = NULL;
	entry->found.lock = NULL;
	entry->found.waiter = NULL;
	entry->found.candidate = NULL;
	entry->found.shared = false;
}

/**
 * entry_own_ns() - the lower bound of a stall without the recorded stalls nested in it
 * @entry: a record
 *
 * Return: what may be added up over records.
 */
__u64 entry_own_ns(const struct entry *entry)
{
	const struct tio_record *rec = &entry->rec;

	return rec->min_ns > rec->nested_ns ? rec->min_ns - rec->nested_ns : 0;
}

/**
 * entry_slack_ns() - how far the ends of a stall and of one that ended together may be apart
 * @entry: a record
 */
__u64 entry_slack_ns(const struct entry *entry)
{
	struct tio_record room;

	return entry_record(&room, entry)->period_ns + TIO_BOUNDS_SLACK_NS;
}

/* when the stall began at the latest; offsets of samples count from here */
__u64 entry_start_ns(const struct entry *entry)
{
	return entry->rec.end_ns - entry->rec.min_ns;
}
