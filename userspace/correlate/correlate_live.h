/* SPDX-License-Identifier: GPL-2.0-only */
/* Tells of slow replies while a ping goes on. */
#ifndef _IRQOFF_CORRELATE_LIVE_H
#define _IRQOFF_CORRELATE_LIVE_H

#include "correlate/correlate.h"
#include "replies/reply_log.h"

struct live {
	/* set by the caller */
	int fd;			/* the log comes from there */
	__u64 over_ns;
	const struct reply_options *options;
	struct replies *replies;
	/* reads the module into a correlation; returns an exit status */
	int (*take)(struct correlation *correlation, void *context);
	/* gets each slow reply with its verdict */
	void (*told)(const struct correlation *correlation, size_t slow, void *context);
	void *context;
	const struct causes *causes;
	const struct log_clock *clock;	/* of the log */
	const char *dev;	/* that takes the packets; NULL: not known */

	size_t counts[CORRELATE_VERDICTS];
	size_t seen;		/* replies that were looked at */
};

size_t live_slow(const struct live *live);
int live_run(struct live *live);

#endif /* _IRQOFF_CORRELATE_LIVE_H */
