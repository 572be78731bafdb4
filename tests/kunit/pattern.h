/* SPDX-License-Identifier: GPL-2.0-only */
/* Records that show whether they are whole, for the suites of the ring. */
#ifndef _TIO_PATTERN_H
#define _TIO_PATTERN_H

#include <linux/irqflags.h>
#include <linux/string.h>

#include "state/open_stall.h"
#include "state/ring.h"

/* a word that identifies its record */
static inline u64 word(u64 n)
{
	return (n + 1) * 0x9e3779b97f4a7c15ULL;
}

static inline void set_words(void *to, size_t bytes, u64 value)
{
	memset64(to, value, bytes / sizeof(u64));
}

static inline bool all_words(const void *from, size_t bytes, u64 value)
{
	const u64 *words = from;
	size_t i;

	for (i = 0; i < bytes / sizeof(u64); i++)
		if (words[i] != value)
			return false;
	return true;
}

static inline void fill_samples(struct tio_record *rec, u64 n)
{
	set_words(&rec->samples, sizeof(rec->samples), word(n));
	set_words(&rec->end, sizeof(rec->end), word(n));
}

static inline bool whole_samples(const struct tio_record *rec, u64 n)
{
	return all_words(&rec->samples, sizeof(rec->samples), word(n)) &&
	       all_words(&rec->end, sizeof(rec->end), word(n));
}

/* fills in record number @n of a ring, except the number that the ring sets */
static inline void fill(struct tio_record *rec, u64 n)
{
	rec->min_ns = word(n);
	rec->max_ns = ~word(n);
	rec->end_ns = n;
	rec->cpu = (u32)n;
	rec->nsamples = (u8)n;
	rec->steal = 0;
	fill_samples(rec, n);
}

/* what record number @n may be told of steal, at any time */
static inline u64 steal(u64 n)
{
	return word(n) >> 1;
}

static inline bool whole(const struct tio_record *rec)
{
	const u64 n = rec->seq;

	return rec->min_ns == word(n) && rec->max_ns == ~word(n) && rec->end_ns == n &&
	       rec->cpu == (u32)n && rec->nsamples == (u8)n &&
	       (!rec->steal || rec->steal - 1 == steal(n)) && whole_samples(rec, n);
}

/* opens a soft stall with all its samples, or closes it */
static inline void write_open(struct tio_open *open, u64 n, bool valid)
{
	struct tio_record *rec;
	unsigned long flags;
	unsigned int i;
	bool first;

	local_irq_save(flags);
	tio_open_soft_close(open);
	for (i = 0; valid && i < TIO_SAMPLES; i++) {
		rec = tio_open_soft_reserve(open, n + 10, n, &first);
		if (first)
			fill_samples(rec, n);
		tio_open_soft_commit(open);
	}
	local_irq_restore(flags);
}

#endif /* _TIO_PATTERN_H */
