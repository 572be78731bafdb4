// SPDX-License-Identifier: GPL-2.0-only
/* The knob table and its rules. Pure. */
#include "params.h"

#ifndef __KERNEL__
#include <stddef.h>
#endif

/*
 * Shortest period: 20,000 timer interrupts a second and CPU, a few percent of
 * one. Shortest threshold: two of those.
 */
const struct tio_knob_desc tio_knobs[TIO_KNOBS] = {
	[TIO_KNOB_ENABLE] = {
		.name = "enable", .unit = "",
		.min = 0, .max = 1, .def = 0,
		.rule = "enable takes 0 or 1",
	},
	[TIO_KNOB_THRESHOLD_US] = {
		.name = "threshold_us", .unit = "us",
		.min = 100, .max = 60000000, .def = 10000,
		.rule = "threshold_us takes 100 to 60000000 microseconds",
	},
	[TIO_KNOB_PERIOD_US] = {
		.name = "period_us", .unit = "us",
		.min = 50, .max = 1000000, .def = 1000,
		.rule = "period_us takes 50 to 1000000 microseconds",
	},
	[TIO_KNOB_RING_RECORDS] = {
		.name = "ring_records", .unit = "records",
		.min = 2, .max = 4096, .def = 64,
		.rule = "ring_records takes 2 to 4096 records",
	},
};

const char tio_cpus_rule[] =
	"cpus takes \"default\", \"all\" or a list of possible CPUs such as 0-3,8";

/**
 * tio_knobs_refuse() - do these values go together?
 * @knobs: one value a knob
 *
 * Return: NULL when they do, else the rule that they break, a static sentence.
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
