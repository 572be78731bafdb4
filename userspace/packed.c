// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "packed.h"
#include "say.h"

/* what a sample has of its own; those of a packed record lie where its end would be */
struct sight {
	const struct tio_sample *sample;	/* without these, in the model's pool */
	__u64 at_ns;
	__u64 delay_ns;
	__u64 handler_ns;
	__u32 regs;
};

/* the end comes first, then the samples */
static struct sight *sights(const struct entry *entry)
{
	return (struct sight *)&entry->rec.end;
}

static struct sight *sight_of(const struct entry *entry, unsigned int i)
{
	return sights(entry) + (i == TIO_END ? 0 : i + 1);
}

static void pack(struct sight *sight, struct pool *pool, const struct tio_sample *sample)
{
	struct tio_sample shared;

	/* with what lies between its fields, which is zero */
	memcpy(&shared, sample, sizeof(shared));
	shared.at_ns = 0;
	shared.delay_ns = 0;
	shared.handler_ns = 0;
	shared.regs = 0;
	*sight = (struct sight){
		.sample = pool_keep(pool, &shared, sizeof(shared)),
		.at_ns = sample->at_ns,
		.delay_ns = sample->delay_ns,
		.handler_ns = sample->handler_ns,
		.regs = sample->regs,
	};
}

static void unpack(struct tio_sample *sample, const struct sight *sight)
{
	*sample = *sight->sample;
	sample->at_ns = sight->at_ns;
	sample->delay_ns = sight->delay_ns;
	sample->handler_ns = sight->handler_ns;
	sample->regs = sight->regs;
}

/**
 * model_add_packed() - add a record, packed
 * @model: the model
 * @whole: the record; its names belong to the model then
 */
void model_add_packed(struct model *model, const struct entry *whole)
{
	const unsigned int nsamples = whole->rec.nsamples;
	struct entry *entry = model_add_sized(model, offsetof(struct entry, rec.end) +
						     (1 + nsamples) * sizeof(struct sight));
	__u32 read = entry->read;

	memcpy(entry, whole, offsetof(struct entry, rec.end));
	entry->read = read;
	entry->packed = true;
	pack(sight_of(entry, TIO_END), model->pool, &whole->rec.end);
	for (unsigned int i = 0; i < nsamples; i++)
		pack(sight_of(entry, i), model->pool, &whole->rec.samples[i]);
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
	if (!entry->packed)
		return entry;
	memcpy(room, entry, offsetof(struct entry, rec.end));
	room->packed = false;
	unpack(&room->rec.end, sight_of(entry, TIO_END));
	for (unsigned int i = 0; i < entry->rec.nsamples; i++)
		unpack(&room->rec.samples[i], sight_of(entry, i));
	return room;
}

/**
 * entry_close() - keep what was found out about a record
 * @entry: the record
 * @whole: what entry_open() returned for it
 */
void entry_close(struct entry *entry, const struct entry *whole)
{
	const struct tio_sample *by = whole->named_by;

	if (entry == whole)
		return;
	memcpy(entry, whole, offsetof(struct entry, rec));
	entry->packed = true;
	if (by == &whole->rec.end)
		entry->named_by = entry_sample(entry, TIO_END);
	for (unsigned int i = 0; i < whole->rec.nsamples; i++)
		if (by == &whole->rec.samples[i])
			entry->named_by = entry_sample(entry, i);
}

/**
 * entry_sample() - a sample of a record, of which times and regs are not asked for
 * @entry: the record
 * @i: which one; TIO_END: its end
 */
const struct tio_sample *entry_sample(const struct entry *entry, unsigned int i)
{
	if (entry->packed)
		return sight_of(entry, i)->sample;
	return i == TIO_END ? &entry->rec.end : &entry->rec.samples[i];
}

/* when a sample was taken */
__u64 entry_sampled_ns(const struct entry *entry, unsigned int i)
{
	return entry->packed ? sight_of(entry, i)->at_ns : entry_sample(entry, i)->at_ns;
}

/* from one clock to another */
void packed_rebase(struct entry *entry, __u64 by_ns)
{
	for (unsigned int i = 0; i <= entry->rec.nsamples; i++)
		sights(entry)[i].at_ns += by_ns;
}
