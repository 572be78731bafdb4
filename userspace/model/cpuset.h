/* SPDX-License-Identifier: GPL-2.0-only */
/* A set of CPUs, printed as the kernel prints its lists. */
#ifndef _IRQOFF_CPUSET_H
#define _IRQOFF_CPUSET_H

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>

#define CPUSET_MOST	65536	/* more than any kernel supports; the rest is ignored */

struct cpuset {
	union {
		__u64 word;	/* of CPUs below 64 alone, as most sets are */
		__u64 *words;	/* of more than one */
	};
	size_t nwords;
};

void cpuset_add(struct cpuset *set, __u32 cpu);
void cpuset_add_set(struct cpuset *set, const struct cpuset *more);
void cpuset_add_list(struct cpuset *set, const char *list);
unsigned int cpuset_count(const struct cpuset *set);
const char *cpuset_print(char *buf, size_t size, const struct cpuset *set);
bool cpuset_has(const struct cpuset *set, size_t cpu);
bool cpuset_same(const struct cpuset *left, const struct cpuset *right);
void cpuset_free(struct cpuset *set);
bool cpulist_whole(const char *list);
bool cpulist_next(const char *list, __u32 from, __u32 *cpu);
const char *cpulist_noun(const char *list);
bool cpulist_has(const char *list, __u32 first, __u32 last);

#endif /* _IRQOFF_CPUSET_H */
