/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sequence counts for one thread. They show that each write begins and ends.
 * tests/kunit/readers_test.c tests concurrent readers and writers.
 */
#ifndef _LINUX_KERNEL_SEQLOCK_H
#define _LINUX_KERNEL_SEQLOCK_H

#include <assert.h>

#include <asm/barrier.h>
#include <linux/compiler.h>
#include <linux/types.h>

struct seqcount {
	unsigned int sequence;
};

#define seqcount_t	struct seqcount

static inline void seqcount_init(struct seqcount *s)
{
	s->sequence = 0;
}

static inline void raw_write_seqcount_begin(struct seqcount *s)
{
	assert(s->sequence % 2 == 0);
	s->sequence++;
}

static inline void raw_write_seqcount_end(struct seqcount *s)
{
	assert(s->sequence % 2 == 1);
	s->sequence++;
}

static inline unsigned int raw_read_seqcount(const struct seqcount *s)
{
	return s->sequence;
}

static inline bool read_seqcount_retry(const struct seqcount *s, unsigned int begun)
{
	return s->sequence != begun;
}

#endif /* _LINUX_KERNEL_SEQLOCK_H */
