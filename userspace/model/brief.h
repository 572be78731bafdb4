/* SPDX-License-Identifier: GPL-2.0-only */
/* Records of which name, lower bound and end are needed alone, in 32 bytes each, by CPU. */
#ifndef _IRQOFF_BRIEF_H
#define _IRQOFF_BRIEF_H

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>

/* records of higher CPUs are not read briefly; no kernel has so many */
#define BRIEF_CPUS	65536

struct brief {
	__u64 seq;
	__u64 min_ns;
	__u64 end_ns;
	__u32 read;		/* how many records were read before */
	__u8 kind;		/* enum trace_irqoff_kind */
	bool crossed;		/* its bounds contradict each other (contradiction.h) */
	bool again;		/* it is to be dropped: one that was read later has its number */
	bool early;		/* as that of an entry (model.h) */
};

struct brief_cpu {
	struct brief *all;
	size_t count;
};

struct briefs {
	struct brief_cpu *cpus;	/* by number */
	size_t ncpus;
	size_t count;		/* of all CPUs */
};

struct tio_record;

struct brief brief_of(const struct tio_record *rec);
void briefs_add(struct briefs *briefs, __u32 cpu, const struct brief *brief);
size_t briefs_drop_older(struct briefs *briefs);
void briefs_sort(struct briefs *briefs);
void briefs_keep(struct briefs *briefs, __u32 cpu, size_t count);
struct brief *briefs_numbered(const struct briefs *briefs, __u32 cpu, __u64 seq);
size_t briefs_drop_again(struct briefs *briefs);
void briefs_rebase(struct briefs *briefs, __u64 by_ns);
void briefs_free(struct briefs *briefs);

#endif /* _IRQOFF_BRIEF_H */
