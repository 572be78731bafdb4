/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The stalls of a CPU that have not ended: the samples taken so far, and what
 * readers are shown of them. That CPU alone writes, with interrupts off or in an
 * NMI. Any CPU reads. Sequence counts let a reader see a whole state or try again.
 */
#ifndef _TIO_OPEN_STALL_H
#define _TIO_OPEN_STALL_H

#include <linux/rcupdate.h>
#include <linux/seqlock.h>

#include "core/record.h"

/* a softirq stall, from its first sample on */
struct tio_open_soft {
	seqcount_t seqcount;
	bool valid;
	u64 due_ns;		/* the first beat that found softirqs off */
	u64 on_ns;		/* when softirqs could run before that; 0: not known */
	struct tio_record rec;
};

/* samples of a hard stall, which NMIs take */
struct tio_open_hard {
	seqcount_t seqcount;
	bool closed;		/* a record takes the samples over: an NMI adds none */
	u64 id;			/* tio_stall_id() */
	unsigned int n;
	struct tio_sample samples[TIO_SAMPLES];
};

struct tio_open {
	struct rcu_head rcu;
	struct tio_open_soft soft;
	struct tio_open_hard hard;
};

/* what another CPU reads of a CPU's heartbeat, to tell whether a hard stall is open */
struct tio_overdue {
	u64 due_ns;		/* of the beat; it has not run */
	u64 on_ns;		/* interrupts were on */
	u64 threshold_ns;
	u64 period_ns;
};

struct tio_open *tio_open_create(unsigned int cpu);

struct tio_sample *tio_open_hard_reserve(struct tio_open *open, u64 id, bool same);
void tio_open_hard_commit(struct tio_open *open);
void tio_open_hard_close(struct tio_open *open, struct tio_record *rec);
void tio_open_copy_hard(const struct tio_open *open, u64 id, struct tio_record *rec);
bool tio_open_read_hard(const struct tio_open *open, const struct tio_overdue *beat,
			u64 now_ns, struct tio_record *rec);

struct tio_record *tio_open_soft_reserve(struct tio_open *open, u64 due_ns, u64 on_ns,
					 bool *first);
void tio_open_soft_commit(struct tio_open *open);
void tio_open_soft_copy(const struct tio_open *open, struct tio_record *rec);
void tio_open_soft_close(struct tio_open *open);
bool tio_open_read_soft(const struct tio_open *open, u64 now_ns,
			struct tio_record *rec);

#endif /* _TIO_OPEN_STALL_H */
