/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which records a full ring keeps: besides the newest ones the longest of each class,
 * and the newest of each of the last keys. Pure.
 */
#ifndef _TIO_RETENTION_H
#define _TIO_RETENTION_H

#include <linux/types.h>

#include "core/classify.h"

/* what a slot without a record has for a number */
#define TIO_NO_SEQ	(~0ULL)

/*
 * At most so many keys hold their newest record, and one for each TIO_RETENTION_SLOTS slots.
 * A smaller ring than TIO_RETENTION_LEAST keeps its newest records and nothing else: there
 * the longest ones of all classes would leave no room for them.
 */
#define TIO_RETENTION_KEYS	16
#define TIO_RETENTION_SLOTS	4
#define TIO_RETENTION_LEAST	16

/* records that blame nobody have one slot in so many at most, where others want them */
#define TIO_RETENTION_DOUBTFUL	4

/* what it depends on whether a record is kept */
struct tio_retention_rank {
	__u64 min_ns;
	__u64 key;	/* equal for stalls of the same cause; 0: not known */
	enum tio_class class;
	__u8 tracer;	/* nothing was seen but the tracer's own code */
};

/* a slot */
struct tio_kept {
	__u64 seq;	/* number of its record; TIO_NO_SEQ: none, or it is being written */
	__u8 class;
	__u8 tracer;
	__u8 held;	/* how often struct tio_retention names it */
};

/* a record that is held; it may have been cleared */
struct tio_held {
	__u64 seq;	/* TIO_NO_SEQ: none */
	__u64 value;	/* the longest: min_ns; the newest: key */
	__u32 slot;
};

struct tio_retention {
	__u32 size;	/* records kept at most; there is one slot more */
	struct tio_held longest[TIO_CLASSES];
	struct tio_held newest[TIO_RETENTION_KEYS];
};

void tio_retention_begin(struct tio_retention *keep, struct tio_kept *kept, __u32 size);
void tio_retention_hold(struct tio_retention *keep, struct tio_kept *kept, __u64 floor, __u32 slot,
			__u64 seq, const struct tio_retention_rank *rank);
__u32 tio_retention_spare(const struct tio_retention *keep, const struct tio_kept *kept,
			  __u64 floor, __u32 slot);

#endif /* _TIO_RETENTION_H */
