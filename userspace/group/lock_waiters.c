// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/say.h"
#include "group/lock_waiters.h"

/**
 * lock_waiters_add() - one more stall
 * @waiters: those of a lock
 * @function: who waited
 */
void lock_waiters_add(struct lock_waiters *waiters, const char *function)
{
	size_t i = 0;

	while (i < waiters->count && strcmp(waiters->all[i].function, function))
		i++;
	if (i == LOCK_WAITERS_MOST) {
		waiters->others++;
		return;
	}
	if (i == waiters->count) {
		waiters->all = grow(waiters->all, waiters->count, sizeof(*waiters->all));
		waiters->all[waiters->count++] = (struct lock_waiter){
			.function = copy_text(function),
		};
	}
	waiters->all[i].stalls++;
}

static int more_often(const void *a, const void *b)
{
	const struct lock_waiter *left = a, *right = b;

	if (left->stalls != right->stalls)
		return left->stalls > right->stalls ? -1 : 1;
	return strcmp(left->function, right->function);
}

/* once all stalls were added */
void lock_waiters_sort(struct lock_waiters *waiters)
{
	if (waiters->count)
		qsort(waiters->all, waiters->count, sizeof(*waiters->all), more_often);
}

/**
 * lock_waiters_text() - "do_exit 74, copy_process 34, others 5"
 * @waiters: sorted
 * @most: how many functions are named
 *
 * Return: the text, to be freed; "" where nobody is known.
 */
char *lock_waiters_text(const struct lock_waiters *waiters, size_t most)
{
	__u64 others = waiters->others;
	char *text = NULL;
	size_t len;
	FILE *out = or_exit(open_memstream(&text, &len));

	for (size_t i = 0; i < waiters->count; i++) {
		const struct lock_waiter *waiter = &waiters->all[i];

		if (i < most)
			fprintf(out, "%s%s %llu", i ? ", " : "", waiter->function, waiter->stalls);
		else
			others += waiter->stalls;
	}
	if (others)
		fprintf(out, ", others %llu", others);
	if (fclose(out))
		exit(failed("out of memory"));
	return text;
}

void lock_waiters_free(struct lock_waiters *waiters)
{
	for (size_t i = 0; i < waiters->count; i++)
		free(waiters->all[i].function);
	free(waiters->all);
	*waiters = (struct lock_waiters){ 0 };
}
