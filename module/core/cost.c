// SPDX-License-Identifier: GPL-2.0-only
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/string.h>

#include "core/cost.h"

#define PPM	1000000

/* so that nothing divides by 0; real periods are far longer */
#define LEAST_PERIOD_NS	1000

/**
 * tio_cost_begin() - forget what was measured
 * @cost: of this CPU
 * @now_ns: now
 * @beats: beats run so far
 */
void tio_cost_begin(struct tio_cost *cost, u64 now_ns, u64 beats)
{
	cost->number = 0;
	cost->from_ns = now_ns;
	cost->from_beats = beats;
	cost->over_ns = 0;
}

/**
 * tio_cost_add() - take in the length of one interrupt that a beat ran in
 * @cost: of this CPU
 * @length_ns: from its entry to its exit
 */
void tio_cost_add(struct tio_cost *cost, u64 length_ns)
{
	cost->lengths_ns[cost->number++ % TIO_COST_LENGTHS] =
		length_ns < U32_MAX ? length_ns : U32_MAX;
}

static u32 median(const struct tio_cost *cost)
{
	u32 n = cost->number, sorted[TIO_COST_LENGTHS], i, j;

	if (n > TIO_COST_LENGTHS)
		n = TIO_COST_LENGTHS;
	for (i = 0; i < n; i++) {
		for (j = i; j && sorted[j - 1] > cost->lengths_ns[i]; j--)
			sorted[j] = sorted[j - 1];
		sorted[j] = cost->lengths_ns[i];
	}
	return sorted[n / 2];
}

/**
 * tio_cost_window() - end the window of measurement, if it is time
 * @cost: of this CPU
 * @now_ns: now
 * @beats: beats run so far
 * @max_ppm: the limit; 0: none
 *
 * The cost is the median length times the rate of beats. Whatever stops a CPU now and
 * then, such as a hypervisor, makes few lengths long and does not count.
 *
 * Return: true where a window ended; @cost->ppm is its cost.
 */
bool tio_cost_window(struct tio_cost *cost, u64 now_ns, u64 beats, u32 max_ppm)
{
	u64 from_ns = cost->from_ns, over_ns = cost->over_ns, each_ns, ppm;

	if (cost->number < TIO_COST_LEAST || now_ns - from_ns < TIO_COST_WINDOW_NS ||
	    beats == cost->from_beats)
		return false;
	/* from one beat to the next */
	each_ns = div64_u64(now_ns - from_ns, beats - cost->from_beats);
	if (each_ns < LEAST_PERIOD_NS)
		each_ns = LEAST_PERIOD_NS;
	ppm = div64_u64((u64)median(cost) * PPM, each_ns);
	cost->ppm = ppm < PPM ? ppm : PPM;
	tio_cost_begin(cost, now_ns, beats);
	if (max_ppm && cost->ppm > max_ppm)
		cost->over_ns = over_ns ?: from_ns;
	return true;
}
