/* SPDX-License-Identifier: GPL-2.0-only */
/* Which of several CPUs is most likely to hold a lock, by what each one did meanwhile. Pure. */
#ifndef _TIO_CANDIDATE_H
#define _TIO_CANDIDATE_H

#include <linux/string.h>

#include "core/record.h"

/*
 * Who holds a lock that spins has preemption off. A kernel that does not count that tells no
 * CPU in the kernel from another.
 */
static inline unsigned int tio_candidate_rank(const struct tio_meanwhile *note)
{
	if (!note->candidates)
		return 0;
	return note->preempt_count ? 2 : 1;
}

/**
 * tio_candidate_begin() - nobody has noted anything yet
 * @best: the one to be chosen
 *
 * Context: any.
 */
static inline void tio_candidate_begin(struct tio_meanwhile *best)
{
	best->cpu = 0;
	best->noted = 0;
	best->candidates = 0;
}

/**
 * tio_candidate_add() - a CPU has noted what it did
 * @best: the most likely one so far, the first of several
 * @note: what the CPU noted; candidates is 0 where it holds no lock for sure
 *
 * Context: any.
 */
static inline void tio_candidate_add(struct tio_meanwhile *best, const struct tio_meanwhile *note)
{
	unsigned int noted = best->noted + 1, rank = tio_candidate_rank(note);
	unsigned int most = best->cpu ? tio_candidate_rank(best) : 0;

	if (rank > most) {
		memcpy(best, note, sizeof(*best));
		best->candidates = 1;
	} else if (rank && rank == most) {
		best->candidates++;
	}
	best->noted = noted;
}

#endif /* _TIO_CANDIDATE_H */
