// SPDX-License-Identifier: GPL-2.0-only
#include "core/knobs.h"

#ifndef __KERNEL__
#include <stddef.h>
#endif

#define STRING_OF(number)	#number
#define STRING(macro)		STRING_OF(macro)
#define RULE(name, limits, unit)					\
	name " takes " STRING(limits##_MIN) " to " STRING(limits##_MAX) " " unit

static const char * const nmi_words[] = {
	[TRACE_IRQOFF_NMI_OFF] = "off",
	[TRACE_IRQOFF_NMI_AUTO] = "auto",
	/* as auto; settings files of older versions have it */
	[TRACE_IRQOFF_NMI_COUNTER] = "counter",
};

static const char * const guard_words[] = {
	[TRACE_IRQOFF_GUARD_AUTO] = "auto",
	[TRACE_IRQOFF_GUARD_ALWAYS] = "always",
	[TRACE_IRQOFF_GUARD_NEVER] = "never",
};

const struct tio_knob_desc tio_knobs[TIO_KNOBS] = {
	[TIO_KNOB_ENABLE] = {
		.name = "enable",
		.rule = "enable takes 0 or 1",
		.max = 1,
		.attr = TRACE_IRQOFF_A_ENABLE,
		.byte = true,
	},
	[TIO_KNOB_THRESHOLD_US] = {
		.name = "threshold_us",
		.rule = RULE("threshold_us", TIO_THRESHOLD_US, "microseconds"),
		.min = TIO_THRESHOLD_US_MIN,
		.max = TIO_THRESHOLD_US_MAX,
		.attr = TRACE_IRQOFF_A_THRESHOLD_US,
	},
	[TIO_KNOB_PERIOD_US] = {
		.name = "period_us",
		.rule = RULE("period_us", TIO_PERIOD_US, "microseconds"),
		.min = TIO_PERIOD_US_MIN,
		.max = TIO_PERIOD_US_MAX,
		.attr = TRACE_IRQOFF_A_PERIOD_US,
	},
	[TIO_KNOB_RING_RECORDS] = {
		.name = "ring_records",
		.rule = RULE("ring_records", TIO_RING_RECORDS, "records"),
		.min = TIO_RING_RECORDS_MIN,
		.max = TIO_RING_RECORDS_MAX,
		.attr = TRACE_IRQOFF_A_RING_RECORDS,
	},
	[TIO_KNOB_NMI] = {
		.name = "nmi",
		.rule = "nmi takes auto or off",
		.max = TRACE_IRQOFF_NMI_COUNTER,
		.words = nmi_words,
		.attr = TRACE_IRQOFF_A_NMI,
		.byte = true,
	},
	[TIO_KNOB_NMI_CPU_RATE] = {
		.name = "nmi_cpu_rate",
		.rule = RULE("nmi_cpu_rate", TIO_NMI_CPU_RATE, "NMIs a second"),
		.min = TIO_NMI_CPU_RATE_MIN,
		.max = TIO_NMI_CPU_RATE_MAX,
		.attr = TRACE_IRQOFF_A_NMI_CPU_RATE,
	},
	[TIO_KNOB_NMI_RATE] = {
		.name = "nmi_rate",
		.rule = RULE("nmi_rate", TIO_NMI_RATE, "NMIs a second"),
		.min = TIO_NMI_RATE_MIN,
		.max = TIO_NMI_RATE_MAX,
		.attr = TRACE_IRQOFF_A_NMI_RATE,
	},
	[TIO_KNOB_GUARD] = {
		.name = "guard",
		.rule = "guard takes auto, always or never",
		.max = TRACE_IRQOFF_GUARD_NEVER,
		.words = guard_words,
		.attr = TRACE_IRQOFF_A_GUARD,
		.byte = true,
	},
	[TIO_KNOB_MAX_COST_PPM] = {
		.name = "max_cost_ppm",
		.rule = RULE("max_cost_ppm", TIO_MAX_COST_PPM, "parts per million"),
		.max = TIO_MAX_COST_PPM_MAX,
		.attr = TRACE_IRQOFF_A_MAX_COST_PPM,
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
