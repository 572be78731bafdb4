/* SPDX-License-Identifier: GPL-2.0-only */
/* Who waited for a lock, or may have had it, and in how many stalls. */
#ifndef _IRQOFF_LOCK_WAITERS_H
#define _IRQOFF_LOCK_WAITERS_H

#include <linux/types.h>
#include <stddef.h>

/* of more functions than that the number alone is kept */
#define LOCK_WAITERS_MOST	32

struct lock_waiter {
	char *function;
	__u64 stalls;
};

struct lock_waiters {
	struct lock_waiter *all;	/* the most frequent first, once they are sorted */
	size_t count;
	__u64 others;		/* stalls of those that @all has no room for */
};

void lock_waiters_add(struct lock_waiters *waiters, const char *function);
void lock_waiters_sort(struct lock_waiters *waiters);
char *lock_waiters_text(const struct lock_waiters *waiters, size_t most);
void lock_waiters_free(struct lock_waiters *waiters);

#endif /* _IRQOFF_LOCK_WAITERS_H */
