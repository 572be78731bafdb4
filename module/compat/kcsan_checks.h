/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What KCSAN is told: "kcsan: Add Kernel Concurrency Sanitizer infrastructure" (v5.8). RHEL
 * 8.4 declares it where seqlock.h includes it from.
 */
#ifndef _TIO_COMPAT_KCSAN_CHECKS_H
#define _TIO_COMPAT_KCSAN_CHECKS_H

#include <linux/seqlock.h>

#ifdef HAVE_KCSAN_CHECKS
#include <linux/kcsan-checks.h>
#elif !defined(KCSAN_SEQLOCK_REGION_MAX)
#define KCSAN_SEQLOCK_REGION_MAX	0

static inline void kcsan_atomic_next(int n)
{
}
#endif

#endif /* _TIO_COMPAT_KCSAN_CHECKS_H */
