// SPDX-License-Identifier: GPL-2.0-only
/* The culprits, by the delay that they caused. */
#include <stdlib.h>
#include <string.h>

#include "base/say.h"
#include "correlate/correlate.h"

static bool same_text(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

static struct delay *delay_of(struct correlation *correlation, const struct suspect *suspect)
{
	struct delay *delay;

	for (size_t i = 0; i < correlation->ndelays; i++) {
		const struct suspect *other = correlation->delays[i].suspect;

		if (other->node == suspect->node && other->class == suspect->class &&
		    same_text(other->culprit, suspect->culprit))
			return &correlation->delays[i];
	}
	correlation->delays = grow(correlation->delays, correlation->ndelays, sizeof(*delay));
	delay = &correlation->delays[correlation->ndelays++];
	*delay = (struct delay){ .suspect = suspect };
	return delay;
}

static int by_delay(const void *a, const void *b)
{
	const struct delay *left = a, *right = b;

	if (left->all_ns != right->all_ns)
		return left->all_ns < right->all_ns ? 1 : -1;
	return (left->replies < right->replies) - (left->replies > right->replies);
}

/**
 * delays_find() - sum up what each culprit did
 * @correlation: has verdicts
 *
 * A lost reply counts, and has no delay.
 */
void delays_find(struct correlation *correlation)
{
	for (size_t i = 0; i < correlation->slows.count; i++) {
		const struct finding *finding = &correlation->findings[i];
		__u64 excess_ns = slow_excess_ns(&correlation->slows.all[i]);
		struct delay *delay;

		if (finding->verdict != CORRELATE_STALL && finding->verdict != CORRELATE_DROPPED)
			continue;
		delay = delay_of(correlation, finding->suspect);
		delay->replies++;
		delay->all_ns += excess_ns;
		if (excess_ns > delay->longest_ns)
			delay->longest_ns = excess_ns;
	}
	if (correlation->ndelays)
		qsort(correlation->delays, correlation->ndelays, sizeof(*correlation->delays),
		      by_delay);
}
