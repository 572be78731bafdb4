/* SPDX-License-Identifier: GPL-2.0-only */
/* Stamps and latencies as logs have them, to nanoseconds. */
#ifndef _IRQOFF_REPLY_TIME_H
#define _IRQOFF_REPLY_TIME_H

#include <linux/types.h>
#include <stdbool.h>

#define LATENCY_MOST_NS		(86400 * NSEC_PER_SEC)

enum latency {
	LATENCY_KNOWN,
	LATENCY_NO_UNIT,
	LATENCY_NONE,	/* the log says that no reply came */
	LATENCY_UNTOLD,	/* the log has none */
	LATENCY_WRONG,
};

bool stamp_read(const char *text, __u64 *ns, __u64 *grain_ns);
bool stamp_names_zone(const char *text);
enum latency latency_read(const char *text, __u64 unit_ns, __u64 *ns);
__u64 latency_unit(const char *word);

#endif /* _IRQOFF_REPLY_TIME_H */
