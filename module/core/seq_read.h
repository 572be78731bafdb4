/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reading what another CPU writes under a sequence count, for as long as patience
 * lasts. The writer has interrupts off and needs a microsecond. Only a virtual CPU
 * that its host stops in the midst of writing needs longer, and it may need seconds.
 */
#ifndef _TIO_SEQ_READ_H
#define _TIO_SEQ_READ_H

#include <linux/processor.h>
#include <linux/seqlock.h>
#include <linux/timekeeping.h>

#include "compat/kcsan_checks.h"

/* the writer was stopped; and the reader may be on a CPU that others wait for */
#define TIO_SEQ_READ_NS	NSEC_PER_MSEC

/**
 * tio_read_begin() - begin to read, or give up
 * @seqcount: what the writer counts
 * @count: set for read_seqcount_retry()
 * @end_ns: when to give up, of ktime_get_mono_fast_ns(); 0: set here, for the first try
 *
 * Unlike read_seqcount_begin() it does not wait for ever.
 *
 * Context: any.
 * Return: false when the writer has not finished in time.
 */
static inline bool tio_read_begin(const seqcount_t *seqcount, unsigned int *count,
				  u64 *end_ns)
{
	u64 now_ns;

	for (;;) {
		*count = raw_read_seqcount(seqcount);
		if (!(*count & 1)) {
			/* as read_seqcount_begin() does; the retry ends it */
			kcsan_atomic_next(KCSAN_SEQLOCK_REGION_MAX);
			return true;
		}
		now_ns = ktime_get_mono_fast_ns();
		if (!*end_ns)
			*end_ns = now_ns + TIO_SEQ_READ_NS;
		else if (now_ns > *end_ns)
			return false;
		cpu_relax();
	}
}

#endif /* _TIO_SEQ_READ_H */
