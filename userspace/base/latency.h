/* SPDX-License-Identifier: GPL-2.0-only */
/* How long a reply took, as logs have it. */
#ifndef _IRQOFF_LATENCY_H
#define _IRQOFF_LATENCY_H

#include <linux/types.h>

#define LATENCY_MOST_NS		(86400 * NSEC_PER_SEC)

enum latency {
	LATENCY_KNOWN,
	LATENCY_NO_UNIT,
	LATENCY_NONE,	/* the log says that no reply came */
	LATENCY_UNTOLD,	/* the log has none */
	LATENCY_WRONG,
};

enum latency latency_read(const char *text, __u64 unit_ns, __u64 *ns);
__u64 latency_unit(const char *word);

#endif /* _IRQOFF_LATENCY_H */
