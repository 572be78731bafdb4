/* SPDX-License-Identifier: GPL-2.0-only */
/* From the clock of a log to that of the captures. */
#ifndef _IRQOFF_LOG_CLOCK_H
#define _IRQOFF_LOG_CLOCK_H

#include <stddef.h>

#include "correlate/clock_fit.h"
#include "replies/slow.h"

struct log_names {
	const char **names;
	size_t *behind;		/* index of the first reply that is not of it */
	size_t count;
};

void log_names_add(struct log_names *names, const char *name, size_t behind);
const char *log_name(const struct log_names *names, size_t reply);
void log_names_free(struct log_names *names);

void log_doubts_ignored(const struct replies *replies);
void log_doubts(const struct replies *replies, const struct slows *slows);

enum log_clock_how {
	LOG_CLOCK_SAME,		/* the log was made on the captured node, now */
	LOG_CLOCK_GIVEN,	/* by --offset */
	LOG_CLOCK_STAMPED,	/* as the log has it; nobody knows whether that is right */
	LOG_CLOCK_CHECKED,	/* as the log has it, and slow replies agree */
	LOG_CLOCK_FITTED,	/* from slow replies and stalls */
	LOG_CLOCK_AMBIGUOUS,	/* these fit in several ways, and not as the log has it */
	LOG_CLOCK_HOWS
};

struct log_clock {
	enum log_clock_how how;
	__s64 offset_ns;	/* the log's is ahead by that */
	double drift;		/* seconds that it gains in a second */
	__u64 middle_ns;	/* by the log's clock: when the offset holds */
	__u64 error_ns;		/* of the offset, as far as that is known */
	bool doubted;		/* it was given, and slow replies go with stalls by another one */
	struct clock_fit fit;
};

void log_clock_take(struct log_clock *clock, const struct clock_fit *fit);
void log_clock_decide(struct log_clock *clock, const struct clock_fit *fit, __u64 from_ns,
		      __u64 to_ns);
__u64 log_clock_node_ns(const struct log_clock *clock, __u64 log_ns);
bool log_clock_stands(const struct log_clock *clock);
const char *log_clock_word(enum log_clock_how how);

#endif /* _IRQOFF_LOG_CLOCK_H */
