/* SPDX-License-Identifier: GPL-2.0-only */
/* An agent's counters as Prometheus reads them. */
#ifndef _IRQOFF_METRICS_H
#define _IRQOFF_METRICS_H

#include <stdio.h>

#include "agent/tally.h"

enum metrics_format {
	METRICS_TEXT,		/* text 0.0.4: node_exporter's textfiles, and old servers */
	METRICS_OPENMETRICS,	/* OpenMetrics 1.0.0, with exemplars */
};

void metrics_print_absent(FILE *out, const char *version, enum metrics_format format);
void metrics_print(FILE *out, const struct tally *tally, __u64 now_ns,
		   enum metrics_format format);

#endif /* _IRQOFF_METRICS_H */
