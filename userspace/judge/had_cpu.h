/* SPDX-License-Identifier: GPL-2.0-only */
/* Which tasks had the CPU while ksoftirqd waited for it. */
#ifndef _IRQOFF_HAD_CPU_H
#define _IRQOFF_HAD_CPU_H

#include <stdbool.h>

#include "model/model.h"
#include "names/symbols.h"

/* the tasks of one name and cgroup that samples met */
struct met {
	const struct tio_sample *sample;	/* of theirs, the one that speaks for longest */
	char comm[TIO_COMM_LEN];	/* of threads of the kernel their kind; "": not known */
	bool kthread;
	bool user;		/* some were met in user mode, */
	bool kernel;		/* some in the kernel */
	bool more;		/* there were others besides @tasks */
	__u8 policy, prio;	/* as of samples; 0 where these differ */
	unsigned int tasks;	/* number of different ones */
	__u64 count;		/* number of samples that met them */
	__u8 samples;		/* of one record: which ones, a bit each */
	const char *busy_in;	/* the function that all of these were taken in; NULL: none */
	__u64 ns;		/* of the stall, that they had the CPU for */
};

/* whom the samples of a record met, those with the most time first */
struct had_cpu {
	struct met all[TIO_SAMPLES];
	unsigned int count;
	__u64 nobody_ns;	/* the idle task, ksoftirqd itself, or nobody that is known */
	__u64 ns;		/* that all samples speak for, also in interrupts and softirqs */
};

void had_cpu_name(char comm[TIO_COMM_LEN], const struct tio_sample *sample, bool kthread);
void had_cpu_find(struct had_cpu *had, const struct symbols *symbols, const struct entry *entry);
const struct met *had_cpu_most(const struct had_cpu *had);

#endif /* _IRQOFF_HAD_CPU_H */
