/* SPDX-License-Identifier: GPL-2.0-only */
/* The time that the records cover, which rates refer to. */
#ifndef _IRQOFF_WINDOW_H
#define _IRQOFF_WINDOW_H

#include "model/model.h"

/* nanoseconds since 1970, by the wall clock */
struct window {
	__u64 from_ns;
	__u64 to_ns;
	__u64 nodes_ns;		/* of merged nodes: how long all of them together; else 0 */
	bool rates;		/* false: nobody knows when watching stopped */
	bool lacking;		/* records are missing, so there are no rates either */
};

struct window window_of(const struct model *model, __u64 since_ns, __u64 until_ns);
const char *window_rate(char *buf, size_t size, const struct window *window, __u64 count);
const char *window_share(char *buf, size_t size, const struct window *window, __u64 ns);

#endif /* _IRQOFF_WINDOW_H */
