// SPDX-License-Identifier: GPL-2.0-only
#include "knobs.h"

#ifndef __KERNEL__
#include <stddef.h>
#endif

#define STRING_OF(number)	#number
#define STRING(macro)		STRING_OF(macro)
#define RULE(name, limits, unit)					\
	name " takes " STRING(limits##_MIN) " to " STRING(limits##_MAX) " " unit

const struct tio_knob_desc tio_knobs[TIO_KNOBS] = {
	[TIO_KNOB_ENABLE] = {
		.name = "enable",
		.rule = "enable takes 0 or 1",
		.max = 1,
	},
	[TIO_KNOB_THRESHOLD_US] = {
		.name = "threshold_us",
		.rule = RULE("threshold_us", TIO_THRESHOLD_US, "microseconds"),
		.min = TIO_THRESHOLD_US_MIN,
		.max = TIO_THRESHOLD_US_MAX,
	},
	[TIO_KNOB_PERIOD_US] = {
		.name = "period_us",
		.rule = RULE("period_us", TIO_PERIOD_US, "microseconds"),
		.min = TIO_PERIOD_US_MIN,
		.max = TIO_PERIOD_US_MAX,
	},
	[TIO_KNOB_RING_RECORDS] = {
		.name = "ring_records",
		.rule = RULE("ring_records", TIO_RING_RECORDS, "records"),
		.min = TIO_RING_RECORDS_MIN,
		.max = TIO_RING_RECORDS_MAX,
	},
};

const char tio_cpus_rule[] =
	"cpus takes \"default\", \"all\" or a list of possible CPUs";

/**
 * tio_knobs_refuse() - is a value out of its limits, or do two not go together?
 * @knobs: a value for each knob
 *
 * Context: any.
 * Return: NULL where they are allowed; otherwise the broken rule, a static sentence.
 */
const char *tio_knobs_refuse(const __u32 knobs[TIO_KNOBS])
{
	unsigned int i;

	for (i = 0; i < TIO_KNOBS; i++)
		if (knobs[i] < tio_knobs[i].min || knobs[i] > tio_knobs[i].max)
			return tio_knobs[i].rule;
	if (knobs[TIO_KNOB_THRESHOLD_US] < 2 * knobs[TIO_KNOB_PERIOD_US])
		return "threshold_us must be at least two times period_us";
	return NULL;
}
