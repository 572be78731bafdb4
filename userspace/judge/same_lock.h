/* SPDX-License-Identifier: GPL-2.0-only */
/* Stalls that wait for one lock wait for one holder. */
#ifndef _IRQOFF_SAME_LOCK_H
#define _IRQOFF_SAME_LOCK_H

#include "model/model.h"

/* a wait for a lock that is known */
struct lock_wait {
	struct entry *entry;
	const struct tio_sample *sample;	/* that decides, whose times are not asked for */
	__u64 from_ns;		/* when it was taken */
	__u64 to_ns;		/* until then it is known to have waited; not before @from_ns */
};

bool same_lock_waits(const struct entry *entry, const struct tio_sample *as, __u64 at_ns);
void same_lock_share(struct lock_wait *waits, size_t count);

#endif /* _IRQOFF_SAME_LOCK_H */
