/* SPDX-License-Identifier: GPL-2.0-only */
/* In how many stalls of a group each function was met, or waited, or may have had a lock. */
#ifndef _IRQOFF_NAME_COUNTS_H
#define _IRQOFF_NAME_COUNTS_H

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>

/* of more names than that the number alone is kept */
#define NAME_COUNTS_MOST	32

struct name_count {
	char *name;
	__u64 stalls;
};

/* NULL stands for one without names, which most are */
struct name_counts {
	struct name_count *all;	/* the most frequent first, once they are sorted */
	size_t count;
	__u64 others;		/* stalls of those that @all has no room for */
};

void name_counts_add(struct name_counts **all, const char *name, __u64 stalls);
bool name_counts_have(const struct name_counts *counts, const char *name);
void name_counts_sort(struct name_counts *counts);
__u64 name_counts_others(const struct name_counts *counts);
char *name_counts_text(const struct name_counts *counts, size_t most);
void name_counts_free(struct name_counts *counts);

#endif /* _IRQOFF_NAME_COUNTS_H */
