/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The arguments of the tracepoint timer:hrtimer_expire_entry. Linux 7.2 passes the time by
 * value, 7.0 by reference.
 */
#ifndef _TIO_COMPAT_HRTIMER_EXPIRE_H
#define _TIO_COMPAT_HRTIMER_EXPIRE_H

#include <linux/hrtimer.h>

#ifdef HAVE_HRTIMER_EXPIRE_BY_VALUE
#define HRTIMER_EXPIRE_ARGS	struct hrtimer *timer, ktime_t now
#else
#define HRTIMER_EXPIRE_ARGS	struct hrtimer *timer, ktime_t *now
#endif

#endif /* _TIO_COMPAT_HRTIMER_EXPIRE_H */
