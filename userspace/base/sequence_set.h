/* SPDX-License-Identifier: GPL-2.0-only */
/* Which numbers of records were seen, by CPU. */
#ifndef _IRQOFF_SEQUENCE_SET_H
#define _IRQOFF_SEQUENCE_SET_H

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>

struct sequence_set {
	struct cpu_numbers *cpus;	/* by CPU */
	size_t ncpus;
	__u64 count;		/* of all that were added */
};

bool sequence_set_add(struct sequence_set *numbers, __u32 cpu, __u64 number);
void sequence_set_free(struct sequence_set *numbers);

#endif /* _IRQOFF_SEQUENCE_SET_H */
