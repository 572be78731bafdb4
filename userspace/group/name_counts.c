// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/say.h"
#include "group/name_counts.h"

static struct name_count *find(struct name_counts *counts, const char *name)
{
	for (size_t i = 0; counts && i < counts->count; i++)
		if (!strcmp(counts->all[i].name, name))
			return &counts->all[i];
	return NULL;
}

/**
 * name_counts_add() - more stalls
 * @all: those of a group
 * @name: what they have
 * @stalls: how many of them
 */
void name_counts_add(struct name_counts **all, const char *name, __u64 stalls)
{
	struct name_count *found = find(*all, name);
	struct name_counts *counts;

	if (!*all)
		*all = alloc(1, sizeof(**all));
	counts = *all;
	if (!found && counts->count == NAME_COUNTS_MOST) {
		counts->others += stalls;
		return;
	}
	if (!found) {
		counts->all = grow(counts->all, counts->count, sizeof(*counts->all));
		found = &counts->all[counts->count++];
		*found = (struct name_count){ .name = copy_text(name) };
	}
	found->stalls += stalls;
}

bool name_counts_have(const struct name_counts *counts, const char *name)
{
	return find((struct name_counts *)counts, name);
}

/* stalls of the names that are not known */
__u64 name_counts_others(const struct name_counts *counts)
{
	return counts ? counts->others : 0;
}

static int more_often(const void *a, const void *b)
{
	const struct name_count *left = a, *right = b;

	if (left->stalls != right->stalls)
		return left->stalls > right->stalls ? -1 : 1;
	return strcmp(left->name, right->name);
}

/* once all stalls were added */
void name_counts_sort(struct name_counts *counts)
{
	if (counts)
		qsort(counts->all, counts->count, sizeof(*counts->all), more_often);
}

/**
 * name_counts_text() - "do_exit 74, copy_process 34, others 5"
 * @counts: sorted
 * @most: how many names there are at most
 *
 * Return: the text, to be freed; "" where there is none.
 */
char *name_counts_text(const struct name_counts *counts, size_t most)
{
	__u64 others = name_counts_others(counts);
	char *text = NULL;
	size_t len;
	FILE *out = or_exit(open_memstream(&text, &len));

	for (size_t i = 0; counts && i < counts->count; i++) {
		const struct name_count *count = &counts->all[i];

		if (i < most)
			fprintf(out, "%s%s %llu", i ? ", " : "", count->name, count->stalls);
		else
			others += count->stalls;
	}
	if (others)
		fprintf(out, ", others %llu", others);
	if (fclose(out))
		exit(failed("out of memory"));
	return text;
}

void name_counts_free(struct name_counts *counts)
{
	if (!counts)
		return;
	for (size_t i = 0; i < counts->count; i++)
		free(counts->all[i].name);
	free(counts->all);
	free(counts);
}
