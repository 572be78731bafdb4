/* SPDX-License-Identifier: GPL-2.0-only */
/* Lines on standard output, for whoever reads them in time. */
#ifndef _IRQOFF_LINE_OUTPUT_H
#define _IRQOFF_LINE_OUTPUT_H

#include <linux/types.h>
#include <stdbool.h>

struct line_output {
	int fd;			/* that does not wait; -1: none */
	bool socket;
	bool cut;		/* the last line is not whole */
	bool failed;		/* somebody was told, and nothing was written since */
	__u64 until_ns;		/* of the present batch (monotonic clock) */
};

int line_output_open(struct line_output *lines);
void line_output_begin(struct line_output *lines);
bool line_output_put(struct line_output *lines, const char *line);
void line_output_close(struct line_output *lines);

#endif /* _IRQOFF_LINE_OUTPUT_H */
