/* SPDX-License-Identifier: GPL-2.0-only */
/* Who made each of some captures, and when; those of one load of the module together. */
#ifndef _IRQOFF_CAPTURE_HEADS_H
#define _IRQOFF_CAPTURE_HEADS_H

#include "collect/inputs.h"

/* a load of the module, by boot and instance: numbers of records are unique within it */
struct load {
	char boot_id[sizeof(((struct machine *)0)->boot_id)];
	__u64 instance;
};

/* all zero where it cannot be read */
struct head {
	const char *path;
	struct load load;
	__u64 saved_ns;		/* by the wall clock; of a recording when it began */
	__u64 kernel_ns;	/* likewise, by the kernel's clock */
	__u64 threshold_ns;	/* in force then */
};

struct head *heads_read(const struct inputs *inputs);
int heads_compare_loads(const struct load *left, const struct load *right);
size_t heads_drop_ended(struct head *heads, size_t count, __u64 since_ns);
bool heads_last(const struct head *heads, size_t count, size_t i);
__u64 heads_newest_ns(const struct head *heads, size_t count);

#endif /* _IRQOFF_CAPTURE_HEADS_H */
