/* SPDX-License-Identifier: GPL-2.0-only */
/* where struct hrtimer_cpu_base is declared: in a header of its own from v7.3 on */
#ifndef _TIO_COMPAT_HRTIMER_BASES_H
#define _TIO_COMPAT_HRTIMER_BASES_H

#ifdef HAVE_HRTIMER_BASES
#include <linux/hrtimer_bases.h>
#else
#include <linux/hrtimer.h>
#endif

#endif /* _TIO_COMPAT_HRTIMER_BASES_H */
