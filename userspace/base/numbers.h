/* SPDX-License-Identifier: GPL-2.0-only */
/* Which numbers of records were seen, by CPU. */
#ifndef _IRQOFF_NUMBERS_H
#define _IRQOFF_NUMBERS_H

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>

struct numbers {
	struct cpu_numbers *cpus;	/* by CPU */
	size_t ncpus;
	__u64 count;		/* of all that were added */
};

bool numbers_add(struct numbers *numbers, __u32 cpu, __u64 number);
void numbers_free(struct numbers *numbers);

#endif /* _IRQOFF_NUMBERS_H */
