/* SPDX-License-Identifier: GPL-2.0-only */
/* Lines on standard output, for whoever reads them in time. */
#ifndef _IRQOFF_LINES_H
#define _IRQOFF_LINES_H

#include <linux/types.h>
#include <stdbool.h>

struct lines {
	int fd;			/* that does not wait; -1: none */
	bool socket;
	bool cut;		/* the last line is not whole */
	bool failed;		/* somebody was told, and nothing was written since */
	__u64 until_ns;		/* of the present batch (monotonic clock) */
};

int lines_open(struct lines *lines);
void lines_begin(struct lines *lines);
bool lines_put(struct lines *lines, const char *line);
void lines_close(struct lines *lines);

#endif /* _IRQOFF_LINES_H */
