/* SPDX-License-Identifier: GPL-2.0-only */
/* The agent's counters, as metrics. */
#ifndef _IRQOFF_AGENT_COUNTERS_H
#define _IRQOFF_AGENT_COUNTERS_H

#include "agent/metrics.h"

struct counters {
	const char *path;	/* the agent's state */
	char *why;		/* it could not be read, and somebody was told; NULL: it could be */
};

void counters_print(struct counters *counters, FILE *out, enum metrics_format format);

#endif /* _IRQOFF_AGENT_COUNTERS_H */
