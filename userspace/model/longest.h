/* SPDX-License-Identifier: GPL-2.0-only */
/* The longest stall since any moment, of one class. Pure. */
#ifndef _IRQOFF_LONGEST_H
#define _IRQOFF_LONGEST_H

#include <linux/types.h>
#include <stddef.h>

/* far more than a class has: of stalls that come by chance, e^256 leave so many */
#define LONGEST_STALLS	256

struct longest_stall {
	__u64 end_ns;		/* monotonic clock */
	__u64 ns;		/* at least so long */
	__u32 cpu;
	__u64 seq;
};

/* in the order of their ends, each shorter than the one before it */
struct longest {
	struct longest_stall *stalls;
	size_t count;
	__u64 from_ns;		/* of what ended before, none is here; 0: all are */
};

void longest_add(struct longest *longest, const struct longest_stall *stall);
const struct longest_stall *longest_since(const struct longest *longest, __u64 since_ns);
void longest_free(struct longest *longest);

#endif /* _IRQOFF_LONGEST_H */
