/* SPDX-License-Identifier: GPL-2.0-only */
/* Messages to those who follow: there is something new to read. */
#ifndef _TIO_WAKE_H
#define _TIO_WAKE_H

#include <linux/types.h>

struct genl_family;

/* the time between two messages, at least; what is new meanwhile goes into one */
#define TIO_WAKE_NS	10000000ULL

/**
 * tio_wake_wait_ns() - how long nothing may be sent
 * @last_ns: when something was sent last; 0: never
 * @shown_ns: when readers are shown the first of what is new
 * @now_ns: now
 *
 * Context: any.
 * Return: the time from now; 0: it may be sent.
 */
static inline __u64 tio_wake_wait_ns(__u64 last_ns, __u64 shown_ns, __u64 now_ns)
{
	__u64 from_ns = last_ns ? last_ns + TIO_WAKE_NS : 0;

	if (shown_ns > from_ns)
		from_ns = shown_ns;
	return from_ns > now_ns ? from_ns - now_ns : 0;
}

void tio_wake_begin(const struct genl_family *family, u64 instance);
void tio_wake_end(void);
void tio_wake_exit(void);

void tio_wake_cpu(unsigned int cpu);
void tio_wake_open(unsigned int cpu, u64 shown_ns);
void tio_wake_settings(void);

#endif /* _TIO_WAKE_H */
