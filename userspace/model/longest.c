// SPDX-License-Identifier: GPL-2.0-only
/*
 * A stall is no longer asked for once one that was as long has ended after it. What is left is
 * the "monotonic queue" of sliding window maxima: ends rise, lengths fall.
 */
#include <stdlib.h>
#include <string.h>

#include "base/lower_bound.h"
#include "base/say.h"
#include "model/longest.h"

/* the first that ended at that moment or later */
static size_t place_of(const struct longest *longest, __u64 end_ns)
{
	return lower_bound(0, longest->count, i, longest->stalls[i].end_ns < end_ns);
}

/* puts a stall in the place of those from @first to before @end */
static void replace(struct longest *longest, size_t first, size_t end,
		    const struct longest_stall *stall)
{
	longest->stalls = or_exit(realloc(longest->stalls,
					  (longest->count + 1) * sizeof(*longest->stalls)));
	memmove(&longest->stalls[first + 1], &longest->stalls[end],
		(longest->count - end) * sizeof(*longest->stalls));
	longest->stalls[first] = *stall;
	longest->count = longest->count - (end - first) + 1;
}

/**
 * longest_add() - add a stall
 * @longest: the stalls
 * @stall: records of several CPUs come only nearly in the order of their ends
 */
void longest_add(struct longest *longest, const struct longest_stall *stall)
{
	size_t end = place_of(longest, stall->end_ns), first;

	if (stall->end_ns < longest->from_ns)
		return;
	if (end < longest->count && longest->stalls[end].ns >= stall->ns)
		return;
	/* one that ended at the same moment, and was shorter */
	if (end < longest->count && longest->stalls[end].end_ns == stall->end_ns)
		end++;
	first = end;
	while (first && longest->stalls[first - 1].ns <= stall->ns)
		first--;
	replace(longest, first, end, stall);
	if (longest->count <= LONGEST_STALLS)
		return;
	longest->from_ns = longest->stalls[0].end_ns + 1;
	longest->count--;
	memmove(longest->stalls, longest->stalls + 1, longest->count * sizeof(*longest->stalls));
}

/**
 * longest_since() - the longest stall that ended at a moment or later
 * @longest: the stalls
 * @since_ns: the moment, not before from_ns
 *
 * Return: the stall; NULL where none did.
 */
const struct longest_stall *longest_since(const struct longest *longest, __u64 since_ns)
{
	size_t at = place_of(longest, since_ns);

	return at < longest->count ? &longest->stalls[at] : NULL;
}

void longest_free(struct longest *longest)
{
	free(longest->stalls);
	*longest = (struct longest){ 0 };
}
